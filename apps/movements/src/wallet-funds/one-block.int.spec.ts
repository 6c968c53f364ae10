import 'reflect-metadata';
import type { Hex } from '../chain/chain.port';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import { ASSET, TwoWallets } from '../testing/two-wallets';

const { open } = movementsForEachTest();
afterEach(() => jest.restoreAllMocks());

it.each([
  ['mined', 3, 'pending'],
  ['confirmed', 1, 'completed'],
])('Tokens that are promised count once if their movement is %s after the balances are read', async (...given) => {
  const [, confirmations, state] = given;
  // The chain mines only on request.
  const account = await TwoWallets.of(await open({ instant: false, confirmations }).start());
  account.promise('first', 2);
  await account.settle('first', 2);
  await account.reaches('first', 'pending');
  const { base } = account.movements;
  const read = base.tokensAt.bind(base);
  jest.spyOn(base, 'tokensAt').mockImplementationOnce(async (...question) => {
    const found = await read(...question);
    base.mine();
    await account.reaches('first', state);
    return found;
  });
  expect(await account.payer(2, account.main)).toEqual([null, undefined]);
  expect(await base.tokenBalance(ASSET, account.main.address as Hex)).toBe(1_000_000n);
  expect(await account.payer(1, account.main)).toEqual(['main', [1, 2]]);
});
