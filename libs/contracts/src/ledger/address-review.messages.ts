import { requestsOf } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { AssetId, Chain } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import type { DecimalText, Page, PageRequest, Timestamp } from '../shared';
import type { AddressSubject, AddressSubjectKind, ScreeningOutcome } from './address-review-events';
import type { AddressHit, AddressVerdict } from './withdrawal-events';
import type { WithdrawalReview } from './withdrawal.messages';

const { command, query } = requestsOf('ledger');

/** A review of an address that is on a sanctions list. For staff only. */
export interface AddressReviewRecord extends WithdrawalReview {
  readonly id: string;
  readonly subject: AddressSubject;
  readonly accountId: string;
  readonly address: string;
  /** Null if unknown: for a wallet, and for reviews from before it was recorded. */
  readonly chain: Chain | null;
  /** What is moved; null for a wallet or a certificate, and for reviews from before it was recorded. */
  readonly asset: AssetId | null;
  readonly amount: DecimalText | null;
  readonly outcome: ScreeningOutcome;
}

/**
 * Identifies what a reviewer reads: the hits, and the verdicts of others. A verdict names it, because new hits or
 * another verdict may arrive in the meantime.
 */
export const addressReviewVersion = ({ heldAt, hits, verdicts }: WithdrawalReview): string =>
  derivedId(
    'address-review-version',
    heldAt,
    String(hits.length),
    ...hits.flatMap(({ list, entryId }) => [list, entryId]),
    ...verdicts.flatMap(({ staffId, verdict, reviewedAt }) => [staffId, verdict, reviewedAt]),
  );

/** A true match: staff decided that the address of a movement is the sanctioned one. */
export interface AddressMatch {
  readonly reviewId: string;
  readonly subject: AddressSubject;
  readonly accountId: string;
  readonly address: string;
  readonly chain: Chain | null;
  /** Sealed under the holder of the account. */
  readonly reason: Sealed;
  readonly staffId: string;
  readonly decidedAt: Timestamp;
}

export interface ScreenAddressPayload {
  readonly subject: AddressSubject;
  readonly accountId: string;
  readonly address: string;
  /** Null for a wallet, which has the same address on every chain. */
  readonly chain: Chain | null;
  /** Null for a wallet or a certificate. */
  readonly asset: AssetId | null;
  readonly amount: DecimalText | null;
}

/**
 * Whether a movement may use the address. The sender asks each time before it sends. A hit opens a review, which has to
 * be decided even if the address is removed from all lists.
 */
export const ScreenAddress = command<ScreenAddressPayload, { readonly outcome: ScreeningOutcome }>(
  'screen-address',
  ({ subject }) => subject.id,
);

/** The list entries that contain any of the addresses. Opens no review, because an account request has its own. */
export const FindAddressHits = query<
  { readonly addresses: readonly string[] },
  { readonly found: readonly { readonly address: string; readonly hits: readonly AddressHit[] }[] }
>('find-address-hits');

/** Fields that are null or absent do not filter. */
export interface ReviewedMovementFilters {
  readonly subject?: AddressSubjectKind | null;
  readonly chain?: Chain | null;
  readonly asset?: AssetId | null;
}

/** For staff: open reviews including those of withdrawals, the longest waiting first, at most 200. */
export const ListAddressReviews = query<ReviewedMovementFilters, { readonly reviews: readonly AddressReviewRecord[] }>(
  'list-address-reviews',
);

/** Null fields do not filter. `verdict`: the result of the review; `none`: open reviews. */
export interface AddressReviewFilters extends ReviewedMovementFilters {
  readonly accountId: string | null;
  readonly verdict: AddressVerdict | 'none' | null;
}

/**
 * For staff: open and decided reviews including those of withdrawals, newest first by the time the movement was held.
 */
export const SearchAddressReviews = query<
  { readonly filters: AddressReviewFilters; readonly page: PageRequest },
  Page<AddressReviewRecord>
>('search-address-reviews');

/** The most true matches that {@link ListAddressMatches} returns. */
export const MAX_ADDRESS_MATCHES = 50;

/**
 * For staff: the true matches of an account including those of withdrawals, newest decision first, and their number.
 */
export const ListAddressMatches = query<
  { readonly accountId: string },
  { readonly matches: readonly AddressMatch[]; readonly total: number }
>('list-address-matches', 'accountId');

/** The ids of the reviews of an account, including those of withdrawals, that wait for staff. */
export const ListWaitingAddressReviews = query<
  { readonly accountId: string },
  { readonly reviewIds: readonly string[] }
>('list-waiting-address-reviews', 'accountId');

/** For staff: an open or decided review. Null when it does not exist. */
export const GetAddressReview = query<{ readonly reviewId: string }, AddressReviewRecord | null>(
  'get-address-review',
  'reviewId',
);

/**
 * Records the verdict of a staff member. `false-positive` needs two different members; one `true-match` is final.
 * `version` is the {@link addressReviewVersion} of the review that was read; any other is refused with
 * `review-changed`.
 * Refuses `address-review-not-found`, `review-not-open`, `second-approver-required`, and `person-erased` if the data of
 * the account's holder was erased.
 */
export const DecideAddressReview = command<
  {
    readonly reviewId: string;
    readonly version: string;
    readonly verdict: AddressVerdict;
    /** Sealed with {@link sealVerdictReason}. */
    readonly reason: Sealed;
    readonly staffId: string;
  },
  AddressReviewRecord
>('decide-address-review', 'reviewId');

/** Number of reviews that ended with a true match, by kind of subject. */
export interface CountedMatches {
  readonly kind: AddressSubject['kind'];
  readonly count: number;
}

/** Number of open reviews by kind of subject, and since when the oldest waits. */
export interface WaitingReviews {
  readonly kind: AddressSubject['kind'];
  readonly count: number;
  readonly since: Timestamp | null;
}
