import { spendingOrder } from './spending-order.domain';

/** Tokens that a movement will take. */
export interface Promised {
  /** Minor units. */
  readonly amount: bigint;
  /**
   * The wallets that it takes them from, in this order. Null for all wallets of the account, in an order that is not
   * decided yet.
   */
  readonly walletIds: readonly string[] | null;
  /** Whether it takes all of them from one wallet. */
  readonly fixed: boolean;
}

export interface WalletBalance {
  readonly walletId: string;
  /** Minor units; undefined if it is not known. */
  readonly balance: bigint | undefined;
}

/**
 * What is left in each wallet, oldest first, once the promised tokens have left. Below zero if more is promised than
 * the wallet has. Movements of one wallet come first. The others take as much as they can from each wallet: in their
 * order, or, if that is not decided yet, in the one that would be chosen now. They are left out if a balance is not
 * known, because what they take from one wallet depends on the others.
 */
export function remainingBalances(
  wallets: readonly WalletBalance[],
  promised: readonly Promised[],
): (bigint | undefined)[] {
  const remaining = new Map(wallets.map(({ walletId, balance }) => [walletId, balance]));
  const subtract = (walletId: string, amount: bigint): void => {
    const balance = remaining.get(walletId);
    if (balance !== undefined) remaining.set(walletId, balance - amount);
  };
  for (const { fixed, walletIds, amount } of promised)
    if (fixed) for (const walletId of walletIds ?? []) subtract(walletId, amount);
  const isKnown = wallets.every(({ balance }) => balance !== undefined);
  const spread = isKnown ? promised.filter(({ fixed }) => !fixed) : [];
  const isDecided = ({ walletIds }: Promised): boolean => walletIds !== null;
  for (const { walletIds, amount } of [...spread.filter(isDecided), ...spread.filter((one) => !isDecided(one))]) {
    let unpaid = amount;
    for (const walletId of walletIds ?? orderNow(wallets, remaining, amount)) {
      const balance = remaining.get(walletId) ?? 0n;
      const taken = balance > unpaid ? unpaid : balance > 0n ? balance : 0n;
      subtract(walletId, taken);
      unpaid -= taken;
    }
  }
  return wallets.map(({ walletId }) => remaining.get(walletId));
}

/** The order of the wallets in which a movement would take the amount, if it were decided now. */
const orderNow = (
  wallets: readonly WalletBalance[],
  remaining: ReadonlyMap<string, bigint | undefined>,
  amount: bigint,
): readonly string[] =>
  spendingOrder(
    wallets.map(({ walletId, balance = 0n }) => ({ walletId, balance, remaining: remaining.get(walletId) ?? 0n })),
    amount,
  ).map(({ walletId }) => walletId);
