import type { ViewPurpose } from '@ponte/contracts';
import { VIEW_PURPOSES } from '@ponte/contracts';
import { instant, oneOf, text, uuid } from '../../validation/field-types';
import { textList } from '../../validation/list-field-types';
import { EnvelopeOf } from '../../validation/envelopes';
import {
  Nullable,
  Optional,
  OptionalObject,
  Required,
  RequiredObject,
  RequiredObjects,
} from '../../validation/members';
import { loose } from '../../validation/person-field-types';
import { IdentifierDto } from '../../api/onboarding/person.dto';
import { sent, sentWithout, Together } from '../../validation/together';
import { SAMPLE } from '../../api/samples';
import { PURPOSE } from '../case/case.dto';
import { ViewDto } from '../case/records.dto';

export const PEOPLE = ['holder', 'representative'] as const;
export type PersonOfRequest = (typeof PEOPLE)[number];

export class ReportQuery {
  @Required(oneOf(VIEW_PURPOSES), PURPOSE, 'privacy-request')
  purpose!: ViewPurpose;

  @Optional(oneOf(PEOPLE), 'holder when absent')
  person?: PersonOfRequest;
}

export class MakeReportDto {
  @RequiredObject(() => IdentifierDto, 'Who the person is')
  identifier!: IdentifierDto;

  @Required(oneOf(VIEW_PURPOSES), PURPOSE, 'privacy-request')
  purpose!: ViewPurpose;
}

export class HoldingDto {
  @Required(
    oneOf(['account-request', 'account', 'evidence-file', 'deposit', 'withdrawal']),
    'What holds it',
    'account-request',
  )
  kind!: string;

  @Required(text(1, 100), 'Which', SAMPLE.requestId)
  id!: string;

  @Required(
    oneOf(['holder', 'representative', 'account-holder', 'payer', 'payee']),
    'Who the person is in it',
    'holder',
  )
  role!: string;

  @Required(textList(50), 'What of the person is in it, never its values', ['identifier', 'name', 'address'])
  categories!: string[];

  @Required(text(1, 500), 'What it is for', 'to know the customer, before and while the account is served')
  purpose!: string;

  @Required(text(1, 500), 'What allows it', 'legal obligation: prevention of money laundering, lei-9613-1998')
  'legal-basis'!: string;

  @Required(instant, 'Since when', SAMPLE.time)
  since!: string;

  @Nullable(instant, 'Until when; null while it goes on', null)
  'retained-until'!: string | null;
}

export class ReportViewDto extends ViewDto {
  @Nullable(uuid, 'The case that was looked at', SAMPLE.requestId)
  'account-request-id'!: string | null;
}

export class PrivacyReportDto {
  @Required(uuid, 'The person, without saying who', SAMPLE.endpointId)
  'subject-id'!: string;

  @Required(oneOf(['held', 'restricted', 'erased']), 'What became of the data', 'held')
  status!: string;

  @RequiredObjects(() => HoldingDto, 'What is held, why and until when')
  holdings!: HoldingDto[];

  @RequiredObjects(() => ReportViewDto, 'Who looked, this report included')
  views!: ReportViewDto[];
}

export class PrivacyReportEnvelopeDto extends EnvelopeOf('privacy-report', () => PrivacyReportDto, 'The report') {}

/** Whom to erase: someone of a request, or someone by their number. */
@Together({
  if: sent('identifier'),
  then: sentWithout([], ['account-request-id', 'person']),
  else: sent('account-request-id'),
})
export class PrepareErasureDto {
  @Optional(uuid, 'Of this request', SAMPLE.requestId)
  'account-request-id'?: string;

  @Optional(oneOf(PEOPLE), 'holder when absent', 'holder')
  person?: PersonOfRequest;

  @OptionalObject(() => IdentifierDto, 'In place of a request')
  identifier?: IdentifierDto;
}

export class ErasurePreparationDto {
  @Required(text(1, 4_000), 'For the confirmation, within 10 minutes')
  token!: string;

  @Required(text(1, 500), 'What has to be typed', 'Maria Souza')
  'confirm-with'!: string;

  @Required(instant, 'When the token ends', SAMPLE.later)
  'expires-at'!: string;

  @Required(uuid, 'The person, without saying who', SAMPLE.endpointId)
  'subject-id'!: string;

  @Required(oneOf(['held', 'restricted']), 'How the data stands', 'held')
  status!: string;

  @Required(oneOf(['erased', 'restricted']), 'What the confirmation would do now', 'restricted')
  outcome!: string;

  @Nullable(instant, 'Until when the law wants the records; null while something goes on', '2036-01-31T12:00:00.000Z')
  'retained-until'!: string | null;
}

export class ErasurePreparationEnvelopeDto extends EnvelopeOf(
  'erasure-preparation',
  () => ErasurePreparationDto,
  'What a confirmation would do',
) {}

export class EraseDto {
  @Required(text(1, 4_000), 'Of the preparation')
  token!: string;

  @Required(loose(500), 'What the preparation says; case, accents and spaces do not matter', 'Maria Souza')
  typed!: string;
}

export class ErasureDto {
  @Required(uuid, 'The person, without saying who', SAMPLE.endpointId)
  'subject-id'!: string;

  @Required(oneOf(['erased', 'restricted']), 'What was done', 'restricted')
  outcome!: string;

  @Nullable(instant, 'Until when the law wants the records; null while something goes on', '2036-01-31T12:00:00.000Z')
  'retained-until'!: string | null;
}

export class ErasureEnvelopeDto extends EnvelopeOf('erasure', () => ErasureDto, 'What was done') {}
