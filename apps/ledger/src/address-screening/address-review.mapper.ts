import type { AddressMatch, AddressReviewRecord, WithdrawalRecord } from '@ponte/contracts';
import { assetOf } from '@ponte/kernel';
import { awaitsReview, verdictOf } from '../withdrawal-review/withdrawal-review.domain';
import type { AddressReview } from './address-review.decider';

/** The review as shown to staff; null if it was never opened. */
export function reviewRecord(state: AddressReview): AddressReviewRecord | null {
  if (state.status === 'absent') return null;
  const { status: _, ...record } = state;
  return record;
}

/** The review of a withdrawal, read from the withdrawal's own stream; null if no list named its address. */
export function reviewOfWithdrawal({
  id,
  accountId,
  asset,
  amount,
  target,
  review,
  state,
}: WithdrawalRecord): AddressReviewRecord | null {
  if (!review || target.method !== 'token') return null;
  const ended = state === 'rolled-back' && verdictOf(review)?.verdict !== 'false-positive' ? 'refused' : 'clear';
  return {
    ...review,
    id,
    subject: { kind: 'withdrawal', id },
    accountId,
    address: target.destinationWalletAddress,
    chain: assetOf(asset).chain ?? null,
    asset,
    amount,
    outcome: state === 'created' && awaitsReview(review) ? 'waits' : ended,
  };
}

/** The true match that a review ended with; null if it ended otherwise or is still open. */
export function matchOf(record: AddressReviewRecord): AddressMatch | null {
  const decided = verdictOf(record);
  if (decided?.verdict !== 'true-match') return null;
  const { id: reviewId, subject, accountId, address, chain } = record;
  const { reason, staffId, reviewedAt: decidedAt } = decided;
  return { reviewId, subject, accountId, address, chain, reason, staffId, decidedAt };
}
