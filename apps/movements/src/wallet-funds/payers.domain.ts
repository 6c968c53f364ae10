import type { Promised, WalletBalance } from './left-in-wallets.domain';
import { remainingBalances } from './left-in-wallets.domain';
import { sparesPromises, spendingOrder } from './spending-order.domain';

/** What other movements of the account will take, by the time of their holds compared with that of this movement. */
export interface OtherPromises {
  readonly earlier: readonly Promised[];
  readonly later: readonly Promised[];
}

/** Whether it is known from which wallets the tokens are taken. */
const isDecided = ({ walletIds }: Promised): boolean => walletIds !== null;

/** What a movement leaves to others. A later withdrawal that is not sent chooses its wallets after this movement. */
const takenByOthers = ({ earlier, later }: OtherPromises): readonly Promised[] => [
  ...earlier,
  ...later.filter(isDecided),
];

/**
 * What is left to a movement in each wallet, minor units. `own`: what its hold promises to it already, from one wallet.
 * Withdrawals that are not sent leave that if they can; those that are sent may take it.
 */
export function leftTo(
  own: Promised | null,
  wallets: readonly WalletBalance[],
  others: OtherPromises,
): (bigint | undefined)[] {
  const taken = takenByOthers(others);
  const at = wallets.findIndex(({ walletId }) => walletId === own?.walletIds?.[0]);
  const free = remainingBalances(wallets, taken.filter(isDecided))[at];
  if (own === null || free === undefined || free <= 0n || wallets.some(({ balance }) => balance === undefined))
    return remainingBalances(wallets, taken);
  const kept = free < own.amount ? free : own.amount;
  const left = remainingBalances(wallets, [...taken, { ...own, amount: kept, fixed: false }]);
  return left.map((minor, index) => (minor !== undefined && index === at ? minor + kept : minor));
}

/**
 * The order in which a movement takes tokens from the wallets, which are given oldest first with their balances in
 * minor units. It leaves what others take. Withdrawals that are not sent choose their own wallets later: those with a
 * later hold never count, those with an earlier one only if this one can pay in addition to them. `lackTokens`: whether
 * the wallets hold too little for both. If not, empty wallets are left out.
 */
export function orderOfPayers(
  wallets: readonly { readonly walletId: string; readonly balance: bigint }[],
  { earlier, later }: OtherPromises,
  amount: bigint,
): { readonly walletIds: readonly string[]; readonly lackTokens: boolean } {
  const beside = (promised: readonly Promised[]) => {
    const left = remainingBalances(wallets, promised);
    return spendingOrder(
      wallets.map((wallet, at) => ({ ...wallet, remaining: left[at] ?? 0n })),
      amount,
    );
  };
  const preferred = beside(takenByOthers({ earlier, later }));
  const lackTokens = !sparesPromises(preferred, amount);
  const order = lackTokens ? beside([...earlier, ...later].filter(isDecided)) : preferred;
  // Each named wallet makes the gas limit higher. One with tokens stays, because a movement that was mined since the
  // balances were read may have emptied the others.
  const named = lackTokens ? order : order.filter(({ balance }) => balance > 0n);
  return { walletIds: named.map(({ walletId }) => walletId), lackTokens };
}
