import fc from 'fast-check';
import { compareBirths } from './birth-dates.domain';
import { comparable } from './comparable-name.domain';
import type { PersonMatch } from './match-people.domain';
import { matchPeople as matchInSteps } from './match-people.domain';
import { NameIndex } from './name-index.domain';
import { nameTokens } from './name-tokens.domain';
import { editDistance, jaroWinkler, rememberedSimilarity } from './similarity.domain';
import { drained } from './steps.domain';
import type { ListedPerson, NameQuality } from './watch-list.domain';

const matchPeople = (...given: Parameters<typeof matchInSteps>): readonly PersonMatch[] =>
  drained(matchInSteps(...given));

const THRESHOLD = 80;

function person(
  entryId: string,
  names: readonly (string | [string, NameQuality])[],
  more: Partial<ListedPerson> = {},
): ListedPerson {
  const listed = names.map((name, i) =>
    typeof name === 'string'
      ? { text: name, quality: i === 0 ? ('name' as const) : ('alias' as const) }
      : { text: name[0], quality: name[1] },
  );
  return { entryId, names: listed, births: [], nationalities: [], countries: [], ...more };
}

function indexOf(...people: readonly ListedPerson[]): NameIndex {
  const index = new NameIndex();
  for (const one of people) index.add('un-consolidated', one);
  return index;
}

function screen(
  index: NameIndex,
  name: string,
  dateOfBirth: string | null = null,
  country = 'BRA',
): readonly PersonMatch[] {
  return matchPeople(index, { names: [name], dateOfBirth, country }, THRESHOLD);
}

const scoreOf = (listed: string, asked: string): number => screen(indexOf(person('x', [listed])), asked)[0]?.score ?? 0;

describe('words of a name', () => {
  it.each([
    ["João D'Ávila-Souza", ['joao', 'davila', 'souza']],
    ['  JOAO   DAVILA, SOUZA. ', ['joao', 'davila', 'souza']],
    ['İBRAHİM ÇELIK', ['ibrahim', 'celik']],
    ['ﬁlip Straße', ['filip', 'strasse']],
    ['Łukasz Żółw', ['lukasz', 'zolw']],
    ['Владимир Щукин', ['vladimir', 'shchukin']],
    ['Νίκος Παππάς', ['nikos', 'pappas']],
    ['محمد', ['mhmd']],
    ['مُحَمَّد', ['mhmd']],
    ['Abd al-Rahman', ['abd', 'al', 'rahman']],
    ['Abdulrahman', ['abd', 'rahman']],
    ['ABDURRAHMAN', ['abd', 'rahman']],
    ['Abdul Aziz', ['abd', 'aziz']],
    ['Abdullah', ['abdullah']],
    ['Abdallah', ['abdallah']],
    ['', []],
    ['--- ’', []],
  ])('%s', (name, words) => {
    expect(nameTokens(name)).toEqual(words);
  });

  it('a text of any length costs no more than a name', () => {
    expect(nameTokens('a b '.repeat(100_000))).toHaveLength(24);
  });
});

describe('similarity of words', () => {
  it.each([
    ['martha', 'marhta', 0.9611],
    ['dwayne', 'duane', 0.84],
    ['dixon', 'dicksonx', 0.8133],
  ])('Jaro-Winkler of %s and %s, from its literature', (a, b, value) => {
    expect(jaroWinkler(a, b)).toBeCloseTo(value, 3);
    expect(jaroWinkler(b, a)).toBeCloseTo(value, 3);
  });

  it.each([
    ['kitten', 'sitting', 3],
    ['ca', 'ac', 1],
    ['', 'abc', 3],
    ['same', 'same', 0],
  ])('edits between %s and %s', (a, b, edits) => {
    expect(editDistance(a, b)).toBe(edits);
  });

  it('is symmetric, between 0 and 1, and 1 only for itself', () => {
    const word = fc.stringMatching(/^[a-z]{1,12}$/);
    fc.assert(
      fc.property(word, word, (a, b) => {
        const similarity = rememberedSimilarity();
        expect(similarity(a, b)).toBeCloseTo(similarity(b, a), 10);
        expect(similarity(a, b)).toBeLessThanOrEqual(1);
        expect(similarity(a, b) === 1).toBe(a === b);
      }),
    );
  });
});

