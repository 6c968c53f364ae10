import 'reflect-metadata';
import type { Hex } from '../chain/chain.port';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import { ASSET, TwoWallets } from '../testing/two-wallets';

const { open } = movementsForEachTest();
afterEach(() => jest.restoreAllMocks());

it('Tokens that are promised count once if their movement is mined between two readings of the chain', async () => {
  // The chain mines only on request.
  const account = await TwoWallets.of(await open({ instant: false, confirmations: 3 }).start());
  account.promise('first', 2);
  await account.settle('first', 2);
  await account.reaches('first', 'pending');
  const { base } = account.movements;
  const read = base.tokensAt.bind(base);
  jest.spyOn(base, 'tokensAt').mockImplementationOnce(async (...question) => {
    const found = await read(...question);
    base.mine();
    return found;
  });
  expect(await account.payer(2, account.main)).toEqual([null, undefined]);
  expect(await base.tokenBalance(ASSET, account.main.address as Hex)).toBe(1_000_000n);
  expect(await account.payer(1, account.main)).toEqual(['main', [1, 2]]);
});
