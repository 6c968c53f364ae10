import 'reflect-metadata';
import { ProvisionWallets, RefuseSettlement, ResolveWallet } from '@ponte/contracts';
import { Unavailable, derivedId } from '@ponte/kernel';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import { ASSET, TwoWallets, usdc } from '../testing/two-wallets';
import { AccountWallets } from '../wallet/account-wallets.service';

const { open } = movementsForEachTest();

let account: TwoWallets;
beforeEach(async () => {
  // The chain mines only on request.
  account = await TwoWallets.of(await open({ instant: false, confirmations: 3 }).start());
});
afterEach(() => jest.restoreAllMocks());
const payer: TwoWallets['payer'] = (...parameters) => account.payer(...parameters);

describe('Tokens that an accepted order or transfer will take from a wallet', () => {
  it.each(['order', 'transfer'] as const)('cannot pay for another one (%s)', async (kind) => {
    expect(await payer(3, account.main)).toEqual(['main', [3, 0]]);
    account.promise('first', 2, account.main, kind);
    expect(await payer(2, account.main)).toEqual([null, undefined]);
    expect(await payer(1, account.main)).toEqual(['main', [1, 2]]);
    expect(await payer(5, account.savings)).toEqual(['savings', [5, 0]]);
  });

  it('make another wallet pay if none is named, unless every wallet has too little left', async () => {
    account.promise('first', 2);
    expect(await payer(2)).toEqual(['savings', [5, 0]]);
    account.promise('second', 4, account.savings);
    expect(await payer(1)).toEqual(['main', [1, 2]]);
    expect(await payer(2)).toEqual([null, undefined]);
  });

  it('count from the acceptance until they have left, even after a restart and a repeated request', async () => {
    account.promise('first', 2);
    account.movements.statuses.set(account.accountId, 'frozen');
    await account.settle('first', 2);
    expect(await payer(2, account.main)).toEqual([null, undefined]);
    await account.settle('first', 2);
    expect(await payer(1, account.main)).toEqual(['main', [1, 2]]);
    account.movements.statuses.set(account.accountId, 'active');
    await account.reaches('first', 'pending');
    expect(await payer(2, account.main)).toEqual([null, undefined]);
    await account.restart();
    expect(await payer(2, account.main)).toEqual([null, undefined]);
    await account.mainHolds(1_000_000n);
    // The hold is open until the ledger has posted the movement. The balance is without the tokens already.
    expect(await payer(1, account.main)).toEqual(['main', [1, 2]]);
    account.movements.base.mine(3);
    await account.reaches('first', 'completed');
    expect(await payer(1, account.main)).toEqual(['main', [1, 2]]);
    account.holds = [];
    expect(await payer(1, account.main)).toEqual(['main', [1, 0]]);
    expect(await payer(2, account.main)).toEqual([null, undefined]);
  });

  it('count again when a reorg removes their movement, which is sent again', async () => {
    account.promise('first', 2);
    await account.settle('first', 2);
    await account.mainHolds(1_000_000n);
    account.movements.base.reorg(1, 'repooled');
    expect(await payer(2, account.main)).toEqual([null, undefined]);
    expect(await payer(1, account.main)).toEqual(['main', [1, 2]]);
  });

  it('are available again as soon as their movement is refused before it was requested', async () => {
    account.promise('first', 2);
    const { settlementId, kind } = account.settlement('first', 2);
    const refusal = { settlementId, kind, asset: ASSET } as const;
    await account.movements.bus.request(RefuseSettlement, refusal, account.movements.context());
    expect(await payer(3, account.main)).toEqual(['main', [3, 2]]);
  });

  it('are available again as soon as the movement can no longer be sent', async () => {
    account.promise('first', 2);
    account.movements.statuses.set(account.accountId, 'frozen');
    await account.settle('first', 2);
    const { settlementId, kind } = account.settlement('first', 2);
    await account.movements.bus.request(
      RefuseSettlement,
      { settlementId, kind, asset: ASSET },
      account.movements.context(),
    );
    await account.reaches('first', 'failed');
    expect(await payer(3, account.main)).toEqual(['main', [3, 2]]);
  });

  it('are available again when the hold is released, whatever happened to the movement', async () => {
    account.promise('first', 2);
    account.holds = [];
    expect(await payer(3, account.main)).toEqual(['main', [3, 0]]);
  });

  it('pay for their own order when its request is repeated, from the wallet of its hold', async () => {
    account.promise('first', 3);
    expect(await payer(3, account.main, 'first')).toEqual(['main', [3, 3]]);
    account.promise('second', 2, account.savings);
    // Main could pay it now, too.
    account.holds = account.holds.slice(1);
    expect(await payer(2, undefined, 'second')).toEqual(['savings', [5, 2]]);
  });

  it('are not counted for a hold that names no wallet, as holds placed by earlier versions do', async () => {
    account.promise('first', 3);
    account.holds = account.holds.map(({ source: _, ...hold }) => hold);
    expect(await payer(3, account.main)).toEqual(['main', [3, 0]]);
  });
});

