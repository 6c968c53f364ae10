import type { ViewPurpose } from '@ponte/contracts';
import { VIEW_PURPOSES } from '@ponte/contracts';
import { instant, oneOf, text, uuid } from '../../validation/field-types';
import { textList } from '../../validation/list-field-types';
import { EnvelopeOf } from '../../validation/envelopes';
import { Nullable, Optional, OptionalObject, Required, RequiredObjects } from '../../validation/fields';
import { loose } from '../../validation/person-field-types';
import { IdentifierDto } from '../../api/onboarding/person.dto';
import { exactlyOneOf, sent, sentWithout, Together } from '../../validation/together';
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

/** A payer without a valid tax id has no identifier, so the deposit takes its place. */
const PAYER_OF = 'In place of an identifier: the deposit whose payer the bank named without a valid tax id';

@Together(exactlyOneOf('identifier', 'deposit-id'))
export class MakeReportDto {
  @OptionalObject(() => IdentifierDto, 'Who the person is')
  identifier?: IdentifierDto;

  @Optional(uuid, PAYER_OF)
  'deposit-id'?: string;

  @Required(oneOf(VIEW_PURPOSES), PURPOSE, 'privacy-request')
  purpose!: ViewPurpose;
}

export class HoldingDto {
  @Required(
    oneOf(['account-request', 'account', 'evidence-file', 'deposit', 'withdrawal']),
    'The type of resource that holds the data',
    'account-request',
  )
  kind!: string;

  @Required(text(1, 100), 'The id of the resource that holds the data', SAMPLE.requestId)
  id!: string;

  @Required(
    oneOf(['holder', 'representative', 'account-holder', 'payer', 'payee']),
    'The role of the person in that resource',
    'holder',
  )
  role!: string;

  @Required(textList(50), 'The categories of data in it, without values', ['identifier', 'name', 'address'])
  categories!: string[];

  @Required(
    text(1, 500),
    'The purpose of holding the data',
    'to know the customer, before and while the account is served',
  )
  purpose!: string;

  @Required(
    text(1, 500),
    'The legal basis for holding the data',
    'legal obligation: prevention of money laundering, lei-9613-1998',
  )
  'legal-basis'!: string;

  @Required(instant, 'Since when', SAMPLE.time)
  since!: string;

  @Nullable(instant, 'The end of the retention period. Null while the relationship continues', null)
  'retained-until'!: string | null;
}

export class ReportViewDto extends ViewDto {
  @Nullable(uuid, 'The case that was viewed', SAMPLE.requestId)
  'account-request-id'!: string | null;
}

export class PrivacyReportDto {
  @Required(uuid, 'The pseudonymous id of the person', SAMPLE.endpointId)
  'subject-id'!: string;

  @Required(oneOf(['held', 'restricted', 'erased']), 'Whether the data is held, restricted or erased', 'held')
  status!: string;

  @RequiredObjects(() => HoldingDto, 'The data held, the legal basis, and the retention period')
  holdings!: HoldingDto[];

  @RequiredObjects(() => ReportViewDto, 'Who has viewed the data, including this report')
  views!: ReportViewDto[];
}

export class PrivacyReportEnvelopeDto extends EnvelopeOf('privacy-report', () => PrivacyReportDto, 'The report') {}

/**
 * The person to erase: a person of an account request, a person by identifier, or the payer of a deposit who has no
 * identifier.
 */
@Together({
  if: sent('identifier'),
  then: sentWithout([], ['deposit-id', 'account-request-id', 'person']),
  else: {
    if: sent('deposit-id'),
    then: sentWithout([], ['account-request-id', 'person']),
    else: sent('account-request-id'),
  },
})
export class PrepareErasureDto {
  @Optional(uuid, 'The person of this request', SAMPLE.requestId)
  'account-request-id'?: string;

  @Optional(oneOf(PEOPLE), 'holder when absent', 'holder')
  person?: PersonOfRequest;

  @OptionalObject(() => IdentifierDto, 'In place of a request')
  identifier?: IdentifierDto;

  @Optional(uuid, PAYER_OF)
  'deposit-id'?: string;
}

export class ErasurePreparationDto {
  @Required(text(1, 4_000), 'The token to confirm with, valid for 10 minutes')
  token!: string;

  @Required(text(1, 500), 'The text that confirms the erasure', 'Maria Souza')
  'confirm-with'!: string;

  @Required(instant, 'When the token expires', SAMPLE.later)
  'expires-at'!: string;

  @Required(uuid, 'The pseudonymous id of the person', SAMPLE.endpointId)
  'subject-id'!: string;

  @Required(oneOf(['held', 'restricted']), 'Whether the data is held or restricted', 'held')
  status!: string;

  @Required(oneOf(['erased', 'restricted']), 'What a confirmation would do now', 'restricted')
  outcome!: string;

  @Nullable(
    instant,
    'The time until which the law requires the records. Null while the relationship continues',
    '2036-01-31T12:00:00.000Z',
  )
  'retained-until'!: string | null;
}

export class ErasurePreparationEnvelopeDto extends EnvelopeOf(
  'erasure-preparation',
  () => ErasurePreparationDto,
  'What a confirmation would do',
) {}

export class EraseDto {
  @Required(text(1, 4_000), 'The token from the preparation')
  token!: string;

  @Required(
    loose(500),
    'The text from the preparation. Case, accents, spaces, full stops and hyphens are ignored',
    'Maria Souza',
  )
  typed!: string;
}

export class ErasureDto {
  @Required(uuid, 'The pseudonymous id of the person', SAMPLE.endpointId)
  'subject-id'!: string;

  @Required(oneOf(['erased', 'restricted']), 'Whether the data was erased or restricted', 'restricted')
  outcome!: string;

  @Nullable(
    instant,
    'The time until which the law requires the records. Null while the relationship continues',
    '2036-01-31T12:00:00.000Z',
  )
  'retained-until'!: string | null;
}

export class ErasureEnvelopeDto extends EnvelopeOf('erasure', () => ErasureDto, 'The result of the erasure') {}
