import 'reflect-metadata';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import { TwoWallets, usdc } from '../testing/two-wallets';

const { open } = movementsForEachTest();

let account: TwoWallets;
beforeEach(async () => {
  // The chain mines only on request.
  account = await TwoWallets.of(await open({ instant: false, confirmations: 3 }).start());
});
const payer: TwoWallets['payer'] = (...parameters) => account.payer(...parameters);

describe('A wallet with the hold of a repeated request', () => {
  it.each(['order', 'transfer'] as const)('pays for its own %s before later withdrawals are sent', async (kind) => {
    account.promise('first', 3, account.main, kind);
    account.withdraw('later', 5);
    const named = kind === 'transfer' ? account.main : undefined;
    expect(await payer(3, named, 'first')).toEqual(['main', [3, 3]]);
    // A repeated request for more than the hold is like a new one.
    account.holds = account.holds.map((hold, at) => (at === 0 ? { ...hold, amount: usdc(1) } : hold));
    const asNew = kind === 'order' ? ['savings', [3, 0]] : [null, undefined];
    expect(await payer(3, named, 'first')).toEqual(asNew);
  });

  it('pays for its own order before an earlier withdrawal that other wallets can pay', async () => {
    account.promise('ended', 1);
    account.withdraw('earlier', 4);
    expect(await payer(2, account.main, 'first')).toEqual(['main', [2, 1]]);
    account.promise('first', 2);
    account.holds = account.holds.slice(1);
    expect(await payer(2, account.main, 'first')).toEqual(['main', [3, 2]]);
  });

  it('does not pay for its own order if a later withdrawal takes the tokens, which is sent', async () => {
    account.withdraw('later', 4);
    await account.send('later', 4);
    account.promise('first', 3);
    account.holds.reverse();
    expect(await payer(3, account.main, 'first')).toEqual([null, undefined]);
  });
});
