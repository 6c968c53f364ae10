import { remainingBalances } from './left-in-wallets.domain';

const wallets = (...balances: (bigint | undefined)[]) =>
  balances.map((balance, at) => ({ walletId: `w${at}`, balance }));
const fixed = (walletId: string, amount: bigint) => ({ walletIds: [walletId], amount, fixed: true });
const spread = (amount: bigint, walletIds: readonly string[] | null = null) => ({ walletIds, amount, fixed: false });

describe('What is left in the wallets', () => {
  it('is the balance of each wallet minus what it will pay', () => {
    expect(remainingBalances(wallets(5n, 7n), [fixed('w0', 2n), fixed('w0', 1n), fixed('w1', 7n)])).toEqual([2n, 0n]);
  });

  it('is below zero if more is promised than the wallet has', () => {
    expect(remainingBalances(wallets(5n, 7n), [fixed('w0', 6n), spread(3n)])).toEqual([-1n, 4n]);
  });

  it('excludes what movements take from several wallets, in the order of those wallets', () => {
    expect(remainingBalances(wallets(5n, 7n), [spread(8n)])).toEqual([0n, 4n]);
    expect(remainingBalances(wallets(5n, 7n), [spread(8n, ['w1', 'w0'])])).toEqual([4n, 0n]);
    expect(remainingBalances(wallets(5n, 7n), [spread(4n), spread(4n), fixed('w0', 2n)])).toEqual([0n, 2n]);
    expect(remainingBalances(wallets(5n, 7n), [spread(20n)])).toEqual([0n, 0n]);
  });

  it('excludes what movements whose order is not decided take, which avoid promised tokens where possible', () => {
    expect(remainingBalances(wallets(5n, 7n), [fixed('w0', 2n), spread(4n)])).toEqual([3n, 3n]);
    expect(remainingBalances(wallets(5n, 7n), [fixed('w1', 6n), spread(5n)])).toEqual([0n, 1n]);
    // The order of the second one is decided.
    expect(remainingBalances(wallets(5n, 7n), [spread(4n), spread(4n, ['w0', 'w1'])])).toEqual([1n, 3n]);
  });

  it('is unknown where the balance is unknown, and movements of several wallets are then not subtracted', () => {
    expect(remainingBalances(wallets(undefined, 7n), [fixed('w0', 1n), fixed('w1', 2n), spread(4n)])).toEqual([
      undefined,
      5n,
    ]);
  });

  it('is not changed by promises of wallets that the account does not have on the chain', () => {
    expect(remainingBalances(wallets(5n, 7n), [fixed('other', 2n), spread(3n, ['other', 'w1'])])).toEqual([5n, 4n]);
  });
});
