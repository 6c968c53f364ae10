import * as contracts from '@ponte/contracts';
import { Refusal, Unavailable } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import type { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { ANALYST, bySelf, OPERATOR, post, requestFor } from '../testing/people';
import { requestsOf, startWithPartner } from '../testing/requests';
import { closingOf, MINUTE_MS } from './closing.testing';

const YEAR_MS = 366 * 86_400_000;
const EXTERNAL = `0x${'e1'.repeat(20)}`;

let onboarding: OnboardingUnderTest;
let parentId: string;

beforeAll(async () => {
  ({ onboarding, parentId } = await startWithPartner({ dueEveryMs: 50 }));
});
afterAll(() => onboarding.stop());
beforeEach(() => onboarding.vendors.money.clear());

const { nextCpf, until, report, erase } = requestsOf(() => ({ onboarding, parentId }));
const APPROVED = 900;

/** An active account of a person, by a request that the sandbox approves. */
async function account(cpf = nextCpf(APPROVED), externalWallets: string[] = []) {
  const change = { externalWallets: externalWallets.map((address) => bySelf(address)) };
  const { request } = await post(onboarding, parentId, await requestFor(onboarding, parentId, cpf, change));
  await until(request.requestId, 'active');
  return { cpf, requestId: request.requestId, accountId: request.accountId };
}

const messages = (refused: Promise<unknown>): Promise<string[]> =>
  refused.then(
    () => ['accepted'],
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      return error.violations.map(({ code, message }) => `${code}: ${message}`);
    },
  );
const { freeze, requestClosing, confirmClosing, close } = closingOf(() => onboarding);
const statusOf = async (accountId: string) => (await onboarding.ask(contracts.GetAccount, { accountId }))?.status;

it('two staff members close a frozen account, its evidence is sealed under the holder, and the lists show it', async () => {
  const { accountId } = await account();
  expect(await messages(requestClosing(accountId))).toEqual([
    'account-not-frozen: freeze the account before you close it',
  ]);
  await freeze(accountId);
  const { pending } = await requestClosing(accountId);
  expect(pending).toMatchObject({ request: 2, step: 'close', reason: 'holder-request' });
  expect(await messages(confirmClosing(accountId, 2))).toEqual([
    expect.stringContaining('account-in-use: what began before the freeze may still be arriving; confirm after '),
  ]);
  onboarding.advance(MINUTE_MS);
  const standing = await confirmClosing(accountId, 2);
  expect(standing).toMatchObject({ account: { status: 'closed' }, pending: null });
  expect(JSON.stringify(await onboarding.events())).not.toContain('letter of the holder');
  const page = { limit: 50, cursor: null, createdFrom: null, createdTo: null };
  const { items } = await onboarding.ask(contracts.ListAccounts, { accountId: parentId, page });
  expect(items.find((one) => one.accountId === accountId)?.status).toBe('closed');
  const frozen = await onboarding.ask(contracts.ListFrozenAccounts, { page });
  expect(frozen.items.map((one) => one.accountId)).not.toContain(accountId);
});

it('everything that an account has open is named, and prevents both steps', async () => {
  const { accountId } = await account();
  await freeze(accountId);
  onboarding.advance(MINUTE_MS);
  const { pending } = await requestClosing(accountId);
  const { money } = onboarding.vendors;
  money.balances.set(accountId, {
    'fiat/brl': { running: '-3.00', held: '0.00' },
    'eth-base/usdc': { running: '10.000000', held: '4.000000' },
  });
  money.add(accountId, contracts.ListOrders, 'o1', 'processing');
  money.add(accountId, contracts.ListOrders, 'o2', 'completed');
  money.add(accountId, contracts.ListDeposits, 'd1', 'confirmed');
  money.add(accountId, contracts.ListDueReturns, 'd2', 'due');
  money.add(accountId, contracts.ListWithdrawals, 'w1', 'created');
  money.add(accountId, contracts.ListTransfers, 't1', 'pending');
  money.add(accountId, contracts.ListNftTransfers, 'n1', 'created');
  money.add(accountId, contracts.ListCertificates, 'c1', 'active');
  money.add('another', contracts.ListOrders, 'o3', 'processing');
  money.add(money.walletOf(accountId), contracts.ListAllTransfers, 't2', 'pending');
  money.add(money.walletOf(accountId), contracts.ListAllNftTransfers, 'n2', 'created');
  money.add(money.walletOf(accountId), contracts.ListWithdrawalsTo, 'w2', 'processing');
  const open = [
    'account-in-use: the balance of fiat/brl is -3.00, of which 0.00 is held',
    'account-in-use: the balance of eth-base/usdc is 10.000000, of which 4.000000 is held',
    'account-in-use: order o1 is processing',
    'account-in-use: deposit d1 is confirmed',
    'account-in-use: return of deposit d2 is due',
    'account-in-use: withdrawal w1 is created',
    'account-in-use: transfer t1 is pending',
    'account-in-use: NFT transfer n1 is created',
    'account-in-use: incoming transfer t2 is pending',
    'account-in-use: incoming withdrawal w2 is processing',
    'account-in-use: incoming NFT transfer n2 is created',
    'account-in-use: reward certificate c1 is active',
  ];
  expect((await messages(confirmClosing(accountId, pending?.request ?? 0))).sort()).toEqual([...open].sort());
  expect(await statusOf(accountId)).toBe('frozen');
  money.clear();
  await confirmClosing(accountId, pending?.request ?? 0);
  expect(await statusOf(accountId)).toBe('closed');
});

