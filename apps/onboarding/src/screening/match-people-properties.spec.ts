import fc from 'fast-check';
import { drained } from '@ponte/kernel';
import { comparable } from './comparable-name.domain';
import { rememberedSimilarity } from './words/similarity.domain';
import { indexOf, matchPeople, person, screen } from './match-people.testing';

describe('Matching people, for random names,', () => {
  const FIRST = ['Ezequiel', 'Rodolfo', 'Mohammed', 'Vladimir', 'Aparecida', 'Konstantin', 'Beatrix'];
  const LAST = ['Montalvane', 'Tarnowitz', 'Qarnawi', 'Shcherbakov', 'Duvallon', 'Papadopoulos'];
  const name = fc
    .record({ first: fc.constantFrom(...FIRST), middle: fc.constantFrom(...LAST), last: fc.constantFrom(...LAST) })
    .filter(({ middle, last }) => middle !== last)
    .map(({ first, middle, last }) => [first, middle, last] as const);

  it('ignores the order, case, accents and punctuation of the words', () => {
    fc.assert(
      fc.property(
        name,
        fc.constantFrom(' ', ', ', '-', ' . '),
        fc.constantFrom('NFC' as const, 'NFD' as const),
        fc.boolean(),
        (words, glue, form, upper) => {
          const index = indexOf(person('p', [words.join(' ')]));
          const written = [words[2], words[0], words[1]].join(glue).normalize(form);
          expect(screen(index, upper ? written.toUpperCase() : written.toLowerCase())[0]?.score).toBe(100);
        },
      ),
    );
  });

  it('finds a person despite one changed, lost or doubled letter in a long word', () => {
    fc.assert(
      fc.property(
        name,
        fc.nat(),
        fc.constantFrom('a', 'm', '', 'double'),
        fc.constantFrom('Karaminov', 'Bortolini', 'Duvallon'),
        ([first, middle], where, change, last) => {
          const at = 1 + (where % (last.length - 2));
          const letter = change === 'double' ? last.charAt(at).repeat(2) : change;
          const wrong = last.slice(0, at) + letter + last.slice(at + 1);
          expect(
            screen(indexOf(person('p', [`${first} ${middle} ${last}`])), `${first} ${middle} ${wrong}`),
          ).toHaveLength(1);
        },
      ),
    );
  });

  it('finds with the index what a comparison with every single name finds', () => {
    const people = FIRST.flatMap((first) =>
      LAST.flatMap((middle) =>
        LAST.map((last) => person(`${first}/${middle}/${last}`, [`${first} ${middle} ${last}`])),
      ),
    );
    const all = indexOf(...people);
    const alone = people.map((one) => ({ one, index: indexOf(one) }));
    fc.assert(
      fc.property(fc.constantFrom(...FIRST), fc.constantFrom(...LAST), (first, last) => {
        const subject = { names: [`${first} ${last}`], dateOfBirth: null, country: 'BRA' };
        const expected = alone
          .filter(({ index }) => matchPeople(index, subject, 88).length > 0)
          .map(({ one }) => one.entryId);
        const found = matchPeople(all, subject, 88).map(({ entryId }) => entryId);
        expect([...found].sort()).toEqual([...expected].sort());
      }),
      { numRuns: 20 },
    );
  });

  it('never throws, and never matches a person who shares no word', () => {
    const index = indexOf(person('p', ['Ezequiel Montalvane Brusk', 'محمد حسين', '金正恩']));
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.constantFrom('1964-07-05', null), (text, date) => {
        expect(Array.isArray(screen(index, text, date))).toBe(true);
      }),
    );
    expect(screen(index, '金正恩')).toHaveLength(1);
    expect(screen(index, '金正日')).toEqual([]);
  });

  it('compares only few names of a large list: those that share two words', () => {
    const index = indexOf(
      ...Array.from({ length: 4_000 }, (_, i) =>
        person(String(i), [`${FIRST[i % 7]} ${i % 200 === 0 ? 'Tarnowitz' : `Nome${i}`} Qarnawi${i}`]),
      ),
    );
    expect(index.size).toBe(4_000);
    expect(
      drained(index.candidates(comparable('Ezequiel Tarnowitz Qarnawi'), rememberedSimilarity())).length,
    ).toBeLessThan(50);
  });
});
