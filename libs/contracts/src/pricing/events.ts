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

/** Stream `quote-<quoteId>`. Since version 2 it contains the inputs of the computation. */
export class QuoteIssued extends event('QuoteIssued', 2, { 1: withoutInputs })<IssuedQuote> {}

/**
 * An order was placed for the quote. Recorded after `OrderPlaced`: the stream of the order decides which acceptance
 * succeeds.
 */
export class QuoteAccepted extends event('QuoteAccepted')<{
  quoteId: string;
  orderId: string;
  acceptedAt: Timestamp;
}> {}

export type QuoteEvent = QuoteIssued | QuoteAccepted;

/** Overrides of the sandbox. Null fields are not overridden. */
export interface SandboxPricing {
  /** BRL per USD, ten decimals. */
  readonly rate: DecimalText | null;
  readonly offMarket: boolean | null;
}

/** Sandbox only. Stream `sandboxPricing-usd-brl`. */
export class SandboxPricingSet extends event('SandboxPricingSet')<SandboxPricing> {}

/** The stream of {@link BusinessTimeAdvanced}. An installation has one business time. */
export const SANDBOX_CLOCK_ID = 'business';
export const SANDBOX_CLOCK_CATEGORY = 'sandboxClock';

/** How far business time is ahead of system time, in milliseconds. It never decreases. */
export interface SandboxTime {
  readonly aheadMs: number;
}

/** Sandbox only. Stream `sandboxClock-business`: business time was advanced for all processes that read this log. */
export class BusinessTimeAdvanced extends event('BusinessTimeAdvanced')<SandboxTime> {}
