import type { AddressReviewRecord, WithdrawalReview } from '@ponte/contracts';
import type { AddressReviewDto, QueuedAddressReviewDto } from './address-review.dto';

export const reviewDto = ({ heldAt, hits, verdicts }: WithdrawalReview): AddressReviewDto => ({
  'held-at': heldAt,
  hits: hits.map(({ list, entryId, programs }) => ({ list, 'entry-id': entryId, programs: [...programs] })),
  verdicts: verdicts.map(({ staffId, verdict, reason, reviewedAt }) => ({
    verdict,
    reason,
    'staff-id': staffId,
    'reviewed-at': reviewedAt,
  })),
});

export const queuedReviewDto = (record: AddressReviewRecord): QueuedAddressReviewDto => ({
  id: record.id,
  subject: record.subject.kind,
  'subject-id': record.subject.id,
  'account-id': record.accountId,
  address: record.address,
  chain: record.chain,
  outcome: record.outcome,
  ...reviewDto(record),
});
