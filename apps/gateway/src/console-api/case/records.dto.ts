import { STAFF_ROLES, VIEW_PURPOSES, VIEWED_DATA } from '@ponte/contracts';
import { instant, oneOf, text } from '../../validation/field-types';
import { Nullable, Required, RequiredObject } from '../../validation/fields';
import { listOfWords } from '../../validation/list-field-types';
import { SAMPLE } from '../../api/samples';
import { StaffRefDto } from '../review/queue.dto';

export class PartnerNoteDto {
  @Required(text(0, 8_000), 'The message that the partner sent with its information', 'A new photograph')
  note!: string;

  @Required(instant, 'When it was written', SAMPLE.time)
  at!: string;
}

export class StaffNoteDto {
  @Required(text(1, 60), 'The event that the note belongs to', 'review-escalated')
  type!: string;

  @RequiredObject(() => StaffRefDto, 'The staff member who wrote it')
  staff!: StaffRefDto;

  @Required(text(0, 8_000), 'The text of the note', 'The name is close to an entry of the list')
  note!: string;

  @Required(instant, 'When it was written', SAMPLE.time)
  at!: string;
}

/** A recorded view of a person's data by a staff member. */
export class ViewDto {
  @RequiredObject(() => StaffRefDto, 'The staff member')
  staff!: StaffRefDto;

  @Required(listOfWords(0, STAFF_ROLES), 'The roles that the staff member had at the time', ['compliance-analyst'])
  roles!: string[];

  @Required(oneOf(VIEW_PURPOSES), 'The purpose of the view', 'review')
  purpose!: string;

  @Required(oneOf(VIEWED_DATA), 'What was viewed', 'case')
  what!: string;

  @Required(instant, 'When it was viewed', SAMPLE.time)
  'viewed-at'!: string;
}

export class CaseViewDto extends ViewDto {
  @Nullable(
    text(0, 8_000),
    "The viewer's note on the reason, for colleagues. `[erased]` after the person's data is erased",
    'asked on the telephone',
  )
  note!: string | null;
}
