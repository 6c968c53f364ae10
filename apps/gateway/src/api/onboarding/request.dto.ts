import type { TaxDocumentType } from '@ponte/contracts';
import { TAX_DOCUMENT_TYPES } from '@ponte/contracts';
import type { RewardTier } from '@ponte/kernel';
import { ApiExtraModels } from '@nestjs/swagger';
import type { FieldType } from '../../validation/field-types';
import { oneOf } from '../../validation/field-types';
import { Optional, OptionalObject, OptionalObjects, Required, RequiredObject } from '../../validation/fields';
import { Together } from '../../validation/together';
import { birthDate, email, lines, loose, rewardTier, words } from '../../validation/person-field-types';
import { personName } from '../../validation/name-field-types';
import { fileId } from '../../validation/file-field-types';
import { fileIds } from '../../validation/list-field-types';
import {
  AddressDto,
  DocumentDto,
  FinancialProfileDto,
  IdentifierDto,
  LivenessDto,
  PepDto,
  REWARD_TIER,
} from './person.dto';
import { ExternalWalletDto, OrBare, WALLET_LIST, WALLETS } from './external-wallet.dto';

const MAX_EXTRA_FILES = 20;

/** The legal representative of a holder. */
export class RepresentativeDto {
  @Required(personName(100), 'Given name as in the identity document', 'Paulo')
  'first-name'!: string;

  @Required(personName(100), 'Family name as in the identity document', 'Lima')
  'last-name'!: string;

  @Required(birthDate, 'Date of birth, at least 18 years ago', '1980-01-31')
  'date-of-birth'!: string;

  @RequiredObject(() => IdentifierDto, 'Identifier of the representative; must not be that of the holder')
  identifier!: IdentifierDto;

  @Required(loose(16), 'ISO 3166-1 alpha-3; BRA if and only if identifier.country is BRA', 'BRA')
  'tax-residence'!: string;

  @RequiredObject(() => AddressDto, 'Residential address of the representative')
  address!: AddressDto;

  @RequiredObject(() => DocumentDto, 'The identity document')
  document!: DocumentDto;

  @RequiredObject(() => PepDto, 'Political exposure')
  pep!: PepDto;

  @Required(fileId, 'The power of attorney', 'ev_01JD3F8M2K7Q9X4T6V8Z0A63B3')
  'power-of-attorney-file-id'!: string;
}

/** The onboarding rules validate it; the schema below documents what they accept. */
const externalId: FieldType = {
  ...loose(1000),
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};
/** The same; its `not` matches fewer than five digits. */
const phone: FieldType = {
  ...loose(200),
  schema: { ...loose(32).schema, not: { type: 'string', pattern: '^[^0-9]*(?:[0-9][^0-9]*){0,4}$' } },
};
const EXTERNAL_ID = 'Your own id: printable ASCII. It is stored unencrypted, so it must not identify the person';

/** An account request for a person whose identity Ponte checks. */
@ApiExtraModels(ExternalWalletDto)
export class KycRequestDto {
  @RequiredObject(() => IdentifierDto, 'Identifier of the holder')
  identifier!: IdentifierDto;

  @Required(loose(16), 'ISO 3166-1 alpha-3, in upper or lower case', 'BRA')
  'tax-residence'!: string;

  @Required(rewardTier, REWARD_TIER, 90)
  'reward-tier'!: RewardTier;

  @Required(personName(100), "The holder's given name", 'Joana')
  'first-name'!: string;

  @Required(personName(100), "The holder's family name", 'Lima')
  'last-name'!: string;

  @Required(email, 'E-mail address', 'joana@example.com')
  email!: string;

  @Required(phone, 'At most 32 characters, with at least five digits', '+55 11 91234-5678')
  phone!: string;

  @Required(birthDate, 'Date of birth, at least 18 years ago', '1990-05-17')
  'date-of-birth'!: string;

  @Required(personName(200), "The mother's full name", 'Maria Lima')
  'mother-full-name'!: string;

  @RequiredObject(() => AddressDto, 'Residential address of the holder')
  address!: AddressDto;

  @RequiredObject(() => DocumentDto, 'The identity document')
  document!: DocumentDto;

  @RequiredObject(() => LivenessDto, 'A liveness session')
  liveness!: LivenessDto;

  @RequiredObject(() => PepDto, 'Political exposure')
  pep!: PepDto;

  @RequiredObject(() => FinancialProfileDto, 'Occupation, income and assets')
  'financial-profile'!: FinancialProfileDto;

  @OptionalObject(() => RepresentativeDto, 'Only if someone else acts for the holder')
  representative?: RepresentativeDto;

  @OrBare()
  @OptionalObjects(() => ExternalWalletDto, WALLETS, WALLET_LIST)
  'external-wallets'?: ExternalWalletDto[];

  @Optional(externalId, EXTERNAL_ID, 'customer-4711')
  'external-id'?: string;
}

/** An account request for a person whose identity the partner has checked. */
@ApiExtraModels(ExternalWalletDto)
export class RelianceRequestDto {
  @RequiredObject(() => IdentifierDto, 'Identifier of the holder')
  identifier!: IdentifierDto;

  @Required(
    oneOf(TAX_DOCUMENT_TYPES),
    'Type of the identifier; cpf if and only if its country is BRA. Spaces, full stops, hyphens and slashes of a national-id are ignored',
    'cpf',
  )
  'tax-document-type'!: TaxDocumentType;

  @Required(loose(16), 'ISO 3166-1 alpha-3, in upper or lower case', 'BRA')
  'tax-residence'!: string;

  @Required(words(200), 'Your reference for your identity check', 'attestation-2026-0042')
  'kyc-attestation-id'!: string;

  @Required(rewardTier, REWARD_TIER, 90)
  'reward-tier'!: RewardTier;

  @OrBare()
  @OptionalObjects(() => ExternalWalletDto, WALLETS, WALLET_LIST)
  'external-wallets'?: ExternalWalletDto[];

  @Optional(externalId, EXTERNAL_ID, 'customer-4711')
  'external-id'?: string;
}

/**
 * The information that `requirements.missing` of a request lists, in one call or in several. At least one field is
 * required. Parts that were not requested are accepted too, but only parts that the request has: in reliance mode only
 * files and a note.
 */
@Together({ not: { additionalProperties: { type: 'null' } } })
export class InformationDto {
  @OptionalObject(() => AddressDto, 'Replaces the previous address')
  address?: AddressDto;

  @OptionalObject(() => DocumentDto, 'Replaces the previous document')
  document?: DocumentDto;

  @OptionalObject(() => LivenessDto, 'Replaces the previous liveness session')
  liveness?: LivenessDto;

  @OptionalObject(() => AddressDto, "Replaces the representative's address")
  'representative-address'?: AddressDto;

  @OptionalObject(() => DocumentDto, "Replaces the representative's document")
  'representative-document'?: DocumentDto;

  @Optional(fileId, 'The power of attorney', 'ev_01JD3F8M2K7Q9X4T6V8Z0A63B3')
  'power-of-attorney-file-id'?: string;

  @Optional(fileIds(MAX_EXTRA_FILES), 'Supporting documents, such as a proof of income or of address', [
    'ev_01JD3F8M2K7Q9X4T6V8Z0A63B4',
  ])
  'other-file-ids'?: string[];

  @Optional(lines(2000), 'Note for the reviewer of the request', 'The lease is in my name since May.')
  note?: string;
}
