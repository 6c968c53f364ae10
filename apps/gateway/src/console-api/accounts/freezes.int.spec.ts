import 'reflect-metadata';
import * as contracts from '@ponte/contracts';
import { Refusal, Unavailable } from '@ponte/kernel';
import { STAFF } from '../../testing/staff-members';
import { queueItem } from '../../testing/queue-items';
import { PARTNER } from '../../testing/accounts';
import { SAMPLE } from '../../api/samples';
import { codeOf } from '../../testing/use-gateway';
import { ONE, as, lastRequest, gateway, useSignedInStaff } from '../testing/staff-requests';

useSignedInStaff();

describe('the routes of freezes and address reviews', () => {
  it('record the staff member, seal the evidence for the service, and show evidence, members and the pending step', async () => {
    const answer = await as('analyst', `/staff/v1/accounts/${PARTNER}/freeze`, {
      reason: 'sanctions',
      evidence: 'Canary evidence',
    });
    const { payload } = lastRequest(contracts.RequestAccountFreeze) ?? {};
    expect(payload).toMatchObject({
      accountId: PARTNER,
      staff: { staffId: STAFF.analyst.staffId, roles: ['compliance-analyst'] },
      reason: 'sanctions',
    });
    expect(JSON.stringify(payload)).not.toContain('Canary');
    expect(answer.json() as object).toMatchObject({
      account: {
        status: 'frozen',
        pending: { step: 'release', evidence: 'Canary evidence', 'requested-by': { name: 'analyst' } },
        freezes: [{ reason: 'pix-taken-back', 'requested-by': null }],
      },
    });
    for (const step of ['freeze', 'release'])
      expect(codeOf(await as('analyst', `/staff/v1/accounts/${PARTNER}/${step}/confirm`, { request: 2 }))).toBe(
        '403 role-not-allowed',
      );
    expect(
      codeOf(await as('analyst', `/staff/v1/accounts/${PARTNER}/freeze`, { reason: 'resolved', evidence: 'x' })),
    ).toBe('400 invalid-enum-value');
    expect(codeOf(await as('analyst', `/staff/v1/accounts/${PARTNER}/freeze`, { reason: 'sanctions' }))).toBe(
      '400 missing-field',
    );
  });

  it('list accounts with the step that waits, and since when', async () => {
    const listed = await as('auditor', '/staff/v1/frozen-accounts');
    expect(listed.json() as object).toMatchObject({
      accounts: [{ status: 'frozen', 'pending-step': 'release', 'pending-since': SAMPLE.time }],
    });
  });

  it('show the evidence only with a purpose, which is passed on with the staff member', async () => {
    const standing = `/staff/v1/accounts/${PARTNER}/standing`;
    const unopened = await as('auditor', standing);
    expect(unopened.json() as object).toMatchObject({ account: { pending: { request: 2 } } });
    expect(unopened.body).not.toContain('evidence');
    expect(lastRequest(contracts.OpenAccountStanding)).toBeUndefined();
    const opened = await as('auditor', `${standing}?purpose=audit`);
    expect(opened.json() as object).toMatchObject({ account: { pending: { evidence: 'Canary evidence' } } });
    expect(lastRequest(contracts.OpenAccountStanding)?.payload).toMatchObject({
      accountId: PARTNER,
      staff: { staffId: STAFF.auditor.staffId, roles: ['auditor'] },
      purpose: 'audit',
    });
    expect(codeOf(await as('auditor', `${standing}?purpose=curiosity`))).toBe('400 invalid-enum-value');
    expect(codeOf(await as('operator', `${standing}?purpose=review`))).toBe('403 role-not-allowed');
  });

  it('pass on what a closing writes off, refuse what is no amount of an asset, and show it while it is pending', async () => {
    const close = (writeOff?: unknown) =>
      as('analyst', `/staff/v1/accounts/${PARTNER}/close`, {
        ...{ reason: 'holder-request', evidence: 'Ticket 4712' },
        ...(writeOff === undefined ? {} : { 'write-off': writeOff }),
      });
    await close();
    expect(lastRequest(contracts.RequestAccountClosing)?.payload).not.toHaveProperty('writeOff');
    const left = [{ asset: 'fiat/brl', amount: '0.01' }];
    expect((await close(left)).json() as object).toMatchObject({
      account: { pending: { step: 'close', 'write-off': left } },
    });
    expect(lastRequest(contracts.RequestAccountClosing)?.payload).toMatchObject({
      reason: 'holder-request',
      writeOff: left,
    });
    expect(codeOf(await close([{ asset: 'fiat/eur', amount: '0.01' }]))).toBe('400 invalid-enum-value');
    expect(codeOf(await close([{ asset: 'fiat/brl', amount: 0.01 }]))).toBe('400 amount-must-be-string');
    expect(codeOf(await close([{ asset: 'fiat/brl' }]))).toBe('400 missing-field');
  });

  it('pass on the number of the request that was read, and refuse a decision without one', async () => {
    for (const [path, definition] of [
      ['freeze/confirm', contracts.ConfirmAccountFreeze],
      ['release/confirm', contracts.ConfirmAccountRelease],
      ['freeze-request/close', contracts.CloseFreezeRequest],
    ] as const) {
      const answer = await as('approver', `/staff/v1/accounts/${PARTNER}/${path}`, { request: 2 });
      expect(answer.json() as object).toMatchObject({ account: { pending: { request: 2 } } });
      expect(lastRequest(definition)?.payload).toMatchObject({ accountId: PARTNER, request: 2 });
      for (const body of [{}, { request: '2' }, { request: 1.5 }])
        expect(codeOf(await as('approver', `/staff/v1/accounts/${PARTNER}/${path}`, body))).toMatch(
          /^400 (missing-field|invalid-type)$/,
        );
    }
  });

  it('show the true matches of an account and who decided them, and the account without matches while the ledger is down', async () => {
    const match = {
      reviewId: SAMPLE.withdrawalId,
      subject: { kind: 'transfer' as const, id: SAMPLE.orderId },
      accountId: PARTNER,
      address: SAMPLE.wallet,
      chain: 'eth-base' as const,
      reason: await gateway.engines.personalData.seal(SAMPLE.endpointId, 'Ticket 4711'),
      staffId: STAFF.approver.staffId,
      decidedAt: SAMPLE.time,
    };
    const standing = async (query = '') =>
      (
        (await as('auditor', `/staff/v1/accounts/${PARTNER}/standing${query}`)).json() as {
          account: Record<string, unknown>;
        }
      ).account;
    gateway.bus.on(contracts.ListAddressMatches, () => ({ matches: [match], total: 51 }));
    expect(JSON.stringify(await standing())).not.toContain('Ticket 4711');
    expect(await standing('?purpose=audit')).toMatchObject({
      'address-matches': [
        {
          'review-id': SAMPLE.withdrawalId,
          subject: 'transfer',
          'subject-id': SAMPLE.orderId,
          address: SAMPLE.wallet,
          chain: 'eth-base',
          reason: 'Ticket 4711',
          'decided-by': { id: STAFF.approver.staffId, name: 'approver' },
          'decided-at': SAMPLE.time,
        },
      ],
      'address-match-count': 51,
    });
    expect(lastRequest(contracts.ListAddressMatches)?.payload).toEqual({ accountId: PARTNER });
    expect(lastRequest(contracts.OpenAccountStanding)?.payload).toMatchObject({ purpose: 'audit', showsReasons: true });
    gateway.bus.on(contracts.ListAddressMatches, () => {
      throw new Unavailable('service-unavailable');
    });
    const without = await standing();
    expect([without['status'], 'address-matches' in without, 'address-match-count' in without]).toEqual([
      'frozen',
      false,
      false,
    ]);
    gateway.bus.on(contracts.ListAddressMatches, () => ({ matches: [], total: 0 }));
    expect(await standing()).toMatchObject({ 'address-matches': [], 'address-match-count': 0 });
  });

  it('list the queue without a query, or pages by account and verdict with a cursor bound to both', async () => {
    const list = '/staff/v1/address-reviews';
    const before = gateway.bus.requestsOf(contracts.SearchAddressReviews).length;
    expect((await as('operator', list)).headers['x-next-cursor']).toBeUndefined();
    expect(gateway.bus.requestsOf(contracts.SearchAddressReviews)).toHaveLength(before);
    const filtered = `${list}?account-id=${PARTNER}&verdict=true-match`;
    const answer = await as('operator', filtered);
    expect(lastRequest(contracts.SearchAddressReviews)?.payload).toMatchObject({
      filters: { accountId: PARTNER, verdict: 'true-match' },
      page: { limit: 50, cursor: null },
    });
    const cursor = String(answer.headers['x-next-cursor']);
    expect(codeOf(await as('operator', `${filtered}&cursor=${cursor}`))).toBe('200');
    expect(codeOf(await as('operator', `${list}?verdict=true-match&cursor=${cursor}`))).toBe('400 invalid-cursor');
    expect(codeOf(await as('operator', `${list}?verdict=maybe`))).toBe('400 invalid-enum-value');
    expect(codeOf(await as('operator', `${list}?account-id=none`))).toBe('400 invalid-format');
  });

  it.each([
    'review-not-open',
    'review-claimed',
    'second-approver-required',
    'review-changed',
    'screening-verdict-required',
    'true-match-found',
  ] as const)('refuse a decision that is late or not allowed with %s', async (code) => {
    gateway.bus.on(contracts.ApproveReview, () => {
      throw new Refusal([{ code, path: 'id', message: 'no' }]);
    });
    expect(codeOf(await as('approver', `${ONE}/approve`, { version: 7 }))).toBe(`422 ${code}`);
    gateway.bus.on(contracts.ApproveReview, ({ requestId }) =>
      queueItem({ requestId, status: 'approved', reviewStage: null }),
    );
  });
});
