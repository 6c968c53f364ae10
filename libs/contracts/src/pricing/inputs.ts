import type { DecimalText, Timestamp } from '../shared';
import type { QuoteRecord, QuoteTerms } from './quote';

/** What one of several sources said when a rate was combined, and what was made of it. */
export interface RateReading {
  readonly source: string;
  readonly rate: DecimalText;
  readonly observedAt: Timestamp;
  /** Votes in the median. */
  readonly weight: number;
  /** Distance between bid and ask; null where the source gives one rate. */
  readonly spreadBps: number | null;
  readonly verdict: 'used' | 'stale' | 'wide' | 'outlier';
}

/** A rate that a price rests on. */
export interface RateInput {
  readonly of: 'usd-brl' | 'reference' | 'share-price';
  /** BRL for one unit, ten decimals. */
  readonly rate: DecimalText;
  /** Name of the source; `median` when it was combined from the readings. */
  readonly source: string;
  /** Null where the source gives no time. */
  readonly observedAt: Timestamp | null;
  /** Number of the block at which a vault was read; absent for a rate that is on no chain. */
  readonly blockNumber?: string;
  /** Empty for a single source. */
  readonly readings: readonly RateReading[];
}

export type RuleValue = string | number | boolean | null | readonly (string | number)[];

/** A row of the rule tables that a price rests on, as it was then. Members are named as in the configuration. */
export interface RuleInput {
  /** The table's name in the configuration. */
  readonly table: string;
  /** Position in the table, from 0. */
  readonly row: number;
  readonly values: Readonly<Record<string, RuleValue>>;
}

/** Everything that a quote was computed from, so that it can be explained and recomputed at any time. */
export interface QuoteInputs {
  /** The amount as it was received, before decimals beyond the asset's scale were cut off. */
  readonly givenAmount: DecimalText;
  readonly rates: readonly RateInput[];
  /** Whether `off-market-pricing` was set by the sandbox instead of being computed; null when it was computed. */
  readonly offMarketSet: boolean | null;
  /** The source of the reference had given nothing, so the quote is off-market. Absent otherwise. */
  readonly referenceMissing?: true;
  /** Identifies the content of all rule tables; null of a quote from before inputs were kept. */
  readonly rulesVersion: string | null;
  readonly rules: readonly RuleInput[];
}

/** The terms of a quote with what they were computed from. */
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
