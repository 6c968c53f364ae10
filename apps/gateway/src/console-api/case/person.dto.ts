import { DOCUMENT_TYPES, PEP_RELATIONSHIPS, FUND_SOURCES, PROFILE_CURRENCIES, SECTORS } from '@ponte/contracts';
import { flag, oneOf, text } from '../../validation/field-types';
import { Nullable, NullableObject, Optional, Required, RequiredObject } from '../../validation/fields';
import { fileId } from '../../validation/file-field-types';
import { figure } from '../../validation/person-field-types';
import { listOfWords } from '../../validation/list-field-types';

/** For an erased person, texts are `[erased]` and objects are null. */
const shown = text(0, 4_000);

export class CaseIdentifierDto {
  @Required(shown, 'A CPF, or the number of a passport', '52998224725')
  value!: string;

  @Required(text(3, 3), 'The country, as an ISO 3166-1 alpha-3 code', 'BRA')
  country!: string;
}

export class CaseAddressDto {
  @Required(shown, 'A CEP in BRA', '01310-100')
  'postal-code'!: string;

  @Required(shown, 'Street and number', 'Avenida Paulista 1000')
  line1!: string;

  @Required(shown, 'Empty if there is nothing to add', '')
  line2!: string;

  @Required(shown, 'City', 'São Paulo')
  city!: string;

  @Nullable(shown, 'In BRA the code of the state', 'SP')
  state!: string | null;

  @Required(shown, 'The country, as an ISO 3166-1 alpha-3 code', 'BRA')
  country!: string;
}

export class CaseDocumentDto {
  @Required(oneOf(DOCUMENT_TYPES), 'Type of the document', 'cnh')
  type!: string;

  @Required(fileId, 'File of the front side', 'ev_01JD3F8M2K7Q9X4T6V8Z0A63B1')
  'front-file-id'!: string;

  @Nullable(fileId, 'File of the back side', null)
  'back-file-id'!: string | null;
}

export class CasePepDto {
  @Required(flag, 'Whether the person is politically exposed, or close to someone who is', true)
  declared!: boolean;

  @Nullable(shown, 'Name of the exposed person', 'Maria Souza')
  'full-name'!: string | null;

  @Nullable(shown, 'Public office of the exposed person', 'city councillor')
  role!: string | null;

  @Nullable(oneOf(PEP_RELATIONSHIPS), 'Relationship to the exposed person', 'parent')
  relationship!: string | null;
}

export class CaseFinancialProfileDto {
  @Required(oneOf(SECTORS), 'Occupation of the holder', 'other')
  sector!: string;

  @Required(oneOf(PROFILE_CURRENCIES), 'Currency of the amounts', 'BRL')
  currency!: string;

  @Required(figure(0), 'As the holder declared it', 8500.5)
  'monthly-income'!: number;

  @Nullable(figure(-1e15), 'As the holder declared it', null)
  'net-worth'!: number | null;

  @Nullable(listOfWords(1, FUND_SOURCES, 20), 'As the holder declared it', ['salary'])
  'source-of-funds'!: string[] | null;
}

/** The fields that holder and representative have in common. In reliance mode, there are only the first three. */
export class CasePersonDto {
  @Required(flag, 'Whether the data of this person was permanently erased', false)
  erased!: boolean;

  @RequiredObject(() => CaseIdentifierDto, 'Who the person is')
  identifier!: CaseIdentifierDto;

  @Required(text(3, 3), 'The country, as an ISO 3166-1 alpha-3 code', 'BRA')
  'tax-residence'!: string;
}

export class CaseKycPersonDto extends CasePersonDto {
  @Optional(shown, 'The given name as in the identity document', 'Maria')
  'first-name'?: string;

  @Optional(shown, 'The family name as in the identity document', 'Souza')
  'last-name'?: string;

  @Optional(shown, 'Date of birth, YYYY-MM-DD', '1990-05-17')
  'date-of-birth'?: string;

  @NullableObject(() => CaseAddressDto, 'The address of the person. Null after erasure and in reliance mode')
  address!: CaseAddressDto | null;

  @NullableObject(() => CaseDocumentDto, 'The identity document; null in reliance mode')
  document!: CaseDocumentDto | null;

  @NullableObject(() => CasePepDto, 'Political exposure. Null after erasure and in reliance mode')
  pep!: CasePepDto | null;
}

export class CaseHolderDto extends CaseKycPersonDto {
  @Optional(shown, "The mother's full name", 'Ana Souza')
  'mother-full-name'?: string;

  @Optional(shown, 'E-mail address of the holder', 'maria@example.com')
  email?: string;

  @Optional(shown, 'Phone number of the holder', '+55 11 91234-5678')
  phone?: string;

  @NullableObject(() => CaseFinancialProfileDto, 'As the holder declared it. Null after erasure and in reliance mode')
  'financial-profile'!: CaseFinancialProfileDto | null;
}

export class CaseRepresentativeDto extends CaseKycPersonDto {
  @Required(
    fileId,
    'The power of attorney or other document that authorizes the representative',
    'ev_01JD3F8M2K7Q9X4T6V8Z0A63B2',
  )
  'power-of-attorney-file-id'!: string;
}
