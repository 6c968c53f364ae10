import type { HitVerdict, InformationItem, InternalReason, PartnerReason, VerdictReason } from '@ponte/contracts';
import { HIT_VERDICTS, INFORMATION_ITEMS, INTERNAL_REASONS, PARTNER_REASONS, VERDICT_REASONS } from '@ponte/contracts';
import { ENTRY_VERSION } from '../case/findings.dto';
import { flag, oneOf, text, whole } from '../../validation/field-types';
import { Optional, OptionalNullable, Required } from '../../validation/fields';
import { figure, lines } from '../../validation/person-field-types';
import { listOfWords } from '../../validation/list-field-types';

const note = lines(2_000);
const NOTE = "A note for the next reviewer. Stored encrypted with the person's data";

export class ClaimDto {
  @Optional(flag, 'Set to true for an approver to take over a case that another staff member has claimed', false)
  'take-over'?: boolean;
}

export class NoteDto {
  @Optional(note, NOTE, 'Documents match')
  note?: string;
}

/** A decision names the version of the case that its author has read. */
export class AsReadDto extends NoteDto {
  @Required(whole, 'The version of the case that you have read, as shown in its `item`', 7)
  version!: number;
}

export class AskInformationDto extends AsReadDto {
  @Required(listOfWords(1, INFORMATION_ITEMS), 'The information that the partner must send', ['document'])
  items!: InformationItem[];

  @Required(listOfWords(0, PARTNER_REASONS), 'The problems that were found, as the partner may see them', [
    'document-quality',
  ])
  issues!: PartnerReason[];
}

export class JudgeHitDto extends NoteDto {
  @Required(oneOf(['holder', 'representative']), 'Whom the hit is about', 'holder')
  person!: 'holder' | 'representative';

  @Required(text(1, 200), 'The list of the hit', 'un-consolidated')
  list!: string;

  @Required(text(1, 200), 'Id of the list entry', 'QDi.001')
  'entry-id'!: string;

  @Required(figure(0), 'The score of the hit that you have read', 93)
  score!: number;

  @OptionalNullable(
    text(1, 100),
    'The version of the entry that you have read, as the hit shows it. Null or absent if it shows none',
    ENTRY_VERSION,
  )
  'entry-version'?: string | null;

  @Required(
    oneOf(HIT_VERDICTS),
    'Whether the entry is the person. A true match is final: the case can then only be rejected',
    'false-positive',
  )
  verdict!: HitVerdict;

  @Required(oneOf(VERDICT_REASONS), 'The basis of the verdict. Give details in the note', 'birth-date-differs')
  reason!: VerdictReason;
}

export class RejectDto extends AsReadDto {
  @Required(oneOf(INTERNAL_REASONS), 'The full reason. The partner sees a shorter one', 'document-quality')
  reason!: InternalReason;
}