describe('who is found', () => {
  it.each<[string, string, string]>([
    ['the name itself', 'Ezequiel Montalvane Brusk', 'Ezequiel Montalvane Brusk'],
    ['case and accents', 'EZEQUIEL MONTALVANE BRUSK', 'ezéquiel montalvâne brusk'],
    ['another order', 'Ezequiel Montalvane Brusk', 'BRUSK, Ezequiel Montalvane'],
    ['no middle name', 'Ezequiel Montalvane Brusk', 'Ezequiel Brusk'],
    ['two missing middle names', 'Ezequiel Tadeu Montalvane Brusk', 'Ezequiel Brusk'],
    ['a middle name that the list lacks', 'Ezequiel Brusk', 'Ezequiel Montalvane Brusk'],
    ['an initial', 'Ezequiel Montalvane Brusk', 'Ezequiel M. Brusk'],
    ['a misspelling in one word', 'Ezequiel Montalvane Brusk', 'Ezekiel Montalvane Brusk'],
    ['swapped letters', 'Ezequiel Montalvane', 'Ezequiel Montavlane'],
    ['particles left out', 'Rui de la Veiga Montalvane', 'Rui Veiga Montalvane'],
    ['a hyphen', 'Anne-Marie Duvallon', 'Anne Marie Duvallon'],
    ['written as one', 'Anne Marie Duvallon', 'Annemarie Duvallon'],
    ['written as two', 'Montealegre Fabrizio', 'Monte Alegre Fabrizio'],
    ['Mohammed and Muhammad', 'MOHAMMED HUSSEIN ALQARNAWI', 'Muhammad Husayn al-Qarnawi'],
    ['Yusuf and Youssef', 'Yusuf Daoud', 'Youssef Dawood'],
    ['Osama and Usama', 'Osama Khalid Barqan', 'Usama Halid Barqan'],
    ['Abd al-Rahman and Abdurrahman', 'Abd al-Rahman Zubaydani', 'Abdurrahman Zubaydani'],
    ['Cyrillic', 'Владимир Щербаковский', 'Vladimir Shcherbakovsky'],
    ['Arabic', 'محمد حسين', 'Muhammad Husayn'],
    ['Greek', 'Νικόλαος Παπαδόπουλος', 'Nikolaos Papadopoulos'],
    ['signs that no one sees', 'Ezequiel Montalvane Brusk', 'Eze\u200bquiel Mont\u00adalvane \u202eBrusk'],
    ['look-alike letters of another script', 'Ezequiel Montalvane Brusk', '\u0415zequiel Montalvane Brusk'],
    ['initials as padding', 'Ezequiel Montalvane Brusk', `Ezequiel ${'x y z '.repeat(20)} Brusk`],
    [
      'five names more than the list has',
      'Ezequiel Brusk',
      'Ezequiel Aurelio Castro Pimentel Montalvane Teodoro Brusk',
    ],
    ['German ß and Polish Ł', 'Łukasz Weißkopf', 'Lukasz Weisskopf'],
    ['Tchaikov and Chaykov', 'Pyotr Tchaikovin', 'Piotr Chaykovin'],
  ])('%s: %s, asked for as %s', (_, listed, asked) => {
    expect(scoreOf(listed, asked)).toBeGreaterThanOrEqual(THRESHOLD);
  });

  it.each<[string, string, string]>([
    ['a first name alone', 'Maria Aparecida Montalvane', 'Maria'],
    ['a common first name with another family', 'Mohammed Qarnawi', 'Mohammed Silva'],
    ['two common first names with another family', 'José Carlos Montalvane Brusk', 'José Carlos Pereira da Silva'],
    ['a family name alone', 'Ezequiel Brusk', 'Ana Brusk'],
    ['particles alone', 'Rui de la Veiga', 'Ana de la Torre'],
    ['a mononym of the list inside a name', 'Maria', 'Maria Silva Santos'],
    ['another word that starts alike', 'Carlos Martinelli', 'Carla Martins'],
    ['Silva and Silveira', 'João Silveira', 'João Silva'],
    ['Yusuf and Asif', 'Yusuf Barqan', 'Asif Barqan'],
    ['nothing at all', 'Ezequiel Brusk', ' - '],
  ])('not %s: %s, asked for as %s', (_, listed, asked) => {
    expect(scoreOf(listed, asked)).toBe(0);
  });

  it('a mononym is found by itself, and inside a name by the day of birth alone', () => {
    const index = indexOf(person('m', ['Qarnawi'], { births: [{ kind: 'exact', date: '1970-02-03' }] }));
    expect(screen(index, 'Qarnawi')).toHaveLength(1);
    expect(screen(index, 'Qarnawi', '1999-09-09')).toEqual([]);
    expect(screen(index, 'Ahmed Qarnawi')).toEqual([]);
    expect(screen(index, 'Ahmed Qarnawi', '1970-02-03')).toHaveLength(1);
  });

  it('aliases find the person once, under the best name; a weak alias counts for less', () => {
    const index = indexOf(person('a', ['Ezequiel Brusk', 'Rodolfo Tarnowitz', ['Gustavo Pelegrin', 'weak-alias']]));
    expect(screen(index, 'Rodolfo Tarnowitz')).toMatchObject([{ entryId: 'a', list: 'un-consolidated', score: 100 }]);
    expect(screen(index, 'Gustavo Pelegrin')).toMatchObject([{ score: 90 }]);
    expect(
      matchPeople(
        index,
        { names: ['Rodolfo Tarnowitz', 'Ezequiel Brusk'], dateOfBirth: null, country: 'BRA' },
        THRESHOLD,
      ),
    ).toHaveLength(1);
  });

  it('says for the reviewer what was compared', () => {
    const index = indexOf(
      person('a', ['Ezequiel Brusk'], {
        births: [{ kind: 'years', from: 1960, to: 1962, approximate: false }],
        nationalities: ['Brazil'],
        countries: ['BRA'],
      }),
    );
    expect(screen(index, 'Ezekiel Brusk', '1961-05-05')[0]?.matchedOn).toMatch(
      /^"Ezekiel Brusk" is like the name "Ezequiel Brusk": 9\d % \(brusk~brusk 100 %, ezekiel~ezequiel 9\d %\); birth 1960-1962: same-year \(\+4\); nationality Brazil \(\+2\)$/,
    );
  });

  it('the hits of one list do not crowd out another', () => {
    const index = indexOf(...Array.from({ length: 60 }, (_, i) => person(`un-${i}`, ['Ezequiel Montalvane Brusk'])));
    index.add('pep', person('pep-1', ['Ezequiel Tadeu Montalvane Brusk']));
    const hits = screen(index, 'Ezequiel Montalvane Brusk');
    expect(hits).toHaveLength(26);
    expect(hits.at(-1)).toMatchObject({ list: 'pep', entryId: 'pep-1' });
  });

  it('a hostile name and a list of one word are answered too', () => {
    const crowd = indexOf(...Array.from({ length: 200 }, (_, i) => person(String(i), ['Ana Ana Ana'])));
    expect(screen(crowd, 'ana '.repeat(4))).toHaveLength(25);
    expect(screen(crowd, 'ana '.repeat(1_000))).toHaveLength(25);
  });
});

