import fc from 'fast-check';
import { remainingBalances } from './left-in-wallets.domain';
import { leftTo, orderOfPayers } from './payers.domain';

const WALLETS = ['a', 'b', 'c'] as const;

interface Movement {
  readonly amount: bigint;
  /** Null for a withdrawal that is not sent yet. */
  walletIds: readonly string[] | null;
  readonly fixed: boolean;
}

/** An account whose requests are accepted one after the other, and whose movements are mined in any order. */
class Account {
  readonly balances = new Map<string, bigint>(WALLETS.map((walletId) => [walletId, 4n]));
  private open: Movement[] = [];

  order(walletId: string, amount: bigint): void {
    const left = remainingBalances(this.wallets(), this.open)[
      this.wallets().findIndex((one) => one.walletId === walletId)
    ];
    if (left !== undefined && amount <= left) this.open.push({ amount, walletIds: [walletId], fixed: true });
  }

  /** Whether the accepted order is accepted again, as when its request is repeated. */
  repeats(at: number): boolean {
    const orders = this.open.filter(({ fixed }) => fixed);
    const movement = orders[at % (orders.length || 1)];
    if (!movement) return true;
    const own = this.open.indexOf(movement);
    const others = { earlier: this.open.slice(0, own), later: this.open.slice(own + 1) };
    const left = leftTo(movement, this.wallets(), others);
    const index = this.wallets().findIndex(({ walletId }) => walletId === movement.walletIds?.[0]);
    return movement.amount <= (left[index] ?? 0n);
  }

  withdraw(amount: bigint): void {
    const { lackTokens } = orderOfPayers(this.wallets(), { earlier: this.open, later: [] }, amount);
    if (!lackTokens) this.open.push({ amount, walletIds: null, fixed: false });
  }

  /** One of the withdrawals that are not sent, or all at once: then none of them knows which wallets others choose. */
  send(at: number): void {
    const unsent = this.open.filter(({ walletIds }) => walletIds === null);
    const sent = at === 2 ? unsent : unsent.slice(at, at + 1);
    const chosen = sent.map((movement) => {
      const own = this.open.indexOf(movement);
      const others = { earlier: this.open.slice(0, own), later: this.open.slice(own + 1) };
      return orderOfPayers(this.wallets(), others, movement.amount).walletIds;
    });
    for (const [index, movement] of sent.entries()) movement.walletIds = chosen[index] ?? null;
  }

  /** As the contract does. Whether the wallets hold the amount. */
  mine(at: number): boolean {
    const sent = this.open.filter(({ walletIds }) => walletIds !== null);
    const movement = sent[at % (sent.length || 1)];
    if (!movement) return true;
    this.open = this.open.filter((one) => one !== movement);
    let unpaid = movement.amount;
    for (const walletId of movement.walletIds ?? []) {
      const balance = this.balances.get(walletId) ?? 0n;
      const taken = balance < unpaid ? balance : unpaid;
      this.balances.set(walletId, balance - taken);
      unpaid -= taken;
    }
    return unpaid === 0n;
  }

  private wallets() {
    return [...this.balances].map(([walletId, balance]) => ({ walletId, balance }));
  }
}

type Step = readonly ['order' | 'repeat' | 'withdraw' | 'send' | 'mine' | 'deposit', number, number];
const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom('order', 'repeat', 'withdraw', 'send', 'mine', 'deposit'),
  fc.nat({ max: 2 }),
  fc.integer({ min: 1, max: 6 }),
);

/** Whether every movement of the accepted requests finds its tokens. */
function allPaid(steps: readonly Step[]): boolean {
  const account = new Account();
  return steps.every(([kind, at, amount]) => {
    const walletId = WALLETS[at] ?? 'a';
    switch (kind) {
      case 'order':
        account.order(walletId, BigInt(amount));
        return true;
      case 'repeat':
        return account.repeats(at);
      case 'withdraw':
        account.withdraw(BigInt(amount));
        return true;
      case 'send':
        account.send(at);
        return true;
      case 'mine':
        return account.mine(at);
      case 'deposit':
        account.balances.set(walletId, (account.balances.get(walletId) ?? 0n) + BigInt(amount));
        return true;
    }
  });
}

it('Each accepted order, transfer and withdrawal finds its tokens, in whichever order they are sent and mined', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 60 }), (steps) => allPaid(steps)),
    { numRuns: 5_000, seed: 7 },
  );
});

describe('A withdrawal of 4 from three wallets with 4 each, of which an order will take 1 from the last', () => {
  const wallets = WALLETS.map((walletId) => ({ walletId, balance: 4n }));
  const ofOrder = { amount: 1n, walletIds: ['c'], fixed: true };
  const unsent = { amount: 6n, walletIds: null, fixed: false };

  it('does not count a withdrawal that was requested later and is not sent', () => {
    const others = { earlier: [ofOrder], later: [unsent] };
    expect(orderOfPayers(wallets, others, 4n)).toEqual({ walletIds: ['a', 'b', 'c'], lackTokens: false });
  });

  it('counts one that was requested earlier, but leaves the tokens of the order even if both lack tokens', () => {
    const others = { earlier: [ofOrder, unsent], later: [] };
    expect(orderOfPayers(wallets, others, 3n)).toEqual({ walletIds: ['c', 'b', 'a'], lackTokens: false });
    expect(orderOfPayers(wallets, others, 4n)).toEqual({ walletIds: ['a', 'b', 'c'], lackTokens: true });
  });

  it('names no empty wallets, unless they may be needed', () => {
    const some = [...wallets.slice(0, 1), { walletId: 'b', balance: 0n }, ...wallets.slice(2)];
    const others = { earlier: [ofOrder], later: [] };
    expect(orderOfPayers(some, others, 1n)).toEqual({ walletIds: ['a', 'c'], lackTokens: false });
    expect(orderOfPayers(some, others, 8n)).toEqual({ walletIds: ['a', 'b', 'c'], lackTokens: true });
  });

  it('counts one that is sent, whenever it was requested', () => {
    const sent = { ...unsent, walletIds: ['a', 'b', 'c'] };
    expect(orderOfPayers(wallets, { earlier: [ofOrder], later: [sent] }, 3n).walletIds).toEqual(['c', 'b', 'a']);
  });
});
