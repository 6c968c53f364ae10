import { isCalendarDate } from '../clock';
import { saoPauloDate } from '../sao-paulo';

/** Rule 4 of the specification. */
const ADULT_YEARS = 18;

/** Brazil's federal units, the accepted values of `address.state` (rule 5). */
export const FEDERAL_UNITS = [
  'AC',
  'AL',
  'AM',
  'AP',
  'BA',
  'CE',
  'DF',
  'ES',
  'GO',
  'MA',
  'MG',
  'MS',
  'MT',
  'PA',
  'PB',
  'PE',
  'PI',
  'PR',
  'RJ',
  'RN',
  'RO',
  'RR',
  'RS',
  'SC',
  'SE',
  'SP',
  'TO',
] as const;

type FederalUnit = (typeof FEDERAL_UNITS)[number];

export function isFederalUnit(x: unknown): x is FederalUnit {
  return FEDERAL_UNITS.some((unit) => unit === x);
}

/**
 * Whether a person born on that date (YYYY-MM-DD) has reached the age by the calendar of São Paulo. The birthday
 * counts; a person born on 29 February reaches it on 1 March. False if the date does not exist.
 */
export function isAdult(dateOfBirth: string, nowMs: number, years: number = ADULT_YEARS): boolean {
  if (!isCalendarDate(dateOfBirth)) return false;
  const today = saoPauloDate(nowMs);
  // Dates in the future are excluded first, so that a year beyond 9999 is never compared as text.
  if (dateOfBirth > today) return false;
  const year = String(Number(dateOfBirth.slice(0, 4)) + years).padStart(4, '0');
  // Dates in this format compare correctly as text. A 29 February that does not exist sorts between 28 February and 1
  // March.
  return today >= year + dateOfBirth.slice(4);
}

/** A Brazilian postal code, with or without its dash. */
export function isCep(text: string): boolean {
  return /^\d{5}-?\d{3}$/.test(text);
}

/**
 * Normalizes the number of an identity card, or of a taxpayer of a country other than Brazil (`12.345.678-5`,
 * `123-45-6789`): removes spaces, full stops, hyphens and slashes and converts it to upper case. Undefined if the
 * result is not 4 to 20 letters and digits.
 */
export function parseNationalId(text: string): string | undefined {
  if (typeof text !== 'string' || text.length > 64 || !/^[0-9A-Za-z ./-]+$/.test(text)) return undefined;
  const number = text.replace(/[ ./-]/g, '').toUpperCase();
  return /^[0-9A-Z]{4,20}$/.test(number) ? number : undefined;
}

/**
 * Converts a passport number to upper case without spaces; undefined if the result is not 5 to 20 letters and digits.
 */
export function parsePassport(text: string): string | undefined {
  // ASCII is checked before the conversion, because the upper case of ı and ſ are plain letters.
  if (typeof text !== 'string' || text.length > 64 || !/^[0-9A-Za-z ]+$/.test(text)) return undefined;
  const passport = text.replaceAll(' ', '').toUpperCase();
  return /^[0-9A-Z]{5,20}$/.test(passport) ? passport : undefined;
}
