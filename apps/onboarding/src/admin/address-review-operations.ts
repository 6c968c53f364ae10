import type { AddressReviewRecord, AddressVerdict } from '@ponte/contracts';

/** A member of staff who signs in with name and password for one step. */
export interface StaffSignIn {
  readonly as: string;
  /** In clear: sealed before it leaves the process that took it. */
  readonly password: string;
}

export interface AddressDecision extends StaffSignIn {
  readonly reviewId: string;
  readonly verdict: AddressVerdict;
  readonly reason: string;
}

/** A review of an address that sanctions lists name, as a flat record. */
export interface AddressReviewShown {
  readonly reviewId: string;
  readonly subject: string;
  readonly subjectId: string;
  readonly accountId: string;
  readonly address: string;
  readonly outcome: string;
  readonly heldAt: string;
  readonly verdicts: number;
}

export const addressReviewShown = (review: AddressReviewRecord): AddressReviewShown => ({
  reviewId: review.id,
  subject: review.subject.kind,
  subjectId: review.subject.id,
  accountId: review.accountId,
  address: review.address,
  outcome: review.outcome,
  heldAt: review.heldAt,
  verdicts: review.verdicts.length,
});
