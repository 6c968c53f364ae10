import type { AddressReviewRecord, WithdrawalReview } from '@ponte/contracts';
import { addressReviewVersion } from '@ponte/contracts';
import { toWire } from '@ponte/kernel';
import type { NoteOpening } from '../sealed-note';
import { openNote } from '../sealed-note';
import type { AddressReviewDto, QueuedAddressReviewDto } from './address-review.dto';

/** The review. `opening` opens the reasons of its verdicts: null unless the view of them is recorded. */
export const reviewDto = async (
  reviewId: string,
  review: WithdrawalReview,
  opening: NoteOpening | null,
): Promise<AddressReviewDto> => ({
  version: addressReviewVersion(review),
  'held-at': review.heldAt,
  hits: review.hits.map(({ list, entryId, programs }) => ({ list, 'entry-id': entryId, programs: [...programs] })),
  verdicts: await Promise.all(
    review.verdicts.map(async ({ staffId, verdict, reason, reviewedAt }) => ({
      verdict,
      ...(opening && { reason: await openNote(reason, 'the reason of a verdict', { reviewId }, opening) }),
      'staff-id': staffId,
      'reviewed-at': reviewedAt,
    })),
  ),
});

export const queuedReviewDto = async (
  record: AddressReviewRecord,
  opening: NoteOpening | null,
): Promise<QueuedAddressReviewDto> => ({
  subject: record.subject.kind,
  'subject-id': record.subject.id,
  ...toWire(record, 'id', 'accountId', 'address', 'chain', 'asset', 'amount', 'outcome'),
  ...(await reviewDto(record.id, record, opening)),
});
