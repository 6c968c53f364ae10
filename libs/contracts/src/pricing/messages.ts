import type { AssetId } from '@ponte/kernel';
import { requestsOf } from '@ponte/event-sourcing';
import type { DecimalText, Timestamp } from '../shared';
import type { SandboxPricing } from './events';
import type { ExplainedQuote } from './inputs';
import type { Pair } from './pairs';
import type { QuoteRecord, TradeReason } from './quote';

const { command, query } = requestsOf('pricing');

export interface RequestQuotePayload {
  readonly quoteId: string;
  readonly accountId: string;
  readonly scope: 'account' | 'family';
  readonly sourceAsset: AssetId;
  readonly targetAsset: AssetId;
  /**
   * Decimal texts as the caller sent them (already of the decimal grammar); exactly one is required, which pricing
   * checks.
   */
  readonly sourceAmount: DecimalText | null;
  readonly targetAmount: DecimalText | null;
  readonly tradeReason: TradeReason | null;
  readonly rateLock: string | null;
}

/**
 * The smallest and the largest amount that a quote of a pair takes on one of its sides, at the scale of that side's
 * asset.
 */
export interface PairLimits {
  readonly sourceAsset: AssetId;
  readonly targetAsset: AssetId;
  /** Which of the two amounts the request gives. */
  readonly side: 'source' | 'target';
  readonly asset: AssetId;
  readonly minimum: DecimalText;
  readonly maximum: DecimalText;
}

/** A pair that can be ordered, with how long its quotes are valid. */
export interface PairRecord extends Omit<Pair, 'orderable'> {
  readonly validitySeconds: number;
  /** Empty where no lock applies. */
  readonly rateLocks: readonly { readonly name: string; readonly seconds: number }[];
}

export const RequestQuote = command<RequestQuotePayload, QuoteRecord>('request-quote', 'quoteId');
/** Its terms. Whether it was accepted follows a moment later, because the stream of its order decides that. */
export const GetQuote = query<{ quoteId: string }, QuoteRecord | null>('get-quote', 'quoteId');
/**
 * The quote with what it was computed from and how, so that it can be proved and recomputed. Null when the account has
 * no such quote; a null account is staff, who see any.
 */
export const ExplainQuote = query<{ quoteId: string; accountId: string | null }, ExplainedQuote | null>(
  'explain-quote',
  'quoteId',
);
/**
 * A dry run of `RequestQuote`: the quote that the request would get now, or its refusal. Writes nothing, and the quote
 * cannot be accepted.
 */
export const PriceQuote = query<RequestQuotePayload, QuoteRecord>('price-quote', 'accountId');
/**
 * Checks again, for the account an order runs on, what the quote needs: trade reason, rate lock, limits. Refuses as a
 * quote would.
 */
export const CheckQuoteFor = query<{ quoteId: string; accountId: string }, { ok: true }>('check-quote-for', 'quoteId');
/** Every pair that can be ordered, as it is quoted now. */
export const GetPairs = query<Record<string, never>, { pairs: readonly PairRecord[] }>('get-pairs');
/**
 * What a quote of this moment takes, without a rate lock and, for FX, with the trade reason
 * `transfer-between-same-entity-accounts`: two entries for each pair that can be ordered. A pair is left out while its
 * rate is not known.
 */
export const GetLimits = query<{ accountId: string }, { limits: readonly PairLimits[] }>('get-limits', 'accountId');

/** Sandbox alone: fixes the USD/BRL rate and the off-market flag; null gives them back to the source. */
export const SetSandboxPricing = command<SandboxPricing, SandboxPricing>('set-sandbox-pricing');

/** Exactly one is given: by how much business time goes on, or to when; a time that has passed changes nothing. */
export interface ClockAdvance {
  readonly seconds: number | null;
  readonly until: Timestamp | null;
}

/**
 * Sandbox alone: moves business time on for every service. Leases, nonces, tokens and deadlines go by the machine's own
 * time.
 */
export const AdvanceClock = command<ClockAdvance, { now: Timestamp; aheadMs: number }>('advance-clock');
