import type { FindingStatus, HitVerdict, VerdictReason } from '@ponte/contracts';
import { FINDING_STATUSES, HIT_VERDICTS, VERDICT_REASONS } from '@ponte/contracts';
import { SAMPLE } from '../../api/samples';
import { PageQuery } from '../../pagination/page-query';
import { EnvelopeOf, ListOf } from '../../validation/envelopes';
import { instant, oneOf, text, uuid, whole } from '../../validation/field-types';
import { exampleOf, Nullable, Optional, Required, RequiredObject, RequiredObjects } from '../../validation/fields';
import { figure, lines } from '../../validation/person-field-types';
import { VerdictDto } from '../case/findings.dto';
import { StaffRefDto } from '../review/queue.dto';

/** A verdict without its note, which is personal data. */
class GivenVerdictDto {
  @Required(oneOf(HIT_VERDICTS), 'Whether the entry is the person', 'false-positive')
  verdict!: HitVerdict;

  @Required(oneOf(VERDICT_REASONS), 'The basis of the verdict', 'birth-date-differs')
  reason!: VerdictReason;

  @RequiredObject(() => StaffRefDto, 'The staff member who gave the verdict')
  staff!: StaffRefDto;

  @Required(instant, 'When the verdict was given', SAMPLE.time)
  at!: string;
}

class FindingDto {
  @Required(uuid, 'The id of the finding', SAMPLE.quoteId)
  id!: string;

  @Required(uuid, 'The account whose holder or representative was found', SAMPLE.accountId)
  'account-id'!: string;

  @Required(oneOf(['holder', 'representative']), 'Who was found', 'holder')
  person!: 'holder' | 'representative';

  @Required(
    oneOf(FINDING_STATUSES),
    '`matched`: a true match whose account is not frozen yet. `settled`: the account was frozen for it, or closed',
    'open',
  )
  status!: FindingStatus;

  @Required(whole, 'Identifies the hit and the verdicts so far. A verdict names it', 1)
  version!: number;

  @Required(text(1, 200), 'Name of the list', 'un-consolidated')
  list!: string;

  @Required(text(1, 200), 'Id of the list entry', 'QDi.001')
  'entry-id'!: string;

  @Required(figure(0), 'Similarity, 0 to 100', 93)
  score!: number;

  @Required(instant, 'When the person was found', SAMPLE.time)
  'opened-at'!: string;

  @Nullable(instant, 'When a true match requested the freeze of the account', null)
  'freeze-requested-at'!: string | null;
}

/** A finding without personal data. */
export class ScreeningFindingDto extends FindingDto {
  @RequiredObjects(() => GivenVerdictDto, 'Verdicts since the person was found')
  verdicts!: GivenVerdictDto[];
}

export class OpenedFindingDto extends FindingDto {
  @Required(text(0, 20_000), 'What was compared', 'maria souza ~ maria de souza, born 1990')
  match!: string;

  @RequiredObjects(() => VerdictDto, 'Verdicts since the person was found')
  verdicts!: VerdictDto[];
}

export class FindingVerdictRequestDto {
  @Required(whole, 'The version of the finding that you have read', 1)
  version!: number;

  @Required(oneOf(HIT_VERDICTS), 'Whether the entry is the person. A true match requests a freeze', 'false-positive')
  verdict!: HitVerdict;

  @Required(oneOf(VERDICT_REASONS), 'The basis of the verdict. Give details in the note', 'birth-date-differs')
  reason!: VerdictReason;

  @Optional(lines(2_000), "A further note. Stored encrypted with the person's data", 'Ticket 4711')
  note?: string;
}

export class ScreeningFindingEnvelopeDto extends EnvelopeOf(
  'screening-finding',
  () => ScreeningFindingDto,
  'The finding',
) {}

export class OpenedFindingEnvelopeDto extends EnvelopeOf('screening-finding', () => OpenedFindingDto, 'The finding') {}

/** With any parameter, the list also contains findings that were cleared or settled. */
export class ScreeningFindingsQuery extends PageQuery {
  @Optional(uuid, 'Only those of this account', SAMPLE.accountId)
  'account-id'?: string;

  @Optional(oneOf(FINDING_STATUSES), 'Only findings in this status', 'settled')
  status?: FindingStatus;

  @Optional(text(1, 60), 'Only findings of this list', 'un-consolidated')
  list?: string;
}

export class ScreeningFindingsDto extends ListOf(
  'screening-findings',
  () => ScreeningFindingDto,
  'At most 200 open and matched findings, longest wait first. With parameters, newest first',
) {}

export const FINDING_VERDICT_EXAMPLE = exampleOf(FindingVerdictRequestDto);
export const SCREENING_FINDING_EXAMPLE: ScreeningFindingDto = { ...exampleOf(FindingDto), verdicts: [] };
export const OPENED_FINDING_EXAMPLE: OpenedFindingDto = {
  ...exampleOf(FindingDto),
  match: 'maria souza ~ maria de souza, born 1990',
  verdicts: [],
};
