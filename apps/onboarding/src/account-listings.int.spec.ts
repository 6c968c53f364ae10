import * as contracts from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { ONBOARDING_VIEWS } from './adapters/rebuild';
import { OnboardingUnderTest } from './testing/onboarding-under-test';
import { cpfOf, openParent, post, somebody } from './testing/people';

const APPROVED = cpfOf(900_000_011);
const REJECTED = cpfOf(901_000_012);
const FIRST_PAGE = { limit: 50, cursor: null, createdFrom: null, createdTo: null };

let test: OnboardingUnderTest;
beforeAll(async () => {
  test = await OnboardingUnderTest.start({ dueEveryMs: 20 });
});
afterAll(() => test.stop());

const listed = async (accountId: string) =>
  (await test.ask(contracts.ListAccounts, { accountId, page: FIRST_PAGE })).items;
const listing = (accountId: string) => test.ask(contracts.GetAccountListing, { accountId });
const statusOf = async (accountId: string) => (await listing(accountId))?.status;

describe('an account that is being created', () => {
  it('is listed and read from the first response on, with the status of its request until that is active', async () => {
    const parentId = await openParent(test);
    test.vendors.walletsDown = true;
    const { request } = await post(
      test,
      parentId,
      await somebody(test, parentId, APPROVED, { externalId: 'customer-9' }),
    );
    const first = await listing(request.accountId);
    expect(first).toEqual({
      accountId: request.accountId,
      parentId,
      alias: `Account ${request.requestId.slice(0, 8)}`,
      status: 'pending',
      externalId: 'customer-9',
      createdAt: request.createdAt,
    });
    expect(await listed(parentId)).toEqual([expect.objectContaining({ accountId: parentId, status: 'active' }), first]);
    // Opened, but not yet with wallets: for its parent it is not active before the request is.
    await eventually(async () => expect(await statusOf(request.accountId)).toBe('provisioning-failed'));
    expect((await listed(parentId))[1]).toMatchObject({ accountId: request.accountId, status: 'provisioning-failed' });
    test.vendors.walletsDown = false;
    test.advance(600_000);
    await eventually(async () => expect(await listing(request.accountId)).toEqual({ ...first, status: 'active' }));
    expect(await listed(parentId)).toEqual([
      expect.objectContaining({ accountId: parentId }),
      { ...first, status: 'active' },
    ]);
    await test.ask(contracts.FreezeAccountAutomatically, {
      accountId: request.accountId,
      reason: 'compliance',
      evidence: 'case 1',
    });
    expect(await statusOf(request.accountId)).toBe('frozen');
  });

  it('is rejected when its request is, and is no account for the other services', async () => {
    const parentId = await openParent(test);
    const {
      request: { accountId },
    } = await post(test, parentId, await somebody(test, parentId, REJECTED));
    await eventually(async () => expect(await statusOf(accountId)).toBe('rejected'));
    expect((await listed(parentId)).map(({ status }) => status)).toEqual(['active', 'rejected']);
    expect(await test.ask(contracts.GetAccount, { accountId })).toBeNull();
    expect(
      (await test.ask(contracts.ListAllAccounts, { page: FIRST_PAGE })).items.map((one) => one.accountId),
    ).not.toContain(accountId);
  });

  it('is shown to a parent with manage-holders alone; others list their own record', async () => {
    const parentId = await openParent(test);
    await post(test, parentId, await somebody(test, parentId, cpfOf(111_222_001)));
    expect(await listed(parentId)).toHaveLength(2);
    await test.ask(contracts.ChangeCapabilities, { accountId: parentId, grant: [], revoke: ['manage-holders'] });
    expect((await listed(parentId)).map(({ accountId }) => accountId)).toEqual([parentId]);
    const after = {
      ...FIRST_PAGE,
      cursor: { createdAt: '9999-12-31T23:59:59.999Z', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' },
    };
    expect(await test.ask(contracts.ListAccounts, { accountId: parentId, page: after })).toEqual({
      items: [],
      next: null,
    });
  });

  it('is in the view that is made from the log, too', () => {
    expect(ONBOARDING_VIEWS.find(({ tables }) => tables.includes('onboarding_accounts'))?.categories).toEqual([
      'account',
      'accountRequest',
    ]);
  });
});
