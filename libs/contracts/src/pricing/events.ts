import { event } from '@ponte/event-sourcing';
import type { DecimalText, Timestamp } from '../shared';
import type { QuoteTerms } from './quote';

/** Stream `quote-<quoteId>`. */
export class QuoteIssued extends event('QuoteIssued')<QuoteTerms> {}

/** Recorded from `OrderPlaced`: the order's stream is the arbiter of acceptance. */
export class QuoteAccepted extends event('QuoteAccepted')<{ quoteId: string; orderId: string; acceptedAt: Timestamp }> {}

export type QuoteFact = QuoteIssued | QuoteAccepted;

/** What the sandbox was told to price with; null leaves it to the source. */
export interface SandboxPricing {
  /** BRL for one USD, ten decimals. */
  readonly rate: DecimalText | null;
  readonly offMarket: boolean | null;
}

/** Sandbox alone. Stream `sandboxPricing-usd-brl`. */
export class SandboxPricingSet extends event('SandboxPricingSet')<SandboxPricing> {}
