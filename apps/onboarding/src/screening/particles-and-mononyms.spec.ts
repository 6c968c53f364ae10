import type { ListedBirth } from './birth-dates.domain';
import { THRESHOLD, indexOf, person, screen } from './match-people.testing';

const BORN = '1960-05-17';
const SAME_YEAR = '1960-01-02';
const ANOTHER_YEAR = '1975-01-01';

const EXACT: ListedBirth = { kind: 'exact', date: BORN };
const YEAR: ListedBirth = { kind: 'years', from: 1960, to: 1960, approximate: false };

const score = (listed: string, searched: string, dateOfBirth: string | null, birth: ListedBirth = EXACT): number =>
  screen(indexOf(person('x', [listed], { births: [birth] })), searched, dateOfBirth)[0]?.score ?? 0;

describe('A name made only of particles', () => {
  it.each(['Van Le', 'Lê Văn An', 'Do Van Le', 'San Do', 'Junior Neto', 'Al Anbar'])(
    'is found under its own spelling: %s',
    (name) => {
      for (const date of [BORN, SAME_YEAR, null]) expect(score(name, name, date)).toBe(100);
      expect(score(name, name, ANOTHER_YEAR)).toBe(85);
    },
  );

  it.each([
    ['a family with the same particle', 'Van Le', 'Van Houten'],
    ['another name of particles', 'Van Le', 'Van Do'],
    ['one of its words', 'Do Van Le', 'Le'],
    ['initials', 'J. R.', 'J. R. Tolkien'],
  ])('is not found by %s: %s, searched as %s', (_, listed, searched) => {
    expect(score(listed, searched, SAME_YEAR)).toBe(0);
    expect(score(searched, listed, SAME_YEAR)).toBe(0);
  });
});

describe('A name of one word besides particles', () => {
  it.each(['Le Duan', 'Ben Carson', 'José Neto', 'Haji Barqan'])(
    'is found under its own spelling, also with another date of birth: %s',
    (name) => {
      expect(score(name, name, SAME_YEAR)).toBe(100);
      expect(score(name, name, ANOTHER_YEAR)).toBe(85);
    },
  );

  it('is found with a misspelling if all words match', () => {
    expect(score('Ben Wallace', 'Ben Wallice', SAME_YEAR)).toBeGreaterThanOrEqual(THRESHOLD);
    expect(score('Ben Wallace', 'Ben Wallice', ANOTHER_YEAR)).toBe(0);
  });

  it.each([
    ['another particle', 'Ben Carson', 'Bin Wallace'],
    ['the word within a longer name', 'al-Qarnawi', 'Ahmed al-Qarnawi'],
    ['an initial for its first name', 'J. Silva', 'José Silva'],
  ])('is not found by %s: %s, searched as %s', (_, listed, searched) => {
    expect(score(listed, searched, SAME_YEAR)).toBe(0);
  });

  it('is found within a longer name with the same day of birth', () => {
    expect(score('al-Qarnawi', 'Ahmed Qarnawi', BORN)).toBeGreaterThanOrEqual(THRESHOLD);
  });
});

describe('A person with one name', () => {
  it.each([
    'Zulkarnaen',
    'Zulkarnaen Zulkarnaen',
    'FNU Zulkarnaen',
    'Zulkarnaen LNU',
    'XXX Zulkarnaen',
    'Zulkarnaen X',
    'Zulkarnaen - Zulkarnaen Zulkarnaen',
  ])('is found however a form with two names is filled: %s', (filled) => {
    for (const [listed, searched] of [
      ['Zulkarnaen', filled],
      [filled, 'Zulkarnaen'],
    ] as const) {
      expect(score(listed, searched, SAME_YEAR, YEAR)).toBe(100);
      expect(score(listed, searched, null, YEAR)).toBe(100);
      expect(score(listed, searched, ANOTHER_YEAR, YEAR)).toBe(0);
    }
  });

  it('is not found by another name with the same filling', () => {
    expect(score('FNU Zulkarnaen', 'FNU Barqan', SAME_YEAR)).toBe(0);
    expect(score('Zulkarnaen Zulkarnaen', 'Zulkarnaen Barqan', SAME_YEAR)).toBe(0);
  });
});

describe('A name that repeats a word', () => {
  it('is found under its own spelling, also with another date of birth', () => {
    expect(score('Abdullah Abdullah', 'Abdullah Abdullah', ANOTHER_YEAR)).toBe(85);
    expect(score('Boutros Boutros-Ghali', 'Boutros Boutros Ghali', ANOTHER_YEAR)).toBe(85);
    expect(score('Boutros Boutros-Ghali', 'Boutros Ghali', SAME_YEAR)).toBe(100);
  });
});
