import * as contracts from '@ponte/contracts';
import { AT, published, summaries, payload } from './published.testing';

describe('the webhooks of an account request', () => {
  const about = { requestId: 'r', accountId: 'child', parentId: 'partner' };
  const sealed = 'sealed:v1:p:1' as const;
  const requested = new contracts.AccountRequested({
    ...about,
    mode: 'reliance',
    attempt: 1,
    rewardTier: 90,
    externalId: null,
    externalWallets: [],
    fourEyes: false,
    sandboxOutcome: null,
    requestedAt: AT,
    details: {
      mode: 'reliance',
      taxDocumentType: 'cpf',
      kycAttestationId: sealed,
      holder: {
        subjectId: 'p',
        identifierFingerprint: 'f',
        country: 'BRA',
        identifier: sealed,
        maskedIdentifier: sealed,
        taxResidence: 'BRA',
      },
    },
  });
  const screening = new contracts.ScreeningStarted({ ...about, round: 1, startedAt: AT });
  const hits = new contracts.ScreeningRecorded({
    ...about,
    round: 1,
    person: 'holder',
    hits: [{ list: 'un', entryId: '1', score: 99, match: sealed }],
    recordedAt: AT,
  });
  const review = new contracts.ReviewRequested({
    ...about,
    causes: ['screening-hit'],
    fourEyes: false,
    rewardTier: 90,
    requestedAt: AT,
  });
  const approved = new contracts.AccountRequestApproved({ ...about, approvedBy: ['staff'], approvedAt: AT });
  const active = new contracts.AccountRequestActivated({ ...about, activatedAt: AT });

  it('report its stages, then account-approved when the account is active', () => {
    const reported = published('accountRequest-r', requested, screening, hits, review, approved, active);
    expect(summaries(reported).filter(([audience]) => audience === 'partner')).toEqual([
      ['partner', 'account-request-updated', 1, 'pending'],
      ['partner', 'account-request-updated', 2, 'pending'],
      ['partner', 'account-request-updated', 3, 'pending'],
      ['partner', 'account-approved', 4, 'approved'],
    ]);
    expect(reported[0]?.envelope).toMatchObject({
      resourceType: 'account-request',
      resourceId: 'r',
      accountId: 'child',
    });
    expect(payload(reported, 'account-approved')).toEqual({
      'subaccount-id': 'child',
      status: 'active',
      'completed-at': AT,
    });
    expect(JSON.stringify(reported.map(({ envelope }) => envelope))).not.toMatch(/sealed|staff|screening-hit/);
  });

  it.each([
    [
      new contracts.AccountRequestRejected({
        ...about,
        reason: 'sanctions',
        shownReason: 'compliance',
        rejectedAt: AT,
      }),
      { status: 'rejected', reason: 'compliance' },
    ],
    [
      new contracts.AccountRequestRejected({
        ...about,
        reason: 'document-quality',
        shownReason: 'document-quality',
        rejectedAt: AT,
      }),
      { status: 'rejected', reason: 'document-quality' },
    ],
    [new contracts.AccountRequestExpired({ ...about, expiredAt: AT }), { status: 'expired', reason: 'expired' }],
    [new contracts.AccountRequestCancelled({ ...about, cancelledAt: AT }), { status: 'cancelled' }],
  ])('say how it ended in account-request-updated but not in account-rejected ($type)', (ended, shownAs) => {
    const reported = published('accountRequest-r', requested, ended);
    expect(summaries(reported)).toEqual([
      ['child', 'account-request-updated', 1, 'pending'],
      ['partner', 'account-request-updated', 1, 'pending'],
      ['child', 'account-rejected', 2, 'pending'],
      ['partner', 'account-rejected', 2, 'pending'],
    ]);
    expect(new Set(reported.map(({ envelope }) => envelope.eventId)).size).toBe(4);
    expect(reported[3]?.earlier.map(({ eventType }) => eventType)).toEqual(['account-request-updated']);
    expect(payload(reported, 'account-request-updated')).toEqual({
      'account-request-id': 'r',
      'account-id': 'child',
      'updated-at': AT,
      ...shownAs,
    });
    expect(payload(reported, 'account-rejected')).toEqual({
      'subaccount-id': 'child',
      status: 'rejected',
      reason: 'compliance',
      'rejected-at': AT,
    });
    expect(JSON.stringify(reported.map(({ envelope }) => envelope))).not.toContain('sanctions');
  });

  it('say what is missing, and do not report an abandoned request', () => {
    const informationRequested = new contracts.InformationRequested({
      ...about,
      items: ['document'],
      issues: ['document-quality'],
      requestedAt: AT,
      dueAt: AT,
    });
    expect(
      payload(published('accountRequest-r', requested, informationRequested), 'account-request-updated'),
    ).toMatchObject({
      'account-request-id': 'r',
      status: 'pending',
      'review-stage': 'information-requested',
      missing: ['document'],
      issues: ['document-quality'],
      'information-due-at': AT,
    });
    const provided = (remaining: Pick<contracts.InformationProvided['data'], 'remaining'>) =>
      new contracts.InformationProvided({
        ...about,
        holder: { address: null, document: null },
        representative: { address: null, document: null, powerOfAttorneyFileId: null },
        liveness: null,
        otherFileIds: ['file'],
        note: null,
        ...remaining,
        providedAt: AT,
      });
    const part = provided({ remaining: { items: ['document'], issues: ['data-mismatch'], dueAt: AT } });
    expect(payload(published('accountRequest-r', requested, part), 'account-request-updated')).toMatchObject({
      status: 'pending',
      'review-stage': 'information-requested',
      missing: ['document'],
      issues: ['data-mismatch'],
      'information-due-at': AT,
    });
    // The arrival of the last item is reported once, by the screening that starts with it.
    const all = published('accountRequest-r', requested, informationRequested, part, provided({}), screening);
    expect(summaries(all).filter(([audience]) => audience === 'partner')).toEqual([
      ['partner', 'account-request-updated', 1, 'pending'],
      ['partner', 'account-request-updated', 2, 'pending'],
      ['partner', 'account-request-updated', 3, 'pending'],
    ]);
    expect(
      published('accountRequest-r', new contracts.AccountRequestAbandoned({ requestId: 'r', abandonedAt: AT })),
    ).toEqual([]);
  });
});
