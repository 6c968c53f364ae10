import type { PersonalData } from '@ponte/event-sourcing';
import { parseCountry, parseCpf, parseNationalId, parsePassport } from '@ponte/kernel';
import type { ClearIdentifier, TaxDocumentType } from './request/request-form';
import { holderIdOf } from './sealing';

export const BRAZIL = 'BRA';

/**
 * Who someone is: two countries may issue the same number, and one country the same as a passport and as a national id,
 * so both belong to it.
 */
export interface Identity {
  /** ISO 3166-1 alpha-3, upper case. */
  readonly country: string;
  readonly document: TaxDocumentType;
  /** 11 digits of a CPF, or the number of a passport or national id, letters and digits alone, upper case. */
  readonly number: string;
}

/**
 * Undefined when the country is unknown, or when it does not issue such numbers. Brazil issues a CPF whatever `stated`
 * says; of any other country the number is a passport's unless it is stated to be a national id.
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

/** A CPF has the fingerprint of a tax id, so that a person has one wherever the person appears. */
export const identityFingerprint = (
  personalData: Pick<PersonalData, 'fingerprint'>,
  { country, document, number }: Identity,
): string =>
  document === 'cpf'
    ? personalData.fingerprint('tax-id', number)
    : personalData.fingerprint(FOREIGN[document], `${country}:${number}`);

const FOREIGN = { passport: 'foreign-id', 'national-id': 'foreign-national-id' } as const;

/** The subject of the person's sealed fields. */
export const personIdOf = (personalData: Pick<PersonalData, 'fingerprint'>, identity: Identity): string =>
  holderIdOf(identityFingerprint(personalData, identity));