describe('Tokens of a withdrawal, which any wallet may pay', () => {
  it("are taken from the oldest wallet first, unless orders or transfers will take that one's", async () => {
    account.withdraw('payout', 4);
    expect([await payer(1, account.main), await payer(4, account.savings)]).toEqual([
      [null, undefined],
      ['savings', [4, 0]],
    ]);
    account.promise('first', 2);
    expect([await payer(1), await payer(1, account.savings), await payer(2)]).toEqual([
      ['main', [1, 2]],
      ['savings', [1, 0]],
      [null, undefined],
    ]);
  });

  it('are taken in the order of its transaction once that is known, until they have left', async () => {
    account.withdraw('payout', 4);
    await account.send('payout', 4);
    expect(await payer(4, account.savings)).toEqual(['savings', [4, 0]]);
    await account.mainHolds(0n);
    expect([await payer(4), await payer(5)]).toEqual([
      ['savings', [4, 0]],
      [null, undefined],
    ]);
  });
});

describe('The chain decides', () => {
  it('if the ledger fails or never answers', async () => {
    account.promise('first', 3);
    account.listed = () => Promise.reject(new Unavailable('service-unavailable'));
    expect(await payer(3, account.main)).toEqual(['main', undefined]);
    account.listed = () => new Promise(() => undefined);
    expect(await payer(3, account.main)).toEqual(['main', undefined]);
  });

  it('if the account has very many open holds', async () => {
    for (let count = 0; count <= 200; count += 1) account.promise(`order ${count}`, 1);
    expect(await payer(3, account.main)).toEqual(['main', undefined]);
    expect(await payer(3, account.main, 'order 100')).toEqual(['main', undefined]);
  });

  it('if it cannot be known whether the tokens have left', async () => {
    account.promise('first', 3);
    await account.settle('first', 3);
    await account.reaches('first', 'pending');
    jest.spyOn(account.movements.base, 'minedCount').mockRejectedValue(new Error('no answer'));
    expect(await payer(3, account.main)).toEqual(['main', undefined]);
  });
});

it('No funds are read for an account with a single wallet on the chain', async () => {
  const alone = derivedId('account', 'alone');
  await account.movements.bus.request(
    ProvisionWallets,
    { accountId: alone, parentId: null },
    account.movements.context(),
  );
  const tokens = { asset: ASSET, amount: usdc(4) } as const;
  const query = { accountId: alone, chain: 'eth-base', address: null, tokens, pays: true } as const;
  const [listed, read] = [jest.spyOn(account, 'listed'), jest.spyOn(account.movements.base, 'tokensAt')];
  const resolved = await account.movements.bus.request(ResolveWallet, query, account.movements.context());
  expect(resolved).toMatchObject({ relation: { kind: 'internal' }, lacksTokens: false });
  expect([resolved.funds, listed.mock.calls, read.mock.calls]).toEqual([undefined, [], []]);
});

it.each(['main', 'savings'] as const)('Funds of a wallet that is not listed yet are read (%s)', async (name) => {
  const other = name === 'main' ? account.savings : account.main;
  jest.spyOn(AccountWallets.prototype, 'onChain').mockResolvedValue([other]);
  expect(await payer(3, account[name])).toEqual([name, [name === 'main' ? 3 : 5, 0]]);
  // Without a name, and with a list that lacks the other wallet, nothing has to be read.
  expect(await payer(3)).toEqual(['main', name === 'main' ? [3, 0] : undefined]);
  expect(await payer(6, account[name])).toEqual([null, undefined]);
});

it('A repeated request gets the wallet of its hold, even if it is not known what is left', async () => {
  account.promise('first', 1, account.savings);
  account.promise('second', 3);
  await account.settle('second', 3);
  await account.reaches('second', 'pending');
  jest.spyOn(account.movements.base, 'minedCount').mockRejectedValue(new Error('no answer'));
  expect(await payer(1, undefined, 'first')).toEqual(['savings', undefined]);
});
