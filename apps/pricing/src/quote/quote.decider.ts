import { refuse } from '@ponte/kernel';
import type { Decider } from '@ponte/event-sourcing';
import { assertMove, behindEvent } from '@ponte/event-sourcing';
import type { IssuedQuote, QuoteEvent, QuoteRecord, QuoteTerms, Timestamp } from '@ponte/contracts';
import { QuoteAccepted, QuoteIssued, quoteMachine } from '@ponte/contracts';

/**
 * `expired` is no state of the stream: it is computed from the time, and the order's stream decides about acceptance.
 */
export type Quote =
  | { readonly status: 'absent' }
  | { readonly status: 'open'; readonly terms: IssuedQuote }
  | { readonly status: 'accepted'; readonly terms: IssuedQuote; readonly orderId: string };

export type QuoteCommand =
  | { readonly kind: 'issue'; readonly terms: IssuedQuote }
  /** An order took the quote; nothing is left to be checked. */
  | {
      readonly kind: 'record-acceptance';
      readonly quoteId: string;
      readonly orderId: string;
      readonly acceptedAt: Timestamp;
    };

/** Stream `quote-<quoteId>`. */
export const quote: Decider<QuoteCommand, Quote, QuoteEvent> = {
  category: 'quote',
  initial: { status: 'absent' },
  events: [QuoteIssued, QuoteAccepted],
  decide(command, state) {
    switch (command.kind) {
      case 'issue':
        return issue(command.terms, state);
      case 'record-acceptance':
        return recordAcceptance(command, state);
    }
  },
  evolve(state, event) {
    switch (event.type) {
      case 'QuoteIssued':
        return { status: 'open', terms: event.data };
      case 'QuoteAccepted':
        return state.status === 'absent'
          ? state
          : { status: 'accepted', terms: state.terms, orderId: event.data.orderId };
    }
  },
};

function issue(terms: IssuedQuote, state: Quote): QuoteEvent[] {
  // The same command is answered before it comes here, so this is another command under the id of an old one.
  if (state.status !== 'absent') return refuse('idempotency-key-reused', 'this id belongs to another quote');
  return [new QuoteIssued(terms)];
}

function recordAcceptance(
  { quoteId, orderId, acceptedAt }: Extract<QuoteCommand, { kind: 'record-acceptance' }>,
  state: Quote,
): QuoteEvent[] {
  // An order is placed on a quote that was read, so an absent one is an old state.
  if (state.status === 'absent') return behindEvent(`quote ${quoteId}`, state.status);
  if (state.status === 'accepted' && state.orderId === orderId) return [];
  assertMove(quoteMachine, state.status, 'accepted');
  return [new QuoteAccepted({ quoteId, orderId, acceptedAt })];
}

/** The quote as it stands at a time (ISO 8601), or null. */
export function recordOf(state: Quote, now: Timestamp): QuoteRecord | null {
  switch (state.status) {
    case 'absent':
      return null;
    case 'accepted':
      return recordWith(state.terms, 'accepted', state.orderId);
    // Both are UTC with milliseconds, so their texts compare as the times do. Valid while now is before the end.
    case 'open':
      return recordWith(state.terms, now < state.terms.expiresAt ? 'open' : 'expired', null);
  }
}

/** Member by member: spreading as many as these costs 3 % of a quote. */
const recordWith = (terms: QuoteTerms, state: QuoteRecord['state'], orderId: string | null): QuoteRecord => ({
  quoteId: terms.quoteId,
  accountId: terms.accountId,
  scope: terms.scope,
  sourceAsset: terms.sourceAsset,
  targetAsset: terms.targetAsset,
  sourceAmount: terms.sourceAmount,
  targetAmount: terms.targetAmount,
  givenSide: terms.givenSide,
  createdAt: terms.createdAt,
  expiresAt: terms.expiresAt,
  pricing: terms.pricing,
  offMarketPricing: terms.offMarketPricing,
  vet: terms.vet,
  tradeReason: terms.tradeReason,
  rateLock: terms.rateLock,
  state,
  orderId,
});
