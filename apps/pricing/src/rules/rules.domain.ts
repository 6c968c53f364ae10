import type { AssetId, Rate } from '@ponte/kernel';
import type { TradeReason } from '@ponte/contracts';
import type { ConversionKind, Direction, ForeignSymbol } from '../price/conversion.domain';

/** A row of a rule table: in force from `validFrom` (inclusive) to `validTo` (exclusive), epoch milliseconds. */
export interface Dated {
  /** Infinity for a row that is ready but off. */
  readonly validFrom: number;
  /** Infinity for a row without an end. */
  readonly validTo: number;
}

export interface SpreadRule extends Dated {
  readonly symbol: ForeignSymbol;
  readonly bps: number;
}
/** Centavos per quote. */
export interface FeeRule extends Dated {
  readonly symbol: ForeignSymbol;
  readonly amount: bigint;
}
/** USD for one token. */
export interface PegRule extends Dated {
  readonly symbol: ForeignSymbol;
  readonly usd: Rate;
}
export interface ValidityRule extends Dated {
  readonly kind: ConversionKind;
  readonly seconds: number;
}
/** Extra spread for a longer validity. */
export interface RateLockRule extends Dated {
  readonly name: string;
  readonly premiumBps: number;
  readonly seconds: number;
}

export interface IofRule extends Dated {
  readonly kind: ConversionKind;
  /** Null: whatever the reason. */
  readonly tradeReason: TradeReason | null;
  /** Null: both ways. */
  readonly direction: Direction | null;
  readonly ppm: number;
  readonly applicable: boolean;
  /** The regulation that the row rests on. */
  readonly basisRef: string;
}

/**
 * Bounds of one quote. Without a `side` they are those of its BRL amount, in centavos; the first row that fits counts.
 * With a side they are those of that amount, in the minor units of its asset, and hold besides.
 */
export interface LimitRule extends Dated {
  readonly kind: ConversionKind;
  /** Null: whatever the source or the target. */
  readonly sourceAsset: AssetId | null;
  readonly targetAsset: AssetId | null;
  /** With a side, its asset is named. */
  readonly side: LimitedSide | null;
  readonly minimum: bigint;
  readonly maximum: bigint;
  /** Bound of the foreign side in cents of USD, or null; null with a side. */
  readonly ceilingUsd: bigint | null;
}
export type LimitedSide = 'source' | 'target';
/** The asset that the bounds of a row are amounts of. */
export const limitedAsset = ({ side, sourceAsset, targetAsset }: Omit<LimitRule, keyof Dated>): AssetId =>
  (side === 'source' ? sourceAsset : side === 'target' ? targetAsset : null) ?? 'fiat/brl';

export interface MarketRule extends Dated {
  /** Older than this, a rate is quoted as off-market. */
  readonly staleAfterMs: number;
  /** Older than this, a rate is not quoted. */
  readonly unusableAfterMs: number;
  /** A share's price moves once a day, so it has its own bound. */
  readonly sharePriceUnusableAfterMs: number;
  /** Older than this, the reference shows nothing, and a rate is quoted as off-market. */
  readonly referenceStaleAfterMs: number;
  /** Further than this from the reference, a rate is quoted as off-market. */
  readonly deviationBps: number;
  /** Days of the USD/BRL spot market, 0 is Sunday, São Paulo time. */
  readonly weekdays: readonly number[];
  /** Minutes of the day, São Paulo time; closed at `closesAt`. */
  readonly opensAt: number;
  readonly closesAt: number;
  /** YYYY-MM-DD. */
  readonly holidays: readonly string[];
}

/**
 * Every figure of the law, of tax and of commerce that a quote depends on. In each table the first row in force that
 * fits is used.
 */
export interface PricingRules {
  /** Identifies the content of the tables: the same tables have the same version everywhere. */
  readonly version: string;
  /** The name that its author gave this version; null where it has no name. */
  readonly id: string | null;
  /** Epoch milliseconds (inclusive) from which quotes by this version are allowed; -Infinity: at any time. */
  readonly validFrom: number;
  /** Epoch milliseconds (exclusive); Infinity: without an end. */
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
