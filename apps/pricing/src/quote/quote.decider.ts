import { refuse } from '@ponte/kernel';
import type { Decider } from '@ponte/event-sourcing';
import { assertMove, behindEvent } from '@ponte/event-sourcing';
import type { IssuedQuote, QuoteEvent, QuoteRecord, QuoteTerms, Timestamp } from '@ponte/contracts';
import { QuoteAccepted, QuoteIssued, quoteMachine } from '@ponte/contracts';

/**
 * `expired` is not a state of the stream: it is computed from the time. The order's stream decides about acceptance.
 */
type Quote =
  | { readonly status: 'absent' }
  | { readonly status: 'open'; readonly terms: IssuedQuote }
  | { readonly status: 'accepted'; readonly terms: IssuedQuote; readonly orderId: string };

export type QuoteCommand =
  | { readonly kind: 'issue'; readonly terms: IssuedQuote }
  /** An order accepted the quote. It was decided in the order's stream, so nothing is checked. */
  | {
      readonly kind: 'record-acceptance';
      readonly quoteId: string;
      readonly orderId: string;
      readonly acceptedAt: Timestamp;
    };

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
  // A repeated command is answered before this point, so this is a different command with the id of an existing quote.
  if (state.status !== 'absent') return refuse('idempotency-key-reused', 'this id belongs to another quote');
  return [new QuoteIssued(terms)];
}

function recordAcceptance(
  { quoteId, orderId, acceptedAt }: Extract<QuoteCommand, { kind: 'record-acceptance' }>,
  state: Quote,
): QuoteEvent[] {
  // An order is placed on a quote that was read, so an absent quote means that this state is out of date.
  if (state.status === 'absent') return behindEvent(`quote ${quoteId}`, state.status);
  if (state.status === 'accepted' && state.orderId === orderId) return [];
  assertMove(quoteMachine, state.status, 'accepted');
  return [new QuoteAccepted({ quoteId, orderId, acceptedAt })];
}

/** The record of the quote at a time (ISO 8601). Null if it was not issued. */
export function recordOf(state: Quote, now: Timestamp): QuoteRecord | null {
  switch (state.status) {
    case 'absent':
      return null;
    case 'accepted':
      return recordWith(state.terms, 'accepted', state.orderId);
    // Both times are UTC with milliseconds, so comparing the texts compares the times. The end is exclusive.
    case 'open':
      return recordWith(state.terms, now < state.terms.expiresAt ? 'open' : 'expired', null);
  }
}

/** Copies member by member, because spreading this many members costs 3 % of a quote. */
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
