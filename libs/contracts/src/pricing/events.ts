import { event } from '@ponte/event-sourcing';
import type { DecimalText, Timestamp } from '../shared';
import type { IssuedQuote } from './inputs';
import type { QuoteTerms } from './quote';

/** Version 1 recorded the issued amounts, but neither rates nor rules. */
const withoutInputs = (terms: QuoteTerms): IssuedQuote => ({
  ...terms,
  inputs: {
    givenAmount: terms.givenSide === 'source' ? terms.sourceAmount : terms.targetAmount,
    rates: [],
    offMarketSet: null,
    rulesVersion: null,
    rules: [],
  },
});

/** Stream `quote-<quoteId>`. Version 2 keeps what the quote was computed from. */
export class QuoteIssued extends event('QuoteIssued', 2, { 1: withoutInputs })<IssuedQuote> {}

/** Recorded from `OrderPlaced`: the order's stream is the arbiter of acceptance. */
export class QuoteAccepted extends event('QuoteAccepted')<{
  quoteId: string;
  orderId: string;
  acceptedAt: Timestamp;
}> {}

export type QuoteEvent = QuoteIssued | QuoteAccepted;

/** The rate that the sandbox was set to; null uses the source. */
export interface SandboxPricing {
  /** BRL for one USD, ten decimals. */
  readonly rate: DecimalText | null;
  readonly offMarket: boolean | null;
}

/** Sandbox alone. Stream `sandboxPricing-usd-brl`. */
export class SandboxPricingSet extends event('SandboxPricingSet')<SandboxPricing> {}

/** The stream of {@link BusinessTimeAdvanced}. An installation has one business time. */
export const SANDBOX_CLOCK_ID = 'business';
export const SANDBOX_CLOCK_CATEGORY = 'sandboxClock';

/** Where business time stands, in milliseconds ahead of the machines' own; it never goes back. */
export interface SandboxTime {
  readonly aheadMs: number;
}

/** Sandbox alone. Stream `sandboxClock-business`: business time was moved on, for every process that reads this log. */
export class BusinessTimeAdvanced extends event('BusinessTimeAdvanced')<SandboxTime> {}
