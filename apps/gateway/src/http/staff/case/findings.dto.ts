import { HIT_VERDICTS, VERDICT_REASONS } from '@ponte/contracts';
import { instant, oneOf, text, whole } from '../../../shape/kinds';
import { Nullable, NullableObject, Required, RequiredObject, RequiredObjects } from '../../../shape/members';
import { figure, uuids } from '../../../shape/person-kinds';
import { SAMPLE } from '../../samples';
import { StaffRefDto } from '../review/queue.dto';

export class VerdictDto {
  @Required(oneOf(HIT_VERDICTS), 'Whether the entry is the person', 'false-positive')
  verdict!: string;

  @Required(oneOf(VERDICT_REASONS), 'What it rests on', 'birth-date-differs')
  reason!: string;

  @Nullable(text(0, 8_000), 'What else was written', 'Twenty years apart')
  note!: string | null;

  @RequiredObject(() => StaffRefDto, 'By whom')
  staff!: StaffRefDto;

  @Required(instant, 'When', SAMPLE.time)
  at!: string;
}

export class HitDto {
  @Required(text(1, 200), 'Which list', 'un-consolidated')
  list!: string;

  @Required(text(1, 200), 'Which entry of it', 'QDi.001')
  'entry-id'!: string;

  @Required(figure(0), '0 to 100', 93)
  score!: number;

  @Required(text(0, 20_000), 'What was compared', 'maria souza ~ maria de souza, born 1990')
  match!: string;

  @NullableObject(() => VerdictDto, 'Null while nothing was said of it; needed before an approval')
  verdict!: VerdictDto | null;
}

export class ScreeningDto {
  @Required(oneOf(['holder', 'representative']), 'Who was looked for', 'holder')
  person!: string;

  @Required(whole, 'From 1; information that came opens the next', 1)
  round!: number;

  @Required(instant, 'When', SAMPLE.time)
  'recorded-at'!: string;

  @RequiredObjects(() => HitDto, 'Entries that may be the person')
  hits!: HitDto[];
}

export class CaseLivenessDto {
  @Required(text(1, 200), 'Who ran the session', 'provider-1')
  provider!: string;

  @Required(text(0, 4_000), 'The session there', 'session-81f3')
  'session-id'!: string;

  @Required(oneOf(['passed', 'failed', 'pending']), "The provider's word", 'passed')
  outcome!: string;

  @Nullable(instant, 'When the provider decided', SAMPLE.time)
  'decided-at'!: string | null;

  @Required(uuids(20), "Requests of other people that name the session as well, at most 20: whose face was seen is open", [])
  'shared-with'!: readonly string[];
}
