import { saoPauloWallClock } from '@ponte/kernel';
import type { PricingRules } from './rules.domain';

/**
 * This year and the next, as far as the rules list no holiday of them for the rows of the market in force in that year.
 * FX quotes on holidays of such a year would not be marked as off-market.
 */
export function yearsWithoutHolidays(rules: PricingRules, now: number): number[] {
  const thisYear = Number(saoPauloWallClock(now).date.slice(0, 4));
  return [thisYear, thisYear + 1].filter((year) => {
    const [from, to] = [startOf(year), startOf(year + 1)];
    return rules.market.some(
      ({ validFrom, validTo, holidays }) =>
        Math.max(validFrom, rules.validFrom) < to &&
        Math.min(validTo, rules.validTo) > from &&
        !holidays.some((day) => day.startsWith(`${year}-`)),
    );
  });
}

/** Midnight in São Paulo, which is three hours behind UTC in January of these years. */
const startOf = (year: number): number => Date.UTC(year, 0, 1, 3);
