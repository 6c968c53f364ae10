import { event } from '@ponte/event-sourcing';
import type { Timestamp } from '../shared';
import type { QuoteTerms } from './quote';

/** Stream `quote-<quoteId>`. */
export class QuoteIssued extends event('QuoteIssued')<QuoteTerms> {}

/** Recorded from `OrderPlaced`: the order's stream is the arbiter of acceptance. */
export class QuoteAccepted extends event('QuoteAccepted')<{ quoteId: string; orderId: string; acceptedAt: Timestamp }> {}

export type QuoteFact = QuoteIssued | QuoteAccepted;
