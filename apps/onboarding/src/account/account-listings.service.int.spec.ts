import * as contracts from '@ponte/contracts';
import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import { eventually, rebuiltRows, shownRows } from '@ponte/testing';
import { ONBOARDING_REBUILDABLE } from '../onboarding.read-models';
import { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { cpfOf, openParent, post, requestFor } from '../testing/people';

const APPROVED = cpfOf(900_000_011);
const REJECTED = cpfOf(901_000_012);
const FIRST_PAGE = { limit: 50, cursor: null, createdFrom: null, createdTo: null };

let onboarding: OnboardingUnderTest;
beforeAll(async () => {
  onboarding = await OnboardingUnderTest.start({ dueEveryMs: 20 });
});
afterAll(() => onboarding.stop());

const listed = async (accountId: string) =>
  (await onboarding.ask(contracts.ListAccounts, { accountId, page: FIRST_PAGE })).items;
const listing = (accountId: string) => onboarding.ask(contracts.GetAccountListing, { accountId });
const statusOf = async (accountId: string) => (await listing(accountId))?.status;

describe('An account that is being created', () => {
  it('is listed and readable from the first response on, with the status of its request until that is active', async () => {
    const parentId = await openParent(onboarding);
    onboarding.vendors.walletsDown = true;
    const { request } = await post(
      onboarding,
      parentId,
      await requestFor(onboarding, parentId, APPROVED, { externalId: 'customer-9' }),
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
    // The account is opened but has no wallets yet: for its parent it is not active before the request is.
    await eventually(async () => expect(await statusOf(request.accountId)).toBe('provisioning-failed'));
    expect((await listed(parentId))[1]).toMatchObject({ accountId: request.accountId, status: 'provisioning-failed' });
    onboarding.vendors.walletsDown = false;
    onboarding.advance(600_000);
    await eventually(async () => expect(await listing(request.accountId)).toEqual({ ...first, status: 'active' }));
    expect(await listed(parentId)).toEqual([
      expect.objectContaining({ accountId: parentId }),
      { ...first, status: 'active' },
    ]);
    await onboarding.ask(contracts.FreezeAccountAutomatically, {
      accountId: request.accountId,
      reason: 'compliance',
      evidence: 'case 1',
    });
    expect(await statusOf(request.accountId)).toBe('frozen');
  });

  it('is rejected when its request is, and does not exist for other services', async () => {
    const parentId = await openParent(onboarding);
    const {
      request: { accountId },
    } = await post(onboarding, parentId, await requestFor(onboarding, parentId, REJECTED));
    await eventually(async () => expect(await statusOf(accountId)).toBe('rejected'));
    expect((await listed(parentId)).map(({ status }) => status)).toEqual(['active', 'rejected']);
    expect(await onboarding.ask(contracts.GetAccount, { accountId })).toBeNull();
    expect(
      (await onboarding.ask(contracts.ListAllAccounts, { page: FIRST_PAGE })).items.map((one) => one.accountId),
    ).not.toContain(accountId);
  });

  it('is left out of the list of partners when it is opened', async () => {
    const parentId = await openParent(onboarding);
    const { request } = await post(onboarding, parentId, await requestFor(onboarding, parentId, APPROVED));
    await eventually(async () => expect(await statusOf(request.accountId)).toBe('active'));
    const { items } = await onboarding.ask(contracts.ListAllAccounts, { page: FIRST_PAGE, onlyPartners: true });
    const ids = items.map(({ accountId }) => accountId);
    expect([ids.includes(parentId), ids.includes(request.accountId)]).toEqual([true, false]);
  });

  it('is shown only to a parent with manage-holders; other accounts list only themselves', async () => {
    const parentId = await openParent(onboarding);
    await post(onboarding, parentId, await requestFor(onboarding, parentId, cpfOf(111_222_001)));
    expect(await listed(parentId)).toHaveLength(2);
    await onboarding.ask(contracts.ChangeCapabilities, { accountId: parentId, grant: [], revoke: ['manage-holders'] });
    expect((await listed(parentId)).map(({ accountId }) => accountId)).toEqual([parentId]);
    const after = {
      ...FIRST_PAGE,
      cursor: { createdAt: '9999-12-31T23:59:59.999Z', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' },
    };
    expect(await onboarding.ask(contracts.ListAccounts, { accountId: parentId, page: after })).toEqual({
      items: [],
      next: null,
    });
  });

  it('is also in the read model that is built from the log', () => {
    expect(ONBOARDING_REBUILDABLE.find(({ tables }) => tables.includes('onboarding_accounts'))?.categories).toEqual([
      'account',
      'accountRequest',
    ]);
  });

  // Without the reservations: a rebuild opens those again that the sweep settled without an event.
  it('has the same rows after a rebuild as after the commands, like requests and files', async () => {
    const db = openSqliteReadModels<unknown>(':memory:');
    await eventually(async () => {
      const tables = ['onboarding_accounts', 'onboarding_account_requests', 'onboarding_evidence_files'];
      const shown = await shownRows(onboarding.engines.readModels, tables);
      expect(shown['onboarding_accounts']).not.toEqual([]);
      expect(shown['onboarding_account_requests']).not.toEqual([]);
      expect(await rebuiltRows(ONBOARDING_REBUILDABLE, db, onboarding.engines.store)).toMatchObject(shown);
    });
    await db.destroy();
  });
});