describe('birth dates', () => {
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
  ] as const)('%s against %o: %s', (date, listed, verdict) => {
    expect(compareBirths(date, [listed])).toBe(verdict);
    // Of several dates the best counts.
    if (date !== null) expect(compareBirths(date, [{ kind: 'exact', date: '1800-01-01' }, listed])).toBe(verdict);
  });

  it('raise and lower: a perfect name with another date is still looked at, an approximate one is not', () => {
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

  it('no listed date: unknown', () => {
    expect(compareBirths('1990-01-01', [])).toBe('unknown');
  });
});

describe('properties', () => {
  const FIRST = ['Ezequiel', 'Rodolfo', 'Mohammed', 'Vladimir', 'Aparecida', 'Konstantin', 'Beatrix'];
  const LAST = ['Montalvane', 'Tarnowitz', 'Qarnawi', 'Shcherbakov', 'Duvallon', 'Papadopoulos'];
  const name = fc
    .record({ first: fc.constantFrom(...FIRST), middle: fc.constantFrom(...LAST), last: fc.constantFrom(...LAST) })
    .filter(({ middle, last }) => middle !== last)
    .map(({ first, middle, last }) => [first, middle, last] as const);

  it('the order, case, accents and punctuation of the words do not matter', () => {
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

  it('one changed, lost or doubled letter in a long word does not hide anybody', () => {
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

  it('the index finds what comparing with every single name would find', () => {
    const people = FIRST.flatMap((first) =>
      LAST.flatMap((middle) =>
        LAST.map((last) => person(`${first}/${middle}/${last}`, [`${first} ${middle} ${last}`])),
      ),
    );
    const all = indexOf(...people);
    const alone = people.map((one) => ({ one, index: indexOf(one) }));
    fc.assert(
      fc.property(fc.constantFrom(...FIRST), fc.constantFrom(...LAST), (first, last) => {
        const asked = { names: [`${first} ${last}`], dateOfBirth: null, country: 'BRA' };
        const expected = alone
          .filter(({ index }) => matchPeople(index, asked, 88).length > 0)
          .map(({ one }) => one.entryId);
        const found = matchPeople(all, asked, 88).map(({ entryId }) => entryId);
        expect(found).toHaveLength(Math.min(25, expected.length));
        expect(expected).toEqual(expect.arrayContaining(found));
      }),
      { numRuns: 20 },
    );
  });

  it('never throws, and never hits one who shares no word', () => {
    const index = indexOf(person('p', ['Ezequiel Montalvane Brusk', 'محمد حسين', '金正恩']));
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.constantFrom('1964-07-05', null), (text, date) => {
        expect(Array.isArray(screen(index, text, date))).toBe(true);
      }),
    );
    expect(screen(index, '金正恩')).toHaveLength(1);
    expect(screen(index, '金正日')).toEqual([]);
  });

  it('a large list compares few names: those that share two words', () => {
    const index = new NameIndex();
    for (let i = 0; i < 4_000; i++)
      index.add('pep', person(String(i), [`${FIRST[i % 7]} ${i % 200 === 0 ? 'Tarnowitz' : `Nome${i}`} Qarnawi${i}`]));
    expect(index.size).toBe(4_000);
    expect(
      drained(index.candidates(comparable('Ezequiel Tarnowitz Qarnawi'), rememberedSimilarity())).length,
    ).toBeLessThan(50);
  });
});
