import { addressReviewVersion } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';
import type { AddressHit, WithdrawalHeldForReview, WithdrawalReview } from '@ponte/contracts';

/** The number of staff members who have to agree that a hit is a false positive. */
export const REVIEWERS = 2;

const keyOf = ({ list, entryId }: AddressHit): string => `${list} ${entryId}`;

/** Whether the review still needs a decision of staff. */
export const awaitsReview = (review: WithdrawalReview | null): boolean =>
  review !== null &&
  review.verdicts.length < REVIEWERS &&
  !review.verdicts.some(({ verdict }) => verdict === 'true-match');

/** The final verdict of a review; null while it is open, or if the movement ended before staff decided. */
export function verdictOf({ verdicts }: WithdrawalReview): WithdrawalReview['verdicts'][number] | null {
  const last = verdicts.at(-1);
  if (last?.verdict === 'true-match') return last;
  return last && verdicts.length >= REVIEWERS ? last : null;
}

/** Whether a review, decided or not, already has all of these hits. Any other hit opens a new review. */
export function isCovered(review: WithdrawalReview | null, hits: readonly AddressHit[]): boolean {
  const known = new Set(review?.hits.map(keyOf));
  return hits.every((hit) => known.has(keyOf(hit)));
}

/** Refuses a verdict of a staff member who has read other hits or other verdicts than those of the review now. */
export function assertReviewRead(review: WithdrawalReview, version: string): void {
  if (version === addressReviewVersion(review)) return;
  const { hits, verdicts } = review;
  refuse(
    'review-changed',
    `the review has changed since you read it: it has ${counted(hits.length, 'hit')} and ` +
      `${counted(verdicts.length, 'verdict')} now; read it again`,
    'version',
  );
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Verdicts on the earlier hits do not count for the new hits. */
export const heldAgain = ({ hits, heldAt }: WithdrawalHeldForReview['data']): WithdrawalReview => ({
  hits,
  heldAt,
  verdicts: [],
});

/** The review with one more verdict. Throws if no review is open. */
export function reviewedBy(
  review: WithdrawalReview | null,
  { staffId, verdict, reason, reviewedAt }: WithdrawalReview['verdicts'][number],
): WithdrawalReview {
  if (!review) throw new Error('the stream of a withdrawal is damaged: a review that was never opened');
  return { ...review, verdicts: [...review.verdicts, { staffId, verdict, reason, reviewedAt }] };
}
