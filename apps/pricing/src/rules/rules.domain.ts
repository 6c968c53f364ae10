import type { AssetId, Rate } from '@ponte/kernel';
import type { TradeReason } from '@ponte/contracts';
import type { ConversionKind, Direction, ForeignSymbol } from '../price/conversion.domain';

/** A row of a rule table, in force from `validFrom` (inclusive) to `validTo` (exclusive), in epoch milliseconds. */
export interface Dated {
  /** Infinity for a row that is prepared but switched off. */
  readonly validFrom: number;
  /** Infinity for a row without an end. */
  readonly validTo: number;
}

export interface SpreadRule extends Dated {
  readonly symbol: ForeignSymbol;
  readonly bps: number;
}
/** `amount` is in centavos per quote. */
export interface FeeRule extends Dated {
  readonly symbol: ForeignSymbol;
  readonly amount: bigint;
}
/** `usd` is the USD for one token. */
export interface PegRule extends Dated {
  readonly symbol: ForeignSymbol;
  readonly usd: Rate;
}
export interface ValidityRule extends Dated {
  readonly kind: ConversionKind;
  readonly seconds: number;
}
/** The extra spread for a longer validity. */
export interface RateLockRule extends Dated {
  readonly name: string;
  readonly premiumBps: number;
  readonly seconds: number;
}

export interface IofRule extends Dated {
  readonly kind: ConversionKind;
  /** Null matches every reason. */
  readonly tradeReason: TradeReason | null;
  /** Null matches both directions. */
  readonly direction: Direction | null;
  readonly ppm: number;
  readonly applicable: boolean;
  /** The regulation that the row is based on. */
  readonly basisRef: string;
}

/**
 * The bounds of one quote. Without a `side` they apply to its BRL amount, in centavos, and the first matching row is
 * used. With a side they apply to the amount of that side, in minor units of its asset, in addition to the BRL bounds.
 */
export interface LimitRule extends Dated {
  readonly kind: ConversionKind;
  /** Null matches every source or every target. */
  readonly sourceAsset: AssetId | null;
  readonly targetAsset: AssetId | null;
  /** If a side is given, its asset must be named. */
  readonly side: LimitedSide | null;
  readonly minimum: bigint;
  readonly maximum: bigint;
  /** The upper bound of the foreign side in cents of USD. Null for no bound, and always null with a side. */
  readonly ceilingUsd: bigint | null;
}
export type LimitedSide = 'source' | 'target';
/** The asset in which the bounds of a row are expressed. */
export const limitedAsset = ({ side, sourceAsset, targetAsset }: Omit<LimitRule, keyof Dated>): AssetId =>
  (side === 'source' ? sourceAsset : side === 'target' ? targetAsset : null) ?? 'fiat/brl';

export interface MarketRule extends Dated {
  /** An older rate is quoted as off-market. */
  readonly staleAfterMs: number;
  /** An older rate is not quoted. */
  readonly unusableAfterMs: number;
  /** The same for the share price, which changes only once a day. */
  readonly sharePriceUnusableAfterMs: number;
  /** With an older reference, a rate is quoted as off-market. */
  readonly referenceStaleAfterMs: number;
  /** A rate further than this from the reference is quoted as off-market. */
  readonly deviationBps: number;
  /** A rate further than this from the reference is not quoted. Null for no bound. */
  readonly unusableDeviationBps: number | null;
  /** The weekdays of the USD/BRL spot market, in São Paulo time. 0 is Sunday. */
  readonly weekdays: readonly number[];
  /** Minutes since midnight in São Paulo time. The market is closed at `closesAt`. */
  readonly opensAt: number;
  readonly closesAt: number;
  /** YYYY-MM-DD. */
  readonly holidays: readonly string[];
}

/**
 * Every legal, tax and commercial figure that a quote depends on. In each table the first matching row in force is
 * used.
 */
export interface PricingRules {
  /** Identifies the content of the tables: the same tables have the same version on every machine. */
  readonly version: string;
  /** The name that its author gave this version, or null. */
  readonly id: string | null;
  /** From when (inclusive) this version may be used, in epoch milliseconds. -Infinity for any time. */
  readonly validFrom: number;
  /** Until when (exclusive), in epoch milliseconds. Infinity for no end. */
  readonly validTo: number;
  readonly spreads: readonly SpreadRule[];
  readonly fees: readonly FeeRule[];
  readonly iof: readonly IofRule[];
  readonly limits: readonly LimitRule[];
  readonly validity: readonly ValidityRule[];
  readonly rateLocks: readonly RateLockRule[];
  readonly pegs: readonly PegRule[];
  readonly market: readonly MarketRule[];
}
