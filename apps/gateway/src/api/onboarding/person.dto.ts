import { DOCUMENT_TYPES, FUND_SOURCES, PEP_RELATIONSHIPS, PROFILE_CURRENCIES, SECTORS } from '@ponte/contracts';
import type { DocumentType, FundSource, PepRelationship, ProfileCurrency, Sector } from '@ponte/contracts';
import { ValidateIf } from 'class-validator';
import { LIVENESS_PROVIDERS } from '../../gateway.config';
import { flag, oneOf, opaqueId } from '../../validation/field-types';
import { Optional, OptionalNullable, Required } from '../../validation/fields';
import { Together } from '../../validation/together';
import { figure, loose, words } from '../../validation/person-field-types';
import { looseName } from '../../validation/name-field-types';
import { fileId } from '../../validation/file-field-types';
import { listOfWords } from '../../validation/list-field-types';

const COUNTRY = 'ISO 3166-1 alpha-3, in upper or lower case';
export const REWARD_TIER =
  'Reward tier in percent, as a JSON number; the parent account must have the capability of the tier';

export class IdentifierDto {
  @Required(
    loose(64),
    'A CPF if the country is BRA, otherwise the number of a passport, or in reliance mode of a national id, of the country',
    '529.982.247-25',
  )
  value!: string;

  @Required(loose(16), COUNTRY, 'BRA')
  country!: string;
}

@Together({
  if: { properties: { country: { pattern: '^[Bb][Rr][Aa]$' } } },
  then: { properties: { 'postal-code': { pattern: '^[0-9]{5}-?[0-9]{3}$' } } },
  else: { properties: { 'postal-code': { minLength: 1, maxLength: 16 } } },
})
export class AddressDto {
  @Required(loose(32), 'A CEP in BRA, otherwise 1 to 16 characters', '01310-100')
  'postal-code'!: string;

  @Required(words(200), 'Street and number', 'Avenida Paulista 1000')
  line1!: string;

  @Optional(loose(200), 'Apartment or floor; may be empty', '')
  line2?: string;

  @Required(words(100), 'City', 'São Paulo')
  city!: string;

  @Optional(loose(100), 'In BRA the two-letter code of the state, which is required; elsewhere free text', 'SP')
  state?: string;

  @Required(loose(16), COUNTRY, 'BRA')
  country!: string;
}

export class DocumentDto {
  @Required(oneOf(DOCUMENT_TYPES), 'Must be passport if the tax residence is not BRA', 'cnh')
  type!: DocumentType;

  @Required(fileId, 'File of the front side, from POST /api/v1/accounts/files', 'ev_01JD3F8M2K7Q9X4T6V8Z0A63B1')
  'front-file-id'!: string;

  @Optional(
    fileId,
    'File of the back side: required for an rg, not accepted for other types',
    'ev_01JD3F8M2K7Q9X4T6V8Z0A63B2',
  )
  'back-file-id'?: string;
}

/** With `declared: false` the other fields are ignored, even invalid ones. */
const WhenDeclared = () => ValidateIf((pep: { declared?: unknown }) => pep.declared !== false);

export class PepDto {
  @Required(flag, 'Whether the person is politically exposed or closely related to someone who is', false)
  declared!: boolean;

  @WhenDeclared()
  @Optional(looseName(200), 'Name of the exposed person; required if declared', 'Maria Souza')
  'full-name'?: string;

  @WhenDeclared()
  @Optional(loose(200), 'Public office of the exposed person; required if declared', 'city councillor')
  role?: string;

  @WhenDeclared()
  @Optional(oneOf(PEP_RELATIONSHIPS), 'Relationship to the exposed person; required if declared', 'parent')
  relationship?: PepRelationship;
}

export class LivenessDto {
  @Required(opaqueId(200), 'Id of the session at the provider: printable ASCII, without spaces', 'session-81f3')
  id!: string;

  @Required(oneOf(LIVENESS_PROVIDERS), 'Provider of the session', LIVENESS_PROVIDERS[0])
  provider!: string;
}

export class FinancialProfileDto {
  @Required(oneOf(SECTORS), 'Occupation of the holder; other if none of the listed values fits', 'other')
  sector!: Sector;

  @Required(oneOf(PROFILE_CURRENCIES), 'Currency of the amounts', 'BRL')
  currency!: ProfileCurrency;

  @Required(figure(0), 'Income, as a JSON number', 8500.5)
  'monthly-income'!: number;

  @Optional(figure(-1e15), 'Net worth, as a JSON number', 120000)
  'net-worth'?: number;

  @Optional(listOfWords(1, FUND_SOURCES, 20), 'At least one, if sent', ['salary'])
  'source-of-funds'?: FundSource[];
}

export class WalletProofDto {
  @Required(
    loose(2000),
    'The signed message (EIP-191). Staff read it, so it should name the person and say that the wallet is theirs',
    'I, Maria Silva, hold this wallet',
  )
  message!: string;

  @Required(loose(2000), 'The signature, as 0x and hex digits', `0x${'1b'.repeat(65)}`)
  signature!: string;
}

/** The fields of an external wallet except its proof; see `ExternalWalletDto`. */
export class WalletCustodyDto {
  @Required(
    loose(100),
    'An EVM address, in lower case, in upper case or with its EIP-55 checksum',
    '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf',
  )
  address!: string;

  @Optional(oneOf(['self', 'exchange']), 'self if absent', 'exchange')
  'custody-type'?: 'self' | 'exchange';

  @OptionalNullable(loose(16), `Country of the custodian; ${COUNTRY}`, 'USA')
  'custody-country'?: string | null;

  @OptionalNullable(loose(200), 'Name of the exchange', 'An Exchange Inc.')
  'custodian-name'?: string | null;
}
