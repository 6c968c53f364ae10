import type { DomainEvent, Recorded } from '@ponte/event-sourcing';
import * as contracts from '../..';

describe('the topic compliance.reviews (requested, claimed, decided, escalated)', () => {
  const AT = '2026-11-21T12:00:00.000Z';
  const about = { requestId: 'r', accountId: 'a', parentId: 'p' };
  const shown = { 'request-id': 'r', 'account-id': 'a', 'parent-id': 'p' };
  const note = 'sealed:v1:p:what-staff-wrote' as const;
  const recorded = ({ type, data }: DomainEvent, revision = 7): Recorded => ({
    id: `id-${type}`,
    stream: 'accountRequest-r',
    revision,
    position: '41',
    type,
    version: 1,
    data,
    meta: { commandId: 'c', index: 0, count: 1, occurredAt: AT, correlationId: 'k', causationId: 'e', actor: 's' },
  });

  it.each([
    [
      'compliance.review.requested',
      new contracts.ReviewRequested({
        ...about,
        causes: ['standard'],
        fourEyes: true,
        rewardTier: 97,
        requestedAt: AT,
      }),
      { ...shown, causes: ['standard'], 'four-eyes': true, 'reward-tier': 97, 'requested-at': AT },
    ],
    [
      'compliance.review.claimed',
      new contracts.ReviewClaimed({ ...about, staffId: 's', claimedAt: AT }),
      { ...shown, 'staff-id': 's', 'claimed-at': AT },
    ],
    [
      'compliance.review.released',
      new contracts.ReviewReleased({ ...about, staffId: 's', releasedAt: AT }),
      { ...shown, 'staff-id': 's', 'released-at': AT },
    ],
    [
      'compliance.review.escalated',
      new contracts.ReviewEscalated({ ...about, staffId: 's', note, escalatedAt: AT }),
      { ...shown, 'staff-id': 's', 'escalated-at': AT },
    ],
    [
      'compliance.review.decided',
      new contracts.ReviewDecided({ ...about, decision: 'reject', final: true, staffId: null, note, decidedAt: AT }),
      { ...shown, decision: 'reject', final: true, 'staff-id': null, 'decided-at': AT },
    ],
  ])(
    'has %s with the request id as its key and the id of the stored event, without sealed fields',
    (type, fact, data) => {
      expect(contracts.reviewNotice(recorded(fact))).toEqual({
        key: 'r',
        event: {
          specversion: '1.0',
          id: `id-${fact.type}`,
          source: '/ponte/onboarding',
          type,
          subject: 'r',
          time: AT,
          datacontenttype: 'application/json',
          revision: 7,
          data,
        },
      });
      expect(JSON.stringify(contracts.reviewNotice(recorded(fact)))).not.toContain('sealed');
    },
  );

  it('has no other event of a request, and an event of an unknown version stops the relay instead of being lost', () => {
    const others = contracts.ACCOUNT_REQUEST_EVENTS.filter(({ type }) => !type.startsWith('Review'));
    expect(others).toHaveLength(21);
    for (const { type } of others) expect(contracts.reviewNotice(recorded({ type, data: about }))).toBeNull();
    expect(contracts.reviewNotice(recorded({ type: 'toString', data: {} }))).toBeNull();
    expect(() => contracts.reviewNotice({ ...recorded({ type: 'ReviewClaimed', data: about }), version: 2 })).toThrow(
      'not known',
    );
  });
});
