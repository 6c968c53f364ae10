import { requestsOf } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import type { Page, PageRequest, Timestamp } from '../shared';
import type { AddressSubject, ScreeningOutcome } from './address-review-events';
import type { AddressHit, AddressVerdict } from './withdrawal-events';
import type { WithdrawalReview } from './withdrawal-messages';

const { command, query } = requestsOf('ledger');

/** A review of an address that sanctions lists name. For staff alone. */
export interface AddressReviewRecord extends WithdrawalReview {
  readonly id: string;
  readonly subject: AddressSubject;
  readonly accountId: string;
  readonly address: string;
  /** Null where it is not known: of a wallet, and of reviews that were opened before it was recorded. */
  readonly chain: Chain | null;
  readonly outcome: ScreeningOutcome;
}

/** A true match: staff decided that a movement of the account has an address that sanctions lists mean. */
export interface AddressMatch {
  readonly reviewId: string;
  readonly subject: AddressSubject;
  readonly accountId: string;
  readonly address: string;
  readonly chain: Chain | null;
  readonly reason: string;
  readonly staffId: string;
  readonly decidedAt: Timestamp;
}

export interface ScreenAddressPayload {
  readonly subject: AddressSubject;
  readonly accountId: string;
  readonly address: string;
  /** Null of a wallet, which has its address on every chain. */
  readonly chain: Chain | null;
}

/**
 * Whether a movement may use the address: asked by what sends, each time before it sends. A hit opens a review; an open
 * review has to be decided even when no list names the address any more.
 */
export const ScreenAddress = command<ScreenAddressPayload, { readonly outcome: ScreeningOutcome }>(
  'screen-address',
  ({ subject }) => subject.id,
);

/** The entries that name any of the addresses. Opens no review: of an account request the request has its own. */
export const FindAddressHits = query<
  { readonly addresses: readonly string[] },
  { readonly found: readonly { readonly address: string; readonly hits: readonly AddressHit[] }[] }
>('find-address-hits');

/** For staff: what waits for a review, withdrawals too, the longest waiting first, at most 200. */
export const ListAddressReviews = query<Record<string, never>, { readonly reviews: readonly AddressReviewRecord[] }>(
  'list-address-reviews',
);

/** Null members do not filter. `verdict`: what the review ended with; one that still waits has none. */
export interface AddressReviewFilters {
  readonly accountId: string | null;
  readonly verdict: AddressVerdict | null;
}

/** For staff: reviews, decided or not, withdrawals too, newest first by the time at which the movement was held. */
export const SearchAddressReviews = query<
  { readonly filters: AddressReviewFilters; readonly page: PageRequest },
  Page<AddressReviewRecord>
>('search-address-reviews');

/** True matches that {@link ListAddressMatches} returns at most. */
export const MOST_ADDRESS_MATCHES = 50;

/** For staff: the true matches of an account, withdrawals too, newest decision first, and how many there are. */
export const ListAddressMatches = query<
  { readonly accountId: string },
  { readonly matches: readonly AddressMatch[]; readonly total: number }
>('list-address-matches', 'accountId');

/** For staff: one review, decided or not. Null when it does not exist. */
export const GetAddressReview = query<{ readonly reviewId: string }, AddressReviewRecord | null>(
  'get-address-review',
  'reviewId',
);

/**
 * A member of staff decides about the hits. Two different ones have to agree on `false-positive`; one `true-match`
 * refuses. Refuses `address-review-not-found`, `review-not-open` and `second-approver-required`.
 */
export const DecideAddressReview = command<
  {
    readonly reviewId: string;
    readonly verdict: AddressVerdict;
    readonly reason: string;
    readonly staffId: string;
  },
  AddressReviewRecord
>('decide-address-review', 'reviewId');

/** How many reviews ended with a true match, by what they belong to. */
export interface CountedMatches {
  readonly kind: AddressSubject['kind'];
  readonly count: number;
}

/** How many reviews wait, by what they belong to, and since when the first does. */
export interface WaitingReviews {
  readonly kind: AddressSubject['kind'];
  readonly count: number;
  readonly since: Timestamp | null;
}
