import type { PersonalData } from '@ponte/event-sourcing';
import { parseCountry, parseCpf, parseNationalId, parsePassport } from '@ponte/kernel';
import type { ClearIdentifier, TaxDocumentType } from './request-form';
import { holderIdOf } from './sealing';

export const BRAZIL = 'BRA';

/** Who somebody is: two countries may issue the same passport number, so the country belongs to it. */
export interface Identity {
  /** ISO 3166-1 alpha-3, upper case. */
  readonly country: string;
  /** 11 digits of a CPF, or the letters and digits of a passport or national id, upper case. */
  readonly number: string;
}

/**
 * Undefined when the country is none, or the number is not one that the country issues. Abroad a passport, unless it is said to be a
 * national id; every passport number reads the same as one, so whoever does not know which it is asks for the latter.
 */
export function parseIdentity({ value, country }: ClearIdentifier, type?: TaxDocumentType): Identity | undefined {
  const code = parseCountry(country);
  if (code === undefined) return undefined;
  const number = code === BRAZIL ? parseCpf(value.trim()) : type === 'national-id' ? parseNationalId(value) : parsePassport(value);
  return number === undefined ? undefined : { country: code, number };
}

/** A CPF has the fingerprint of a tax id, so that a person has one wherever the person appears. */
export const identityFingerprint = (personalData: Pick<PersonalData, 'fingerprint'>, { country, number }: Identity): string =>
  country === BRAZIL ? personalData.fingerprint('tax-id', number) : personalData.fingerprint('foreign-id', `${country}:${number}`);

/** The subject of the person's sealed fields. */
export const personIdOf = (personalData: Pick<PersonalData, 'fingerprint'>, identity: Identity): string =>
  holderIdOf(identityFingerprint(personalData, identity));
