import type { DecimalText, Timestamp } from '../shared';
import type { QuoteRecord, QuoteTerms } from './quote';

/** The reading of one of several sources when a rate was combined, and whether it was used. */
interface RateReading {
  readonly source: string;
  readonly rate: DecimalText;
  readonly observedAt: Timestamp;
  /** Weight of the source in the median. */
  readonly weight: number;
  /** Spread between bid and ask in basis points; null if the source gives one rate. */
  readonly spreadBps: number | null;
  readonly verdict: 'used' | 'stale' | 'wide' | 'outlier';
}

/** A rate that the price was computed from. */
export interface RateInput {
  readonly of: 'usd-brl' | 'reference' | 'share-price';
  /** BRL per unit, ten decimals. */
  readonly rate: DecimalText;
  /** Name of the source; `median` if the rate was combined from the readings. */
  readonly source: string;
  /** When the source observed the rate; null if it gives no time. */
  readonly observedAt: Timestamp | null;
  /** Number of the block at which the vault was read; absent for a rate that was not read from a chain. */
  readonly blockNumber?: string;
  /** The combined readings; empty for a single source. */
  readonly readings: readonly RateReading[];
}

export type RuleValue = string | number | boolean | null | readonly (string | number)[];

/**
 * A row of the rule tables that the price was computed with, as it was then. Fields are named as in the configuration.
 */
export interface RuleInput {
  /** The table's name in the configuration. */
  readonly table: string;
  /** Position in the table, from 0. */
  readonly row: number;
  readonly values: Readonly<Record<string, RuleValue>>;
}

/** Everything that a quote was computed from, so that it can be explained and recomputed later. */
export interface QuoteInputs {
  /** The amount as it was received, before decimals beyond the asset's scale were cut off. */
  readonly givenAmount: DecimalText;
  readonly rates: readonly RateInput[];
  /** The value that the sandbox set for `off-market-pricing`; null if it was computed. */
  readonly offMarketSet: boolean | null;
  /** True if the reference source had no rate, which makes the quote off-market; absent otherwise. */
  readonly referenceMissing?: true;
  /** Identifies the content of all rule tables; null for quotes from before inputs were recorded. */
  readonly rulesVersion: string | null;
  readonly rules: readonly RuleInput[];
}

/** The terms of a quote and the inputs they were computed from. */
export interface IssuedQuote extends QuoteTerms {
  readonly inputs: QuoteInputs;
}

/** One step of the formula that a quote was computed with. `floor2` rounds down to two decimals, `ceil2` up. */
export interface QuoteStep {
  readonly name: string;
  readonly formula: string;
  readonly value: DecimalText;
}

export interface ExplainedQuote {
  readonly quote: QuoteRecord;
  readonly inputs: QuoteInputs;
  readonly steps: readonly QuoteStep[];
}
