import defaultRules from '../default-rules.json';
import { isMarketOpen } from '../market/conditions.domain';
import { yearsWithoutHolidays } from './holidays.domain';
import { marketAt } from './in-force.domain';
import { readRules } from './read-rules.domain';

const at = (date: string) => Date.parse(`${date}T14:00:00Z`);
const withHolidays = (holidays: string[], more: object = {}) =>
  readRules({ ...defaultRules, market: defaultRules.market.map((row) => ({ ...row, holidays, ...more })) });

describe('the holidays of the default rules', () => {
  const rules = readRules(defaultRules);

  it.each(['2027-02-08', '2027-02-09', '2027-03-26', '2027-05-27', '2027-11-15', '2028-02-28', '2028-06-15'])(
    'close the market on %s',
    (day) => {
      const now = at(day);
      expect(isMarketOpen(marketAt(rules, now), now)).toBe(false);
      expect(isMarketOpen(marketAt(rules, now), now + 7 * 86_400_000)).toBe(true);
    },
  );

  it('are listed for this year and the next', () => {
    expect(yearsWithoutHolidays(rules, at('2026-11-28'))).toEqual([]);
    expect(yearsWithoutHolidays(rules, at('2027-12-31'))).toEqual([]);
  });
});

describe('a year without holidays', () => {
  it('is reported for this year and the next', () => {
    expect(yearsWithoutHolidays(withHolidays(['2026-12-25']), at('2026-11-28'))).toEqual([2027]);
    expect(yearsWithoutHolidays(withHolidays([]), at('2026-11-28'))).toEqual([2026, 2027]);
  });

  it('is not reported if no row of the market is in force in it', () => {
    const ends = { 'valid-to': '2027-01-01T03:00:00.000Z' };
    expect(yearsWithoutHolidays(withHolidays(['2026-12-25'], ends), at('2026-11-28'))).toEqual([]);
  });

  it('is reported for any row in force in it, but not for rows or versions that begin after it', () => {
    const holidays = ['2026-12-25'];
    const starts = { 'valid-from': '2028-01-01T03:00:00.000Z' };
    expect(yearsWithoutHolidays(withHolidays(holidays, starts), at('2026-11-28'))).toEqual([]);
    const [row] = defaultRules.market;
    const rows = [
      { ...row, holidays, 'valid-to': '2027-01-01T03:00:00.000Z' },
      { ...row, holidays, 'valid-from': '2027-01-01T03:00:00.000Z' },
    ];
    expect(yearsWithoutHolidays(readRules({ ...defaultRules, market: rows }), at('2026-11-28'))).toEqual([2027]);
    const version = { id: 'later', 'valid-from': '2028-01-01T03:00:00.000Z', 'valid-to': null };
    const later = readRules({ ...defaultRules, market: [{ ...row, holidays: [] }], version });
    expect(yearsWithoutHolidays(later, at('2026-11-28'))).toEqual([]);
  });
});
