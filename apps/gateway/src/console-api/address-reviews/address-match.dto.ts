import type { AddressMatch, AddressSubjectKind } from '@ponte/contracts';
import { ADDRESS_SUBJECTS } from '@ponte/contracts';
import { CHAINS } from '@ponte/kernel';
import { instant, oneOf, text, uuid } from '../../validation/field-types';
import { exampleOf, Nullable, Optional, Required, RequiredObject } from '../../validation/fields';
import { lines } from '../../validation/person-field-types';
import type { NameOf } from '../../staff/names.service';
import { SAMPLE } from '../../api/samples';
import { StaffRefDto } from '../review/queue.dto';
import type { NoteOpening } from '../sealed-note';
import { openNote } from '../sealed-note';
import { staffRef } from '../review/queue.mapper';

/** A true match: staff decided that the address of one of the account's movements is the sanctioned one. */
export class AddressMatchDto {
  @Required(uuid, 'The id of the review. For a withdrawal, the id of the withdrawal', SAMPLE.withdrawalId)
  'review-id'!: string;

  @Required(oneOf(ADDRESS_SUBJECTS), 'The resource that uses the address', 'withdrawal')
  subject!: AddressSubjectKind;

  @Required(uuid, 'The id of the withdrawal, transfer, order or deposit', SAMPLE.withdrawalId)
  'subject-id'!: string;

  @Required(text(1, 60), 'The address that is on a list', SAMPLE.wallet)
  address!: string;

  @Nullable(oneOf(CHAINS), 'The chain. Null for a wallet, which has the same address on every chain', 'eth-base')
  chain!: string | null;

  @Optional(
    lines(2_000),
    'The reason for the verdict. Absent if the view of it is not recorded. `[erased]` after the data of the holder ' +
      'was erased, `[unavailable]` if it is damaged',
    'Ticket 4711',
  )
  reason?: string;

  @RequiredObject(() => StaffRefDto, 'The staff member who decided')
  'decided-by'!: StaffRefDto;

  @Required(instant, 'When it was decided', SAMPLE.time)
  'decided-at'!: string;
}

export const ADDRESS_MATCH_EXAMPLE = exampleOf(AddressMatchDto, {
  'decided-by': { id: SAMPLE.parentId, name: 'approver-1' },
});

/** The match. `opening` opens the reason of its verdict: null unless the view of it is recorded. */
export const addressMatchDto = async (
  match: AddressMatch,
  nameOf: NameOf,
  opening: NoteOpening | null,
): Promise<AddressMatchDto> => ({
  'review-id': match.reviewId,
  subject: match.subject.kind,
  'subject-id': match.subject.id,
  address: match.address,
  chain: match.chain,
  ...(opening && {
    reason: await openNote(match.reason, 'the reason of a verdict', { reviewId: match.reviewId }, opening),
  }),
  'decided-by': staffRef(match.staffId, nameOf),
  'decided-at': match.decidedAt,
});
