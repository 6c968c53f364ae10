import { sparesPromises, spendingOrder } from './spending-order.domain';

/** A wallet with a balance, of which so much is promised. */
const wallet = (walletId: string, balance: bigint, promised = 0n) => ({
  walletId,
  balance,
  remaining: balance - promised,
});
type Wallets = readonly ReturnType<typeof wallet>[];
const orderOf = (wallets: Wallets, amount: bigint) =>
  spendingOrder(wallets, amount)
    .map(({ walletId }) => walletId)
    .join(' ');
/** Whether the amount can be taken from the wallets in their best order. */
const isPayable = (wallets: Wallets, amount: bigint) => sparesPromises(spendingOrder(wallets, amount), amount);

describe('The order in which a movement takes tokens from wallets', () => {
  it('is from the oldest to the newest wallet if nothing is promised', () => {
    expect(orderOf([wallet('a', 3n), wallet('b', 5n)], 4n)).toBe('a b');
  });

  it('stays so if the movement leaves what is promised', () => {
    expect(orderOf([wallet('a', 3n, 2n), wallet('b', 5n)], 1n)).toBe('a b');
    expect(orderOf([wallet('a', 3n), wallet('b', 5n, 4n)], 4n)).toBe('a b');
  });

  it('begins with wallets whose tokens are not promised', () => {
    expect(orderOf([wallet('a', 3n, 1n), wallet('b', 5n), wallet('c', 1n)], 3n)).toBe('b c a');
  });

  it('ends with the promised wallets, first the one that has the most left', () => {
    expect(orderOf([wallet('a', 9n, 8n), wallet('b', 5n, 1n), wallet('c', 1n)], 5n)).toBe('c b a');
    expect(orderOf([wallet('a', 9n, 8n), wallet('b', 5n, 4n), wallet('c', 1n)], 2n)).toBe('c a b');
  });
});

describe('An amount', () => {
  it('can be taken from all wallets without promises and one with a promise', () => {
    const wallets = [wallet('a', 9n, 8n), wallet('b', 5n, 1n), wallet('c', 1n)];
    expect([5n, 6n].map((amount) => isPayable(wallets, amount))).toEqual([true, false]);
  });

  it('cannot be taken if the wallets hold less, or one of them has promised more than it has', () => {
    expect(isPayable([wallet('a', 3n), wallet('b', 5n)], 9n)).toBe(false);
    expect(isPayable([wallet('a', 3n, 4n)], 1n)).toBe(false);
    expect(isPayable([wallet('a', 3n, 4n), wallet('b', 5n)], 5n)).toBe(true);
  });

  it('is payable in some order if and only if it is payable in the chosen one', () => {
    const amounts = [0n, 1n, 2n, 3n];
    const some = amounts.flatMap((balance) => amounts.filter((one) => one <= balance).map((one) => [balance, one]));
    const isDifferent: unknown[] = [];
    for (const [a = 0n, ofA = 0n] of some)
      for (const [b = 0n, ofB = 0n] of some)
        for (const [c = 0n, ofC = 0n] of some)
          for (let amount = 1n; amount <= a + b + c; amount += 1n) {
            const wallets = [wallet('a', a, ofA), wallet('b', b, ofB), wallet('c', c, ofC)] as const;
            const isPossible = ordersOf(wallets).some((one) => sparesPromises(one, amount));
            if (isPossible !== isPayable(wallets, amount)) isDifferent.push([wallets, amount]);
          }
    expect(isDifferent).toEqual([]);
  });
});

const ordersOf = ([a, b, c]: readonly [Wallets[number], Wallets[number], Wallets[number]]) => [
  ...[[a, b, c] as const, [a, c, b] as const, [b, a, c] as const],
  ...[[b, c, a] as const, [c, a, b] as const, [c, b, a] as const],
];