it('nothing is written while a service does not answer, and a repeated confirmation needs no other service', async () => {
  const { accountId } = await account();
  await freeze(accountId);
  onboarding.advance(MINUTE_MS);
  const { pending } = await requestClosing(accountId);
  const { money } = onboarding.vendors;
  money.isDown = true;
  await expect(confirmClosing(accountId, pending?.request ?? 0)).rejects.toBeInstanceOf(Unavailable);
  expect(await statusOf(accountId)).toBe('frozen');
  money.isDown = false;
  await confirmClosing(accountId, pending?.request ?? 0);
  money.isDown = true;
  expect(await confirmClosing(accountId, pending?.request ?? 0)).toMatchObject({ account: { status: 'closed' } });
});

it('a partner is closed after its sub-accounts', async () => {
  const ours = await startWithPartner({ dueEveryMs: 50 });
  try {
    const child = requestsOf(() => ours);
    const { requestId, accountId } = await child.made({}, child.nextCpf(APPROVED));
    await child.until(requestId, 'active');
    const ask = async () =>
      ours.onboarding.ask(contracts.RequestAccountClosing, {
        ...{ accountId: ours.parentId, staff: ANALYST, reason: 'partner-request' },
        evidence: await contracts.sealRequest(ours.onboarding.engines.personalData, { secret: 'x' }),
      });
    await ours.onboarding.ask(contracts.FreezeAccountAutomatically, {
      ...{ accountId: ours.parentId, reason: 'compliance', evidence: 'none' },
    });
    await eventually(async () =>
      expect(await messages(ask())).toEqual([`account-in-use: sub-account ${accountId} is active`]),
    );
  } finally {
    await ours.onboarding.stop();
  }
});

it('the holder of a closed account can be onboarded again, with the same wallet and a new account', async () => {
  const { cpf, requestId, accountId } = await account(nextCpf(APPROVED), [EXTERNAL]);
  const again = () => account(cpf, [EXTERNAL]);
  expect((await again()).accountId).toBe(accountId);
  await close(accountId);
  await eventually(async () => expect((await again()).accountId).not.toBe(accountId));
  const second = await again();
  expect(second.requestId).not.toBe(requestId);
  expect([await statusOf(accountId), await statusOf(second.accountId)]).toEqual(['closed', 'active']);
  // The request of the closed account stays as it ended.
  expect((await onboarding.ask(contracts.GetAccountRequest, { parentId, requestId }))?.status).toBe('active');
});

it('the retention of the records begins with the closing, after which the holder can be erased', async () => {
  const { requestId, accountId } = await account();
  await eventually(async () =>
    expect((await report(requestId))?.holdings.map(({ kind, retainedUntil }) => [kind, retainedUntil])).toEqual(
      expect.arrayContaining([
        ['account', null],
        ['account-request', null],
      ]),
    ),
  );
  const closedAt = onboarding.engines.clock.now() + MINUTE_MS;
  await close(accountId);
  await eventually(async () => {
    const ends = (await report(requestId))?.holdings.map(({ retainedUntil }) => retainedUntil) ?? [];
    expect(ends).not.toContain(null);
    expect(new Set(ends).size).toBe(1);
    expect(Date.parse(String(ends[0])) - closedAt).toBeGreaterThan(9.9 * 365 * 86_400_000);
  });
  expect(await erase(requestId)).toMatchObject({ outcome: 'restricted' });
  onboarding.advance(10 * YEAR_MS);
  expect(await erase(requestId)).toMatchObject({ outcome: 'erased' });
});

it('an automatic freeze leaves a closed account closed and is not alerted again', async () => {
  const { accountId } = await account();
  await close(accountId);
  const payload = { accountId, reason: 'pix-taken-back', evidence: 'deposit 1' } as const;
  expect((await onboarding.ask(contracts.FreezeAccountAutomatically, payload)).status).toBe('closed');
  // Its address is not screened either: staff would review it for nothing.
  onboarding.vendors.addresses.set(EXTERNAL, 'waits');
  const whitelist = { accountId, address: EXTERNAL, fx: false, source: 'operator' } as const;
  expect(await messages(onboarding.ask(contracts.WhitelistWallet, whitelist))).toEqual([
    'account-not-active: the account is closed',
  ]);
  expect(await messages(requestClosing(accountId, OPERATOR))).toEqual([expect.stringMatching(/^role-not-allowed/)]);
});
