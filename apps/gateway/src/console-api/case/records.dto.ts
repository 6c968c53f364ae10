import { STAFF_ROLES, VIEW_PURPOSES } from '@ponte/contracts';
import { instant, oneOf, text } from '../../validation/field-types';
import { Nullable, Required, RequiredObject } from '../../validation/members';
import { listOfWords } from '../../validation/list-field-types';
import { SAMPLE } from '../../api/samples';
import { StaffRefDto } from '../review/queue.dto';

export class PartnerNoteDto {
  @Required(text(0, 8_000), 'What the partner wrote with its information', 'A new photograph')
  note!: string;

  @Required(instant, 'When', SAMPLE.time)
  at!: string;
}

export class StaffNoteDto {
  @Required(text(1, 60), 'With what it was written', 'review-escalated')
  type!: string;

  @RequiredObject(() => StaffRefDto, 'By whom')
  staff!: StaffRefDto;

  @Required(text(0, 8_000), 'What they wrote', 'The name is close to an entry of the list')
  note!: string;

  @Required(instant, 'When', SAMPLE.time)
  at!: string;
}

/** Someone looked at the person's data. */
export class ViewDto {
  @RequiredObject(() => StaffRefDto, 'Who')
  staff!: StaffRefDto;

  @Required(listOfWords(0, STAFF_ROLES), 'Their roles then', ['compliance-analyst'])
  roles!: string[];

  @Required(oneOf(VIEW_PURPOSES), 'Why', 'review')
  purpose!: string;

  @Required(oneOf(['case', 'document', 'privacy-report']), 'What they saw', 'case')
  what!: string;

  @Required(instant, 'When', SAMPLE.time)
  'viewed-at'!: string;
}

/** A look at this case. */
export class CaseViewDto extends ViewDto {
  @Nullable(
    text(0, 8_000),
    'What the viewer added to the reason, for colleagues; `[erased]` with the person',
    'asked on the telephone',
  )
  note!: string | null;
}
