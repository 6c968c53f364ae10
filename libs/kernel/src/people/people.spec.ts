import * as fc from 'fast-check';
import {
  COUNTRY_CODES,
  FEDERAL_UNITS,
  isAdult,
  isCep,
  isFederalUnit,
  parseCountry,
  parseNationalId,
  parsePassport,
} from '../index';

const NOW = Date.parse('2026-07-15T12:00:00.000Z');

describe('people', () => {
  const at = (iso: string) => Date.parse(iso);

  it('are adults from their 18th birthday on, by calendar date in America/Sao_Paulo', () => {
    // Midnight in São Paulo is 03:00 UTC.
    expect(isAdult('2008-07-15', at('2026-07-15T02:59:59.999Z'))).toBe(false);
    expect(isAdult('2008-07-15', at('2026-07-15T03:00:00.000Z'))).toBe(true);
    expect(isAdult('2008-07-16', NOW)).toBe(false);
    expect(isAdult('1950-01-01', NOW)).toBe(true);
    expect(isAdult('2005-07-15', NOW, 21)).toBe(true);
  });

  it('are adults on 1 March if born on 29 February', () => {
    expect(isAdult('2008-02-29', at('2026-03-01T02:59:59.999Z'))).toBe(false);
    expect(isAdult('2008-02-29', at('2026-03-01T03:00:00.000Z'))).toBe(true);
  });

  it('are not adults with a date of birth that does not exist or is in the future', () => {
    expect(
      ['2007-02-29', '2000-13-01', '2000-1-1', '', 'yesterday', '2000-01-01T00:00', '9990-01-01', '2030-01-01'].map(
        (date) => isAdult(date, NOW),
      ),
    ).toEqual(Array(8).fill(false));
  });

  it('agrees with a calculation by years, months and days', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1900-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
        (birth) => {
          const today = new Date(NOW);
          const years = today.getUTCFullYear() - birth.getUTCFullYear();
          const hadBirthday =
            today.getUTCMonth() > birth.getUTCMonth() ||
            (today.getUTCMonth() === birth.getUTCMonth() && today.getUTCDate() >= birth.getUTCDate());
          return isAdult(birth.toISOString().slice(0, 10), NOW) === (hadBirthday ? years : years - 1) >= 18;
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('have federal units, CEPs and passports in the documented formats', () => {
    expect(FEDERAL_UNITS).toHaveLength(27);
    expect(['SP', 'sp', 'XX', 1].map(isFederalUnit)).toEqual([true, false, false, false]);
    expect(['01310-100', '01310100', '0131-0100', '01310-1000', ''].map(isCep)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(
      [
        'ab 123 456',
        'YB1234567',
        'A1B2',
        'A'.repeat(21),
        'AB-12345',
        'ıB12345',
        'ſB12345',
        '     ',
        ' '.repeat(100),
      ].map(parsePassport),
    ).toEqual(['AB123456', 'YB1234567', ...Array(7).fill(undefined)]);
    expect(
      [
        '123-45-6789',
        '12.345.678-k',
        '1234 / 56',
        'X123',
        'A1B',
        '...',
        '12_34',
        'ı2345',
        'A'.repeat(21),
        '-'.repeat(100),
      ].map(parseNationalId),
    ).toEqual(['123456789', '12345678K', '123456', 'X123', ...Array(6).fill(undefined)]);
  });

  it('have country codes in any case (bra is read as BRA), but not with a Turkish i', () => {
    expect(new Set(COUNTRY_CODES).size).toBe(249);
    expect([...COUNTRY_CODES].sort()).toEqual([...COUNTRY_CODES]);
    expect(['bra', 'BRA', 'Bra', 'ind', 'usa'].map(parseCountry)).toEqual(['BRA', 'BRA', 'BRA', 'IND', 'USA']);
    expect(['', 'BR', 'BRAZ', 'XXX', 'ıND', 'İND', 'BRA ', 'GBſ'].map(parseCountry)).toEqual(Array(8).fill(undefined));
  });
});
