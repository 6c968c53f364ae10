import type { AssetId } from '@ponte/kernel';
import { Money, assetOf } from '@ponte/kernel';

/** The books of an asset at one moment. */
export interface BookedAsset {
  /** Tokens that are issued according to the books; for BRLY, the BRL of the reserve that backs it. */
  readonly issued: Money;
  /** The total of all customers in our custody, without what the house owes them. */
  readonly held: Money;
  /**
   * Outside deposits that are in the wallets and not in `held`: final ones that wait, and refused ones. None if absent.
   */
  readonly kept?: Money;
}

/** The state of an asset on its chain at one block. */
interface AssetOnChain {
  /** Null for a token that another company issues: its supply is not ours. */
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
  /** By how much the supply is above (or, negative, below) the range that the books explain. */
  readonly supplyDifference: Money;
  readonly walletsDifference: Money;
}

interface ReconciledAsset {
  readonly asset: AssetId;
  /** The books before the chain was read, and after. */
  readonly before: BookedAsset;
  readonly after: BookedAsset;
  readonly chain: AssetOnChain;
  /** Amounts of unfinished transactions, which may be on the chain but are not in the books. */
  readonly underWay: UnfinishedTotals;
  /** Outside deposits whose block may still be replaced: they may be in the wallets but are not in the books. */
  readonly uncredited?: Money;
}

/** Totals of unfinished transactions. */
interface UnfinishedTotals {
  readonly minted: Money;
  readonly burned: Money;
  /** From the treasury to wallets of customers. */
  readonly arriving: Money;
  /** From wallets of customers to outside addresses or to the treasury. */
  readonly leaving: Money;
}

/**
 * Compares the books with the chain. Work continues during the comparison, so the chain may show anything between the
 * books before it was read and the books after, with all unfinished transactions. Only what is outside that range is a
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
    walletsDifference: outside(chain.wallets, inWallets(before), inWallets(after), {
      more: minted.plus(arriving).plus(uncredited),
      less: burned.plus(leaving),
    }),
  };
}

/** What is in the wallets according to the books. */
const inWallets = ({ held, kept }: BookedAsset): Money => (kept ? held.plus(kept) : held);

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
  // A vault rounds and its price moves. When shares cost less or return more, the rest stays in the reserve. More BRLY
  // than the BRL behind it is an error.
  return difference.minor > BACKING_TOLERANCE ? difference : Money.zero(asset);
}

/** A millionth of a real, in minor units of 18 decimals: the possible sum of rounded redemptions. */
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

/** Whether ledger and chain disagree about the asset. */
export const differs = ({ supplyDifference, walletsDifference }: AssetReconciliation): boolean =>
  !supplyDifference.isZero() || !walletsDifference.isZero();

/** Amounts as text, for people and logs. */
export function textOf({
  asset,
  issued,
  held,
  supply,
  wallets,
  supplyDifference,
  walletsDifference,
}: AssetReconciliation): Readonly<Record<string, string | null>> {
  return {
    asset,
    issued: issued.toString(),
    supply: supply?.toString() ?? null,
    'supply-difference': supplyDifference.toString(),
    held: held.toString(),
    wallets: wallets.toString(),
    'wallets-difference': walletsDifference.toString(),
  };
}
