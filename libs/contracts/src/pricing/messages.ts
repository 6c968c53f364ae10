import type { AssetId } from '@ponte/kernel';
import { command, query } from '@ponte/event-sourcing';
import type { DecimalText, Timestamp } from '../shared';
import type { SandboxPricing } from './events';
import type { QuoteRecord, TradeReason } from './quote';

export interface RequestQuotePayload {
  readonly quoteId: string;
  readonly accountId: string;
  readonly scope: 'account' | 'family';
  readonly sourceAsset: AssetId;
  readonly targetAsset: AssetId;
  /** Decimal texts as the caller sent them (already of the decimal grammar); exactly one is required, which pricing judges. */
  readonly sourceAmount: DecimalText | null;
  readonly targetAmount: DecimalText | null;
  readonly tradeReason: TradeReason | null;
  readonly rateLock: string | null;
}

/** The least and the most of one asset in one quote, in that asset; of a token, whichever side it stands on. */
export interface AccountLimits {
  readonly asset: AssetId;
  readonly minimum: DecimalText;
  readonly maximum: DecimalText;
}

export const RequestQuote = command<RequestQuotePayload, QuoteRecord>('pricing', 'request-quote', (payload) => payload.quoteId);
/** Its terms; whether it was accepted is told a moment later, since the stream of its order decides that. */
export const GetQuote = query<{ quoteId: string }, QuoteRecord | null>('pricing', 'get-quote', (payload) => payload.quoteId);
/** Judges again, for the account an order runs on, what the quote needs: trade reason, rate lock, limits. Refuses as a quote would. */
export const CheckQuoteFor = query<{ quoteId: string; accountId: string }, { ok: true }>('pricing', 'check-quote-for', (payload) => payload.quoteId);
/** BRL first, then each token; a token is left out while its rate is not known. */
export const GetLimits = query<{ accountId: string }, { limits: readonly AccountLimits[] }>('pricing', 'get-limits', (payload) => payload.accountId);

/** Sandbox alone: fixes the USD/BRL rate and the off-market flag; null gives them back to the source. */
export const SetSandboxPricing = command<SandboxPricing, SandboxPricing>('pricing', 'set-sandbox-pricing', () => undefined);

/** Exactly one is given: by how much business time goes on, or to when; a time that has passed changes nothing. */
export interface ClockAdvance {
  readonly seconds: number | null;
  readonly until: Timestamp | null;
}

/** Sandbox alone: moves business time on for every service. Leases, nonces, tokens and deadlines go by the machine's own time. */
export const AdvanceClock = command<ClockAdvance, { now: Timestamp; aheadMs: number }>('pricing', 'advance-clock', () => undefined);
