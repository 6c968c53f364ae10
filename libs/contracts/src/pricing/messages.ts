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
   * Decimal texts as the caller sent them, already checked against the decimal grammar. Exactly one is required, which
   * pricing checks.
   */
  readonly sourceAmount: DecimalText | null;
  readonly targetAmount: DecimalText | null;
  readonly tradeReason: TradeReason | null;
  readonly rateLock: string | null;
}

/** The smallest and largest amount of a quote of a pair on one side, at the scale of that side's asset. */
export interface PairLimits {
  readonly sourceAsset: AssetId;
  readonly targetAsset: AssetId;
  /** The side whose amount the request gives. */
  readonly side: 'source' | 'target';
  readonly asset: AssetId;
  readonly minimum: DecimalText;
  readonly maximum: DecimalText;
}

/** A pair that can be ordered, and how long its quotes are valid. */
export interface PairRecord extends Omit<Pair, 'orderable'> {
  readonly validitySeconds: number;
  /** Empty when no rate lock applies. */
  readonly rateLocks: readonly { readonly name: string; readonly seconds: number }[];
}

export const RequestQuote = command<RequestQuotePayload, QuoteRecord>('request-quote', 'quoteId');
/** The quote. Its state may lag for a moment, because the stream of its order decides whether it was accepted. */
export const GetQuote = query<{ quoteId: string }, QuoteRecord | null>('get-quote', 'quoteId');
/**
 * The quote with its inputs and the steps of its computation, so that it can be verified. Null when the account has no
 * such quote. `accountId` is null for staff, who see every quote.
 */
export const ExplainQuote = query<{ quoteId: string; accountId: string | null }, ExplainedQuote | null>(
  'explain-quote',
  'quoteId',
);
/**
 * A dry run of `RequestQuote`: the quote that it would issue now, or its refusal. Writes nothing, and the quote cannot
 * be accepted.
 */
export const PriceQuote = query<RequestQuotePayload, QuoteRecord>('price-quote', 'accountId');
/**
 * Checks the quote's trade reason, rate lock and limits again for the account of an order. Refuses as a quote would.
 */
export const CheckQuoteFor = query<{ quoteId: string; accountId: string }, { ok: true }>('check-quote-for', 'quoteId');
/** All pairs that can be ordered, with their current conditions. */
export const GetPairs = query<Record<string, never>, { pairs: readonly PairRecord[] }>('get-pairs');
/**
 * The current limits of quotes, without a rate lock and, for FX, with the trade reason
 * `transfer-between-same-entity-accounts`: two entries for each pair that can be ordered. Pairs without a known rate
 * are left out.
 */
export const GetLimits = query<{ accountId: string }, { limits: readonly PairLimits[] }>('get-limits', 'accountId');

/** Sandbox only: fixes the USD/BRL rate and the off-market flag; null uses the source again. */
export const SetSandboxPricing = command<SandboxPricing, SandboxPricing>('set-sandbox-pricing');

/** By how much business time moves, or until when; exactly one is set. A time in the past changes nothing. */
export interface ClockAdvance {
  readonly seconds: number | null;
  readonly until: Timestamp | null;
}

/** Sandbox only: moves business time forward for all services. Leases, nonces, tokens and deadlines use system time. */
export const AdvanceClock = command<ClockAdvance, { now: Timestamp; aheadMs: number }>('advance-clock');
