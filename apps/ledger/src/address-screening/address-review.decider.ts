import type {
  AddressHit,
  AddressReviewEvent,
  AddressReviewRecord,
  AddressVerdict,
  ScreenAddressPayload,
  ScreeningOutcome,
  Timestamp,
} from '@ponte/contracts';
import { AddressReviewed, AddressReviewOpened, addressReviewId } from '@ponte/contracts';
import type { Decider, Sealed } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import {
  REVIEWERS,
  assertReviewRead,
  awaitsReview,
  isCovered,
  reviewedBy,
} from '../withdrawal-review/withdrawal-review.domain';

export type AddressReview =
  { readonly status: 'absent' } | ({ readonly status: 'open' | 'decided' } & AddressReviewRecord);

/** `now` is the single clock reading for the decision. */
export type AddressReviewCommand =
  | {
      readonly kind: 'open';
      readonly screened: ScreenAddressPayload;
      readonly hits: readonly AddressHit[];
      readonly now: Timestamp;
    }
  | {
      readonly kind: 'decide';
      /** What was read; see `addressReviewVersion`. */
      readonly version: string;
      readonly verdict: AddressVerdict;
      readonly reason: Sealed;
      readonly staffId: string;
      readonly now: Timestamp;
    };

/**
 * Stream `addressReview-<reviewId>`: the review of one address of one movement. Hits that a review has covered do not
 * open it again.
 */
export const addressReview: Decider<AddressReviewCommand, AddressReview, AddressReviewEvent> = {
  category: 'addressReview',
  initial: { status: 'absent' },
  events: [AddressReviewOpened, AddressReviewed],
  decide(command, state) {
    switch (command.kind) {
      case 'open':
        return open(command, state);
      case 'decide':
        return decide(command, state);
    }
  },
  evolve(state, event) {
    switch (event.type) {
      case 'AddressReviewOpened': {
        const { reviewId: id, openedAt: heldAt, chain = null, asset = null, amount = null, ...rest } = event.data;
        return { status: 'open', id, heldAt, verdicts: [], outcome: 'waits', chain, asset, amount, ...rest };
      }
      case 'AddressReviewed': {
        if (state.status === 'absent') throw new Error('the stream of an address review is damaged');
        const { outcome } = event.data;
        const verdicts = reviewedBy(state, event.data).verdicts;
        return { ...state, status: outcome === 'waits' ? 'open' : 'decided', verdicts, outcome };
      }
    }
  },
};

/** Whether the movement may go ahead; `clear` if no review was ever opened. */
export const outcomeOf = (state: AddressReview): ScreeningOutcome =>
  state.status === 'absent' ? 'clear' : state.outcome;

/** Whether hits open a review. A refusal is final. Verdicts on earlier hits do not count for new hits. */
export const opensReview = (state: AddressReview, hits: readonly AddressHit[]): boolean =>
  hits.length > 0 && outcomeOf(state) !== 'refused' && (state.status === 'absent' || !isCovered(state, hits));

function open(
  {
    screened: { subject, accountId, address, chain, asset, amount },
    hits,
    now,
  }: Extract<AddressReviewCommand, { kind: 'open' }>,
  state: AddressReview,
): AddressReviewEvent[] {
  if (!opensReview(state, hits)) return [];
  const named = { accountId, address: address.toLowerCase(), chain, asset, amount, hits };
  return [new AddressReviewOpened({ reviewId: addressReviewId(subject), subject, ...named, openedAt: now })];
}

/** A false positive needs two different staff members; a single true match is enough to refuse. */
function decide(
  { version, verdict, reason, staffId, now }: Extract<AddressReviewCommand, { kind: 'decide' }>,
  state: AddressReview,
): AddressReviewEvent[] {
  if (state.status === 'absent') return refuse('address-review-not-found', 'there is no such review', 'id');
  if (!awaitsReview(state)) return refuse('review-not-open', 'the review has already been decided', 'id');
  if (verdict === 'false-positive' && state.verdicts.some((one) => one.staffId === staffId))
    return refuse('second-approver-required', 'a different staff member has to make the second decision', 'id');
  assertReviewRead(state, version);
  const { id: reviewId, subject, accountId } = state;
  const agreed = state.verdicts.length + 1 >= REVIEWERS ? 'clear' : 'waits';
  const outcome = verdict === 'true-match' ? 'refused' : agreed;
  const decided = { reviewId, subject, accountId, verdict, reason, staffId, outcome, reviewedAt: now } as const;
  return [new AddressReviewed(decided)];
}
