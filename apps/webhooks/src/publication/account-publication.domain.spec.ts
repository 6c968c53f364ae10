import * as contracts from '@ponte/contracts';
import { AT, summaries, payload, published } from './published.testing';

describe('the webhooks of an account', () => {
  const evidence = 'sealed:v1:p:1' as const;
  const opened = new contracts.AccountOpened({
    accountId: 'child',
    parentId: 'partner',
    alias: 'Account 1',
    externalId: null,
    onboardingMode: null,
    capabilities: [],
    holderId: 'p',
    legalName: evidence,
    taxId: evidence,
    taxIdFingerprint: 'f',
    openedAt: AT,
  });
  const byStaff = { accountId: 'child', evidence, requestedBy: 'a', confirmedBy: 'b' } as const;
  const frozen = new contracts.AccountFrozen({ ...byStaff, reason: 'sanctions', frozenAt: AT });
  const released = new contracts.AccountReleased({ ...byStaff, reason: 'resolved', releasedAt: AT });
  const closed = new contracts.AccountClosed({ ...byStaff, reason: 'holder-request', closedAt: AT });

  it('report that it was frozen, released and closed, to the account and its parent, without the reason', () => {
    const reported = published('account-child', opened, frozen, released, frozen, closed);
    const to = (audience: string) => summaries(reported).filter(([to]) => to === audience);
    expect(to('partner')).toEqual([
      ['partner', 'account-updated', 1, 'active'],
      ['partner', 'account-updated', 2, 'frozen'],
      ['partner', 'account-updated', 3, 'active'],
      ['partner', 'account-updated', 4, 'frozen'],
    ]);
    expect(to('child')).toHaveLength(4);
    expect(reported.map(({ envelope }) => envelope.payload['status'])).toEqual(
      ['frozen', 'active', 'frozen', 'closed'].flatMap((status) => [status, status]),
    );
    expect(reported[0]?.envelope).toMatchObject({ resourceType: 'account', resourceId: 'child' });
    expect(payload(reported, 'account-updated')).toEqual({ 'account-id': 'child', status: 'frozen', 'updated-at': AT });
  });

  it('do not report a further reason for which it is frozen', () => {
    const again = new contracts.AccountFrozen({ ...frozen.data, reason: 'fraud-suspected' });
    expect(published('account-child', opened, frozen, again)).toHaveLength(2);
  });
});
