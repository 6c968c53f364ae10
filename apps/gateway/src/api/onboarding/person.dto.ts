import { DOCUMENT_TYPES, FUND_SOURCES, PEP_RELATIONSHIPS, PROFILE_CURRENCIES, SECTORS } from '@ponte/contracts';
import type { DocumentType, FundSource, PepRelationship, ProfileCurrency, Sector } from '@ponte/contracts';
import { ValidateIf } from 'class-validator';
import { LIVENESS_PROVIDERS } from '../../gateway.config';
import { flag, oneOf } from '../../validation/field-types';
import { Optional, OptionalNullable, Required } from '../../validation/members';
import { Together } from '../../validation/together';
import { figure, loose, words } from '../../validation/person-field-types';
import { fileId } from '../../validation/file-field-types';
import { listOfWords } from '../../validation/list-field-types';

const COUNTRY = 'ISO 3166-1 alpha-3, in any case';

export class IdentifierDto {
  @Required(
    loose(64),
    'A CPF when the country is BRA, else the number of the passport that the country issued',
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
  @Required(loose(32), 'A CEP in BRA, 1 to 16 characters elsewhere', '01310-100')
  'postal-code'!: string;

  @Required(words(200), 'Street and number', 'Avenida Paulista 1000')
  line1!: string;

  @Optional(loose(200), 'Empty when there is nothing to add', '')
  line2?: string;

  @Required(words(100), 'City', 'São Paulo')
  city!: string;

  @Optional(loose(100), 'In BRA the two letters of the federal unit, which are required; free elsewhere (rule 5)', 'SP')
  state?: string;

  @Required(loose(16), COUNTRY, 'BRA')
  country!: string;
}

export class DocumentDto {
  @Required(oneOf(DOCUMENT_TYPES), 'passport for any tax residence other than BRA (rule 6)', 'cnh')
  type!: DocumentType;

  @Required(fileId, 'The front, from POST /api/v1/accounts/files', 'ev_01JD3F8M2K7Q9X4T6V8Z0A63B1')
  'front-file-id'!: string;

  @Optional(fileId, 'The back: required for an rg, and refused for the others', 'ev_01JD3F8M2K7Q9X4T6V8Z0A63B2')
  'back-file-id'?: string;
}

/** With `declared: false` the other members are ignored, whatever they are. */
const WhenDeclared = () => ValidateIf((pep: { declared?: unknown }) => pep.declared !== false);

export class PepDto {
  @Required(flag, 'Whether the person is politically exposed, or close to someone who is', false)
  declared!: boolean;

  @WhenDeclared()
  @Optional(loose(200), 'Of the exposed person; required when declared (rule 7)', 'Maria Souza')
  'full-name'?: string;

  @WhenDeclared()
  @Optional(loose(200), 'Their office; required when declared', 'city councillor')
  role?: string;

  @WhenDeclared()
  @Optional(oneOf(PEP_RELATIONSHIPS), 'To the exposed person; required when declared', 'parent')
  relationship?: PepRelationship;
}

export class LivenessDto {
  @Required(words(200), 'The session at the provider', 'session-81f3')
  id!: string;

  @Required(oneOf(LIVENESS_PROVIDERS), 'Who ran the session', LIVENESS_PROVIDERS[0])
  provider!: string;
}

export class FinancialProfileDto {
  @Required(oneOf(SECTORS), "The holder's activity; other when none of those named", 'other')
  sector!: Sector;

  @Required(oneOf(PROFILE_CURRENCIES), 'Of the figures', 'BRL')
  currency!: ProfileCurrency;

  @Required(figure(0), 'A JSON number', 8500.5)
  'monthly-income'!: number;

  @Optional(figure(-1e15), 'A JSON number', 120000)
  'net-worth'?: number;

  @Optional(listOfWords(1, FUND_SOURCES, 20), 'At least one when it is sent', ['salary'])
  'source-of-funds'?: FundSource[];
}

export class WalletProofDto {
  @Required(loose(2000), 'What was signed (EIP-191)', 'I am the holder of this wallet')
  message!: string;

  @Required(loose(2000), '0x hex', `0x${'1b'.repeat(65)}`)
  signature!: string;
}

/** The members of an external wallet beside its proof; see `ExternalWalletDto`. */
export class WalletCustodyDto {
  @Required(
    loose(100),
    'An EVM address, in one case or with its EIP-55 checksum',
    '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf',
  )
  address!: string;

  @Optional(oneOf(['self', 'exchange']), 'self when absent', 'exchange')
  'custody-type'?: 'self' | 'exchange';

  @OptionalNullable(loose(16), `Of the custodian; ${COUNTRY}`, 'USA')
  'custody-country'?: string | null;

  @OptionalNullable(loose(200), 'Of an exchange', 'An Exchange Inc.')
  'custodian-name'?: string | null;
}
