import { isCalendarDate } from '../clock';
import { saoPauloDate } from '../sao-paulo';

/** The specification's rule 4: at least 18. */
const ADULT_YEARS = 18;

/** Brazil's federal units, as rule 5 wants them in `address.state`. */
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

export type FederalUnit = (typeof FEDERAL_UNITS)[number];

export function isFederalUnit(x: unknown): x is FederalUnit {
  return FEDERAL_UNITS.some((unit) => unit === x);
}

/**
 * Whether someone born on that date (YYYY-MM-DD) has that age by the calendar of São Paulo; the birthday counts.
 * Born on 29 February: of age on 1 March. False when the date does not exist.
 */
export function isAdult(dateOfBirth: string, nowMs: number, years: number = ADULT_YEARS): boolean {
  if (!isCalendarDate(dateOfBirth)) return false;
  const today = saoPauloDate(nowMs);
  // A date of birth in the future is refused first, so that a year beyond 9999 is never compared as text.
  if (dateOfBirth > today) return false;
  const year = String(Number(dateOfBirth.slice(0, 4)) + years).padStart(4, '0');
  // Text compares as dates do, and a 29 February that does not exist falls between 28 February and 1 March.
  return today >= year + dateOfBirth.slice(4);
}

/** A Brazilian postal code, with or without its dash. */
export function isCep(text: string): boolean {
  return /^\d{5}-?\d{3}$/.test(text);
}

/**
 * The number of an identity card or of a tax payer of another country than Brazil, as people write it (`12.345.678-5`,
 * `123-45-6789`): spaces, full stops, hyphens and slashes dropped, upper-cased; undefined when that leaves anything but
 * 4 to 20 letters and digits.
 */
export function parseNationalId(text: string): string | undefined {
  if (typeof text !== 'string' || text.length > 64 || !/^[0-9A-Za-z ./-]+$/.test(text)) return undefined;
  const number = text.replace(/[ ./-]/g, '').toUpperCase();
  return /^[0-9A-Z]{4,20}$/.test(number) ? number : undefined;
}

/** Upper-cased, spaces dropped; undefined when that leaves anything but 5 to 20 letters and digits. */
export function parsePassport(text: string): string | undefined {
  // ASCII is checked before the case is changed: upper-casing makes plain letters of ı and ſ.
  if (typeof text !== 'string' || text.length > 64 || !/^[0-9A-Za-z ]+$/.test(text)) return undefined;
  const passport = text.replaceAll(' ', '').toUpperCase();
  return /^[0-9A-Z]{5,20}$/.test(passport) ? passport : undefined;
}
