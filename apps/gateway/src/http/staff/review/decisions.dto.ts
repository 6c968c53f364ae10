import type { InformationItem, InternalReason, PartnerReason } from '@ponte/contracts';
import { INFORMATION_ITEMS, INTERNAL_REASONS, PARTNER_REASONS } from '@ponte/contracts';
import { flag, oneOf } from '../../../shape/kinds';
import { Optional, Required } from '../../../shape/members';
import { lines, listOfWords } from '../../../shape/person-kinds';

const note = lines(2_000);
const NOTE = 'For the next who looks; kept sealed with the person';

export class ClaimDto {
  @Optional(flag, 'True for an approver who takes it from somebody', false)
  'take-over'?: boolean;
}

export class NoteDto {
  @Optional(note, NOTE, 'Documents match')
  note?: string;
}

export class AskInformationDto extends NoteDto {
  @Required(listOfWords(1, INFORMATION_ITEMS), 'What the partner has to send', ['document'])
  items!: InformationItem[];

  @Required(listOfWords(0, PARTNER_REASONS), 'What was found wanting, as the partner may know it', ['document-quality'])
  issues!: PartnerReason[];
}

export class RejectDto extends NoteDto {
  @Required(oneOf(INTERNAL_REASONS), 'Why; the partner sees less', 'document-quality')
  reason!: InternalReason;
}
