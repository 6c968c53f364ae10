import { compareBirths } from './birth-dates.domain';
import { indexOf, person, screen } from './match-people.testing';

describe('Comparing birth dates', () => {
  const exact = { kind: 'exact', date: '1964-07-05' } as const;
  const year = { kind: 'years', from: 1964, to: 1964, approximate: false } as const;
  const about = { kind: 'years', from: 1964, to: 1964, approximate: true } as const;
  const between = { kind: 'years', from: 1953, to: 1958, approximate: false } as const;
  it.each([
    ['1964-07-05', exact, 'same-day'],
    ['1964-05-07', exact, 'same-day'],
    ['1964-01-01', exact, 'same-year'],
    ['1965-07-05', exact, 'near'],
    ['1966-07-05', exact, 'differs'],
    ['1964-12-31', year, 'same-year'],
    ['1963-12-31', year, 'near'],
    ['1962-12-31', year, 'differs'],
    ['1967-01-01', about, 'near'],
    ['1968-01-01', about, 'differs'],
    ['1953-01-01', between, 'same-year'],
    ['1958-12-31', between, 'same-year'],
    ['1952-12-31', between, 'near'],
    ['1990-01-01', between, 'differs'],
    [null, exact, 'unknown'],
  ] as const)('gives for %s and %o: %s', (date, listed, verdict) => {
    expect(compareBirths(date, [listed])).toBe(verdict);
    // The best of several listed dates counts.
    if (date !== null) expect(compareBirths(date, [{ kind: 'exact', date: '1800-01-01' }, listed])).toBe(verdict);
  });

  it('changes the score so that a perfect name with another date is still reviewed, and a fuzzy name is not', () => {
    const index = indexOf(person('b', ['Ezequiel Montalvane Brusk'], { births: [exact] }));
    const score = (name: string, date: string | null): number => screen(index, name, date)[0]?.score ?? 0;
    expect([
      score('Ezequiel Brusk', '1964-07-05'),
      score('Ezequiel Brusk', '1964-01-01'),
      score('Ezequiel Brusk', null),
      score('Ezequiel Brusk', '1990-01-01'),
    ]).toEqual([100, 94, 90, 0]);
    expect(score('Ezequiel Montalvane Brusk', '1990-01-01')).toBe(85);
  });

  it('gives `unknown` without a listed date', () => {
    expect(compareBirths('1990-01-01', [])).toBe('unknown');
  });
});
