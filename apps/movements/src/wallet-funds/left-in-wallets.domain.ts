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
export function leftIn(wallets: readonly WalletBalance[], promised: readonly Promised[]): (bigint | undefined)[] {
  const left = new Map(wallets.map(({ walletId, balance }) => [walletId, balance]));
  const take = (walletId: string, amount: bigint): void => {
    const own = left.get(walletId);
    if (own !== undefined) left.set(walletId, own - amount);
  };
  for (const { fixed, walletIds, amount } of promised)
    if (fixed) for (const walletId of walletIds ?? []) take(walletId, amount);
  const isKnown = wallets.every(({ balance }) => balance !== undefined);
  for (const { fixed, walletIds, amount } of isKnown ? promised : []) {
    let open = fixed ? 0n : amount;
    for (const walletId of walletIds ?? wallets.map((wallet) => wallet.walletId)) {
      const own = left.get(walletId) ?? 0n;
      const taken = own > open ? open : own > 0n ? own : 0n;
      take(walletId, taken);
      open -= taken;
    }
  }
  return wallets.map(({ walletId }) => left.get(walletId));
}
