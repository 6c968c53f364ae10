/** A birth date in a list. Years are whole; `to` is inclusive. */
export type ListedBirth =
  | { readonly kind: 'exact'; readonly date: string }
  | { readonly kind: 'years'; readonly from: number; readonly to: number; readonly approximate: boolean };

export type BirthVerdict = 'same-day' | 'same-year' | 'near' | 'differs' | 'unknown';

/**
 * Points that the verdict adds to a score of 0 to 100. A perfect name match with another birth date is still reviewed
 * by staff; a fuzzy one is not.
 */
export const BIRTH_POINTS: Readonly<Record<BirthVerdict, number>> = {
  'same-day': 10,
  'same-year': 4,
  near: -4,
  differs: -15,
  unknown: 0,
};

const ORDER: readonly BirthVerdict[] = ['same-day', 'same-year', 'near', 'differs'];
/** Lists and transcribed passports are often wrong by this many years. */
const NEAR_YEARS = 1;
const NEAR_APPROXIMATE_YEARS = 3;

/** The best verdict over all listed dates; `unknown` if either side has no date. */
export function compareBirths(dateOfBirth: string | null, listed: readonly ListedBirth[]): BirthVerdict {
  if (dateOfBirth === null || listed.length === 0) return 'unknown';
  const verdicts = new Set(listed.map((one) => compare(dateOfBirth, one)));
  return ORDER.find((verdict) => verdicts.has(verdict)) ?? 'unknown';
}

function compare(date: string, listed: ListedBirth): BirthVerdict {
  const year = Number(date.slice(0, 4));
  switch (listed.kind) {
    case 'exact': {
      if (date === listed.date || date === dayAndMonthSwapped(listed.date)) return 'same-day';
      return byYears(year, Number(listed.date.slice(0, 4)), Number(listed.date.slice(0, 4)), NEAR_YEARS);
    }
    case 'years':
      return byYears(year, listed.from, listed.to, listed.approximate ? NEAR_APPROXIMATE_YEARS : NEAR_YEARS);
  }
}

/** 03/04 and 04/03: day and month are easily confused between conventions. */
const dayAndMonthSwapped = (date: string): string => `${date.slice(0, 4)}-${date.slice(8, 10)}-${date.slice(5, 7)}`;

function byYears(year: number, from: number, to: number, near: number): BirthVerdict {
  if (year >= from && year <= to) return 'same-year';
  return year >= from - near && year <= to + near ? 'near' : 'differs';
}
