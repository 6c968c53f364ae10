import 'reflect-metadata';
import type { Hold, TokenMovementPurpose } from '@ponte/contracts';
import { CheckTokenMovement, ProvisionWallets, RequestTokenMovement, ResolveWallet } from '@ponte/contracts';
import { Unavailable, derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import { ASSET, OUTSIDE, TwoWallets, movementId, usdc } from '../testing/two-wallets';

const { open } = movementsForEachTest();

let account: TwoWallets;
beforeEach(async () => {
  // The chain mines only on request.
  account = await TwoWallets.of(await open({ instant: false }).start());
});
afterEach(() => jest.restoreAllMocks());

/** The wallets of the withdrawals' transactions, in their order. */
const chosen = () =>
  account.movements.ofType('TransactionIntended').map(({ data }) => {
    const { walletIds } = (data as { purpose: TokenMovementPurpose }).purpose;
    return walletIds.map((id) => (id === account.main.id ? 'main' : 'savings')).join(' ');
  });
const leave = (...balances: number[]) =>
  eventually(async () => {
    account.movements.base.mine();
    expect(await account.balances()).toEqual(balances);
  });
const isAccepted = async (amount: number, own = 'new', holds?: readonly Hold[] | null) => {
  const { accountId, movements } = account;
  const tokens = { asset: ASSET, amount: usdc(amount) } as const;
  const query = { accountId, ...tokens, destination: OUTSIDE, movementId: movementId(own), holds };
  const { violations } = await movements.bus.request(CheckTokenMovement, query, movements.context());
  return violations.map(({ code, path }) => `${code} ${path}`);
};

describe('A withdrawal of tokens', () => {
  it('leaves what an accepted order will take, which then completes', async () => {
    account.promise('order', 2);
    account.withdraw('payout', 4);
    await account.send('payout', 4);
    await leave(3, 1);
    await account.settle('order', 2);
    await leave(1, 1);
    await account.reaches('order', 'completed');
  });

  it('takes tokens from the oldest wallet first if no other request needs them', async () => {
    account.promise('order', 1);
    account.withdraw('payout', 2);
    await account.send('payout', 2);
    expect(chosen()).toEqual(['main savings']);
    await leave(1, 5);
  });

  it('takes promised tokens only if there are no others, and is still sent', async () => {
    account.promise('order', 2);
    account.promise('transfer', 3, account.savings, 'transfer');
    account.withdraw('payout', 3);
    await account.send('payout', 3);
    expect(chosen()).toEqual(['savings main']);
    await leave(3, 2);
  });

  it('leaves what an earlier withdrawal will take', async () => {
    account.withdraw('first', 3);
    account.withdraw('second', 5);
    await account.send('second', 5);
    await account.send('first', 3);
    expect(chosen()).toEqual(['savings main', 'main savings']);
    await leave(0, 0);
  });

  it('keeps the wallets of its transaction when it is requested again after a restart', async () => {
    account.promise('order', 2);
    account.withdraw('payout', 4);
    await account.send('payout', 4);
    account.holds = account.holds.slice(1);
    await account.restart();
    await account.send('payout', 4);
    expect(chosen()).toEqual(['savings main']);
    await leave(3, 1);
  });

  it('keeps the wallets of its transaction if the process ends as soon as they are recorded', async () => {
    account.promise('order', 2);
    account.withdraw('payout', 4);
    const { struck } = account.movements.store.faults.next({
      kind: 'crash-after-append',
      match: (_, events) => events.some(({ type }) => type === 'TransactionIntended'),
    });
    await Promise.allSettled([account.send('payout', 4)]);
    await struck;
    account.holds = account.holds.slice(1);
    await account.restart();
    await account.send('payout', 4);
    expect(chosen()).toEqual(['savings main']);
    await leave(3, 1);
  });

  it('is visible to later requests in the wallets that it will take from, before and after it is sent', async () => {
    account.promise('order', 2);
    account.withdraw('payout', 4);
    const left = async () => [await account.payer(1, account.main), await account.payer(2, account.savings)];
    const expected = [
      ['main', [1, 2]],
      [null, undefined],
    ];
    expect(await left()).toEqual(expected);
    await account.send('payout', 4);
    expect(await left()).toEqual(expected);
    await leave(3, 1);
    expect(await left()).toEqual(expected);
  });
});

it('What a wallet can pay for an order is reported with the holds of all withdrawals', async () => {
  account.promise('order', 2);
  account.withdraw('first', 1);
  account.withdraw('second', 2);
  const { accountId, movements, savings } = account;
  const about = { accountId, chain: 'eth-base', address: savings.address } as const;
  const query = { ...about, tokens: { asset: ASSET, amount: usdc(1) }, pays: true } as const;
  const { funds } = await movements.bus.request(ResolveWallet, query, movements.context());
  expect(funds).toEqual({ available: usdc(3), held: usdc(0), withdrawals: usdc(3) });
});

describe('The oldest wallet pays first', () => {
  it.each([
    ['the ledger fails', () => (account.listed = () => Promise.reject(new Unavailable('service-unavailable')))],
    ['the chain fails', () => jest.spyOn(account.movements.base, 'tokensAt').mockRejectedValue(new Error('none'))],
  ])('if %s', async (_, fail) => {
    account.promise('order', 2);
    account.withdraw('payout', 4);
    fail();
    expect(await isAccepted(9)).toEqual([]);
    await account.send('payout', 4);
    expect(chosen()).toEqual(['main savings']);
  });
});

describe('A new withdrawal', () => {
  it('is accepted up to what the wallets can pay in addition to earlier requests', async () => {
    expect([await isAccepted(8), await isAccepted(9)]).toEqual([[], ['insufficient-balance amount']]);
    account.promise('order', 2);
    expect([await isAccepted(6), await isAccepted(7)]).toEqual([[], ['insufficient-balance amount']]);
    account.promise('transfer', 2, account.savings, 'transfer');
    // One wallet keeps its promise and pays the rest. The contract cannot take a part of the tokens of two wallets.
    expect([await isAccepted(3), await isAccepted(4)]).toEqual([[], ['insufficient-balance amount']]);
  });

  it('is checked with the holds in the request, so that the ledger never waits for itself', async () => {
    account.promise('order', 2);
    const { holds } = account;
    account.holds = [];
    const listed = jest.spyOn(account, 'listed');
    expect(await isAccepted(6, 'new', holds)).toEqual([]);
    expect(await isAccepted(7, 'new', holds)).toEqual(['insufficient-balance amount']);
    expect(await isAccepted(9, 'new', [])).toEqual(['insufficient-balance amount']);
    // They are too many.
    expect(await isAccepted(9, 'new', null)).toEqual([]);
    expect(listed).not.toHaveBeenCalled();
  });

  it('is not refused because of its own hold, which an interrupted request has placed', async () => {
    account.withdraw('payout', 8);
    expect([await isAccepted(8, 'payout'), await isAccepted(1)]).toEqual([[], ['insufficient-balance amount']]);
  });
});

it('Nothing is read for a withdrawal of an account with a single wallet on the chain', async () => {
  const { movements } = account;
  const accountId = derivedId('account', 'alone');
  await movements.bus.request(ProvisionWallets, { accountId, parentId: null }, movements.context());
  const [listed, read] = [jest.spyOn(account, 'listed'), jest.spyOn(movements.base, 'tokensAt')];
  const tokens = { asset: ASSET, amount: usdc(1) } as const;
  const wanted = { accountId, ...tokens, destination: OUTSIDE, movementId: movementId('alone') };
  const checked = await movements.bus.request(CheckTokenMovement, wanted, movements.context());
  const sent = { ...wanted, owner: { kind: 'withdrawal', id: wanted.movementId }, sourceWalletId: null } as const;
  await movements.bus.request(RequestTokenMovement, sent, movements.context());
  expect([checked.violations, listed.mock.calls, read.mock.calls]).toEqual([[], [], []]);
});
