/** A birth date as lists know it. Years are whole; `to` is included. */
export type ListedBirth =
  | { readonly kind: 'exact'; readonly date: string }
  | { readonly kind: 'years'; readonly from: number; readonly to: number; readonly approximate: boolean };

export type BirthVerdict = 'same-day' | 'same-year' | 'near' | 'differs' | 'unknown';

/**
 * What the verdict adds to a score of 0 to 100. A perfect name with another birth date stays for people to judge; a
 * fuzzy one does not.
 */
export const BIRTH_POINTS: Readonly<Record<BirthVerdict, number>> = {
  'same-day': 10,
  'same-year': 4,
  near: -4,
  differs: -15,
  unknown: 0,
};

const ORDER: readonly BirthVerdict[] = ['same-day', 'same-year', 'near', 'differs'];
/** Years that a list, or a transcribed passport, is often wrong by. */
const NEAR_YEARS = 1;
const NEAR_APPROXIMATE_YEARS = 3;

/** The best that any of the listed dates says; `unknown` when one side has none. */
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

/** 03/04 and 04/03: written by one habit and read by another. */
const dayAndMonthSwapped = (date: string): string => `${date.slice(0, 4)}-${date.slice(8, 10)}-${date.slice(5, 7)}`;

function byYears(year: number, from: number, to: number, near: number): BirthVerdict {
  if (year >= from && year <= to) return 'same-year';
  return year >= from - near && year <= to + near ? 'near' : 'differs';
}
