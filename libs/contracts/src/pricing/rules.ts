import { event, requestsOf } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import type { DecimalText, Timestamp } from '../shared';
import type { RuleValue } from './inputs';

const { query } = requestsOf('pricing');

/** All rule tables as in the configuration: rows by table name. */
export type RuleTables = Readonly<Record<string, readonly Readonly<Record<string, RuleValue>>[]>>;

/** One version of the rules, without its tables. */
export interface RulesVersion {
  /** Identifies the content: equal content has the same version everywhere. Every quote names its version. */
  readonly version: string;
  /** The name that the author gave the version; null if it has no name. */
  readonly id: string | null;
  /** The version may be used for quotes from this time on; null for no start. */
  readonly validFrom: Timestamp | null;
  /** The version may be used for quotes until this time; null for no end. */
  readonly validTo: Timestamp | null;
}

export interface AdoptedRules extends RulesVersion {
  /** When a process started to price with this version, after another version or none. */
  readonly adoptedAt: Timestamp;
  readonly tables: RuleTables;
}

/** The stream of {@link PricingRulesAdopted}. An installation has one history of rules. */
export const PRICING_RULES_ID = 'history';
export const PRICING_RULES_CATEGORY = 'pricingRules';

/**
 * Stream `pricingRules-history`. It contains the complete tables, so that quotes can be recomputed with the rules they
 * name.
 */
export class PricingRulesAdopted extends event('PricingRulesAdopted')<AdoptedRules> {}

/** A violation in proposed rules. */
export interface RuleViolation {
  /** The table, row or field, such as `iof[2].rate-ppm`. */
  readonly path: string;
  readonly message: string;
}

export interface RulesCheck extends RulesVersion {
  readonly violations: readonly RuleViolation[];
}

export interface RulesHistory {
  readonly inForce: AdoptedRules;
  /** Newest first. A version that was adopted again appears again. */
  readonly history: readonly (RulesVersion & { readonly adoptedAt: Timestamp })[];
}

/** What a quote consists of, for comparison. */
export interface RepricedTerms {
  readonly sourceAmount: DecimalText;
  readonly targetAmount: DecimalText;
  /** BRL. */
  readonly spread: DecimalText;
  /** BRL. */
  readonly fee: DecimalText;
  /** BRL. */
  readonly iof: DecimalText;
  readonly vet: DecimalText;
  readonly validitySeconds: number;
}

export interface RepricedQuote {
  readonly quoteId: string;
  readonly accountId: string;
  readonly createdAt: Timestamp;
  readonly sourceAsset: AssetId;
  readonly targetAsset: AssetId;
  readonly givenSide: 'source' | 'target';
  /** The version under which it was issued. */
  readonly rulesVersion: string;
  readonly old: RepricedTerms;
  /** Null when the proposed rules refuse the quote. */
  readonly proposed: RepricedTerms | null;
  /** The code of the refusal; null when it is priced. */
  readonly refusal: string | null;
  /** Which fields are refused and what is accepted, such as the limit; null when it is priced. */
  readonly refusalMessage: string | null;
  readonly changed: boolean;
  /** Change of the computed amount, in its asset; null when it is refused. */
  readonly difference: DecimalText | null;
  /** The same in basis points of the old amount, rounded towards zero. */
  readonly differenceBps: number | null;
}

/** Sums over the quotes of a pair that the proposed rules price. */
export interface PairTotals {
  readonly sourceAsset: AssetId;
  readonly targetAsset: AssetId;
  readonly quotes: number;
  readonly changed: number;
  readonly refused: number;
  readonly old: ChargeTotals;
  readonly proposed: ChargeTotals;
}

export interface ChargeTotals {
  readonly source: DecimalText;
  readonly target: DecimalText;
  readonly spread: DecimalText;
  readonly fee: DecimalText;
  readonly iof: DecimalText;
}

export interface BacktestReport {
  readonly proposed: RulesVersion;
  /** The moment whose rows of the proposed rules were used for every quote. */
  readonly at: Timestamp;
  readonly quotes: number;
  readonly changed: number;
  readonly refused: number;
  readonly pairs: readonly PairTotals[];
  /** The quote with the largest change in basis points; null when no quote changes. */
  readonly largest: {
    readonly quoteId: string;
    readonly difference: DecimalText;
    readonly differenceBps: number;
  } | null;
  /** Newest first. */
  readonly items: readonly RepricedQuote[];
}

/** The most quotes in a back-test. */
export const MAX_BACKTESTED = 500;

/** The current pricing rules of this installation and the earlier ones. */
export const GetPricingRules = query<Record<string, never>, RulesHistory>('get-pricing-rules');
/** A version that was once adopted, with its tables; null for an unknown version. */
export const GetRulesVersion = query<{ version: string }, AdoptedRules | null>('get-rules-version');
/** Returns all violations of proposed rules. Changes nothing. */
export const CheckPricingRules = query<{ rules: unknown }, RulesCheck>('check-pricing-rules');
/**
 * Reprices the last quotes with proposed rules, at the rates and time of each quote. `at` is the moment whose rows are
 * used; null means now, or the start of the proposed version if that is later. Refuses rules with violations.
 */
export const BacktestPricingRules = query<{ rules: unknown; last: number; at: Timestamp | null }, BacktestReport>(
  'backtest-pricing-rules',
);
