import type { Promised } from './promised-tokens';

export interface WalletBalance {
  readonly walletId: string;
  /** Minor units; undefined if it is not known. */
  readonly balance: bigint | undefined;
}

/**
 * What is left in each wallet, oldest first, once the promised tokens have left. Below zero if more is promised than
 * the wallet has. Movements of one wallet come first. The others take as much as they can from each wallet, in their
 * order. They are left out if a balance is not known, because what they take from one wallet depends on the others.
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
  for (const { fixed, walletIds, amount } of isKnown ? promised : []) {
    let unpaid = fixed ? 0n : amount;
    for (const walletId of walletIds ?? wallets.map((wallet) => wallet.walletId)) {
      const balance = remaining.get(walletId) ?? 0n;
      const taken = balance > unpaid ? unpaid : balance > 0n ? balance : 0n;
      subtract(walletId, taken);
      unpaid -= taken;
    }
  }
  return wallets.map(({ walletId }) => remaining.get(walletId));
}
