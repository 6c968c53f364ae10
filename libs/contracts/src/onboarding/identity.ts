import type { PersonalData } from '@ponte/event-sourcing';
import { parseCountry, parseCpf, parseNationalId, parsePassport } from '@ponte/kernel';
import type { ClearIdentifier, TaxDocumentType } from './request/request-form';
import { holderIdOf } from './sealing';

export const BRAZIL = 'BRA';

/**
 * The identity of a person. It includes the country and the document, because two countries may issue the same number,
 * and so may one country for a passport and a national id.
 */
export interface Identity {
  /** ISO 3166-1 alpha-3, upper case. */
  readonly country: string;
  readonly document: TaxDocumentType;
  /** The 11 digits of a CPF, or the number of a passport or national id: only letters and digits, upper case. */
  readonly number: string;
}

/**
 * Undefined when the country is unknown or does not issue such numbers. For Brazil the number is always a CPF; for
 * other countries it is a passport number unless `stated` is a national id.
 */
export function parseIdentity(
  { value, country }: ClearIdentifier,
  stated: TaxDocumentType = 'passport',
): Identity | undefined {
  const code = parseCountry(country);
  if (code === undefined) return undefined;
  const document = code === BRAZIL ? 'cpf' : stated === 'national-id' ? stated : 'passport';
  const number = PARSERS[document](value);
  return number === undefined ? undefined : { country: code, document, number };
}

const PARSERS: Readonly<Record<TaxDocumentType, (value: string) => string | undefined>> = {
  cpf: (value) => parseCpf(value.trim()),
  passport: parsePassport,
  'national-id': parseNationalId,
};

/** A CPF has the same fingerprint as a tax id, so that a person has one fingerprint everywhere. */
export const identityFingerprint = (
  personalData: Pick<PersonalData, 'fingerprint'>,
  { country, document, number }: Identity,
): string =>
  document === 'cpf'
    ? personalData.fingerprint('tax-id', number)
    : personalData.fingerprint(FOREIGN[document], `${country}:${number}`);

const FOREIGN = { passport: 'foreign-id', 'national-id': 'foreign-national-id' } as const;

/** The sealing subject of the person's fields. */
export const personIdOf = (personalData: Pick<PersonalData, 'fingerprint'>, identity: Identity): string =>
  holderIdOf(identityFingerprint(personalData, identity));
