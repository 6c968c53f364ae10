/** A wallet that may pay. */
interface Spendable {
  readonly walletId: string;
  /** What it has, minor units. */
  readonly balance: bigint;
  /** What is left once the promised tokens have left. */
  readonly remaining: bigint;
}

/**
 * The order in which a movement of several wallets takes its tokens, so that it takes none that are promised to others,
 * if that is possible. `wallets` are in the order that is used if nothing is promised. The contract empties each wallet
 * before it takes from the next. So those without promises come first, and the promises of one further wallet can be
 * respected: the one with the most tokens left.
 */
export function spendingOrder<W extends Spendable>(wallets: readonly W[], amount: bigint): readonly W[] {
  if (sparesPromises(wallets, amount)) return wallets;
  const unpromised = wallets.filter(({ balance, remaining }) => remaining === balance);
  const promised = wallets.filter(({ balance, remaining }) => remaining !== balance);
  return [
    ...unpromised,
    ...promised.sort((a, b) => Number(b.remaining > a.remaining) - Number(b.remaining < a.remaining)),
  ];
}

/** Whether wallets that pay in this order have the whole amount and keep what is promised. */
export function sparesPromises(wallets: readonly Spendable[], amount: bigint): boolean {
  let unpaid = amount;
  for (const { balance, remaining } of wallets) {
    const taken = balance < unpaid ? balance : unpaid;
    if (taken > 0n && taken > remaining) return false;
    unpaid -= taken;
  }
  return unpaid === 0n;
}
