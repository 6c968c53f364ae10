import type { AssetId } from '@ponte/kernel';
import { Money, assetOf } from '@ponte/kernel';

/** What the books say of an asset at one moment. */
export interface BookedAsset {
  /** Tokens that the books count as issued; of BRLY, the BRL of the reserve that backs it. */
  readonly issued: Money;
  /** What all customers have in our custody, without what the house owes them. */
  readonly held: Money;
}

/** What a chain says of it at one block. */
export interface AssetOnChain {
  /** Null for a token that others issue: its supply is not ours. */
  readonly supply: Money | null;
  /** The sum over all wallets of accounts. */
  readonly wallets: Money;
}

export interface AssetReconciliation {
  readonly asset: AssetId;
  readonly issued: Money;
  readonly held: Money;
  readonly supply: Money | null;
  readonly wallets: Money;
  /** What the supply is over (or, negative, under) anything that the books explain. */
  readonly supplyDifference: Money;
  readonly walletsDifference: Money;
}

export interface ReconciledAsset {
  readonly asset: AssetId;
  /** The books before the chain was read, and after. */
  readonly before: BookedAsset;
  readonly after: BookedAsset;
  readonly chain: AssetOnChain;
  /** Of transactions that have not ended: they may be on the chain, and are not in the books. */
  readonly underWay: UnderWay;
  /** Deposits from outside that are not credited: they may be in the wallets, and are not in the books. */
  readonly uncredited?: Money;
}

/** Sums over transactions that have not ended. */
export interface UnderWay {
  readonly minted: Money;
  readonly burned: Money;
  /** From the treasury to wallets of customers. */
  readonly arriving: Money;
  /** Out of the wallets of customers: out of our custody, or to the treasury. */
  readonly leaving: Money;
}

/**
 * Compares the books with the chain. Work goes on meanwhile, so the chain must show something between what was booked
 * before it was read and what was booked after, with everything that is under way: only what is outside of that is a
 * difference.
 */
export function reconcile({
  asset,
  before,
  after,
  chain,
  underWay,
  uncredited = Money.zero(asset),
}: ReconciledAsset): AssetReconciliation {
  const { issued, held } = after;
  const { minted, burned, arriving, leaving } = underWay;
  return {
    asset,
    issued,
    held,
    ...chain,
    supplyDifference: supplyDifferenceOf({ asset, before, after, chain, underWay }),
    walletsDifference: outside(chain.wallets, before.held, after.held, {
      more: minted.plus(arriving).plus(uncredited),
      less: burned.plus(leaving),
    }),
  };
}

function supplyDifferenceOf({
  asset,
  before,
  after,
  chain: { supply },
  underWay: { minted, burned },
}: ReconciledAsset): Money {
  if (supply === null) return Money.zero(asset);
  const difference = outside(supply, before.issued, after.issued, { more: minted, less: burned });
  if (assetOf(asset).symbol !== 'BRLY') return difference;
  // A vault rounds, and its price moves: what its shares cost less, or bring more, stays in the reserve. More BRLY than
  // BRL behind it is a fault.
  return difference.minor > BACKING_TOLERANCE ? difference : Money.zero(asset);
}

/** Minor units of 18 decimals, a millionth of a real: what floored redemptions may add up to. */
const BACKING_TOLERANCE = 10n ** 12n;

function outside(
  found: Money,
  before: Money,
  after: Money,
  { more, less }: { readonly more: Money; readonly less: Money },
): Money {
  const [low, high] = before.minor <= after.minor ? [before, after] : [after, before];
  const least = low.minus(less);
  if (found.minor < least.minor) return found.minus(least);
  const most = high.plus(more);
  return found.minor > most.minor ? found.minus(most) : Money.zero(found.asset);
}

export const differs = ({ supplyDifference, walletsDifference }: AssetReconciliation): boolean =>
  !supplyDifference.isZero() || !walletsDifference.isZero();
