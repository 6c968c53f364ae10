import { event, requestsOf } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import type { DecimalText, Timestamp } from '../shared';
import type { RuleValue } from './inputs';

const { query } = requestsOf('pricing');

/** All rule tables, as the configuration has them: name of the table → its rows. */
export type RuleTables = Readonly<Record<string, readonly Readonly<Record<string, RuleValue>>[]>>;

/** One version of the rules, without its tables. */
export interface RulesVersion {
  /** Identifies the content: the same content has the same version everywhere, and every quote names it. */
  readonly version: string;
  /** The name that its author gave it; null where it has no name. */
  readonly id: string | null;
  /** From when its author allows quotes by it; null: at any time before `validTo`. */
  readonly validFrom: Timestamp | null;
  /** Until when; null: without an end. */
  readonly validTo: Timestamp | null;
}

export interface AdoptedRules extends RulesVersion {
  /** When a process began to price by it while another version, or none, had been in use. */
  readonly adoptedAt: Timestamp;
  readonly tables: RuleTables;
}

/** The stream of {@link PricingRulesAdopted}. An installation has one history of rules. */
export const PRICING_RULES_ID = 'history';
export const PRICING_RULES_CATEGORY = 'pricingRules';

/** Stream `pricingRules-history`. Has the whole content: quotes can be recomputed by the rules that they name. */
export class PricingRulesAdopted extends event('PricingRulesAdopted')<AdoptedRules> {}

/** A violation in proposed rules. */
export interface RuleViolation {
  /** The table, row or member, such as `iof[2].rate-ppm`. */
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
  /** Which members are refused and what is accepted, such as the limit; null when it is priced. */
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
export const MOST_BACKTESTED = 500;

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
