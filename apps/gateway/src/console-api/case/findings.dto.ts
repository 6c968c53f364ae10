import { HIT_VERDICTS, TRAIT_KINDS, VERDICT_REASONS } from '@ponte/contracts';
import { flag, instant, oneOf, text, uuid, whole } from '../../validation/field-types';
import { Nullable, NullableObject, Required, RequiredObject, RequiredObjects } from '../../validation/fields';
import { figure } from '../../validation/person-field-types';
import { uuids } from '../../validation/list-field-types';
import { SAMPLE } from '../../api/samples';
import { STATUSES, StaffRefDto } from '../review/queue.dto';

export class VerdictDto {
  @Required(oneOf(HIT_VERDICTS), 'Whether the entry is the person', 'false-positive')
  verdict!: string;

  @Required(oneOf(VERDICT_REASONS), 'The basis of the verdict', 'birth-date-differs')
  reason!: string;

  @Nullable(text(0, 8_000), 'The note on the verdict', 'Twenty years apart')
  note!: string | null;

  @RequiredObject(() => StaffRefDto, 'The staff member who gave the verdict')
  staff!: StaffRefDto;

  @Required(instant, 'When the verdict was given', SAMPLE.time)
  at!: string;
}

export const ENTRY_VERSION = '0190b3c4-0000-8000-8000-00000000000e';

export class HitDto {
  @Required(text(1, 200), 'Name of the list', 'un-consolidated')
  list!: string;

  @Required(text(1, 200), 'Id of the list entry', 'QDi.001')
  'entry-id'!: string;

  @Required(figure(0), 'Similarity, 0 to 100', 93)
  score!: number;

  @Nullable(text(1, 100), 'The version of the content of the entry. Null if the list gives none', ENTRY_VERSION)
  'entry-version'!: string | null;

  @Required(text(0, 20_000), 'What was compared', 'maria souza ~ maria de souza, born 1990')
  match!: string;

  @NullableObject(() => VerdictDto, 'Null until a verdict is given. An approval requires a verdict')
  verdict!: VerdictDto | null;
}

export class ScreeningDto {
  @Required(oneOf(['holder', 'representative']), 'The person who was screened', 'holder')
  person!: string;

  @Required(whole, 'The round, starting at 1. Information from the partner starts the next round', 1)
  round!: number;

  @Required(instant, 'When it was recorded', SAMPLE.time)
  'recorded-at'!: string;

  @RequiredObjects(() => HitDto, 'The list entries that may be the person')
  hits!: HitDto[];
}

export class CaseLivenessDto {
  @Required(text(1, 200), 'The provider of the liveness session', 'provider-1')
  provider!: string;

  @Required(text(0, 4_000), 'The id of the session at the provider', 'session-81f3')
  'session-id'!: string;

  @Required(oneOf(['passed', 'failed', 'pending']), "The provider's result, or pending", 'passed')
  outcome!: string;

  @Nullable(instant, 'When the provider decided', SAMPLE.time)
  'decided-at'!: string | null;

  @Required(
    uuids(20),
    'Requests of other people that use the same session, at most 20. It is not known whose face the session shows',
    [],
  )
  'shared-with'!: readonly string[];
}

export class DuplicateRequestDto {
  @Required(uuid, 'Id of the other request', SAMPLE.requestId)
  id!: string;

  @Required(oneOf(STATUSES), 'Status of the other request', 'rejected')
  status!: string;

  @Required(text(0, 200), 'Display name of its partner', 'Ponte Sandbox Partner')
  partner!: string;

  @Required(flag, 'Whether it belongs to the same person', false)
  'same-person'!: boolean;
}

export class DuplicateDto {
  @Required(oneOf(TRAIT_KINDS), 'What they have in common', 'document-file')
  kind!: string;

  @RequiredObjects(() => DuplicateRequestDto, 'The requests that share it, at most 50')
  requests!: DuplicateRequestDto[];
}
