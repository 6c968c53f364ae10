import { drained } from '@ponte/kernel';
import { MAX_MATCHES, matchPeople as matchInSteps } from './match-people.domain';
import { THRESHOLD, indexOf, indexOfList, matchPeople, person, screen } from './match-people.testing';

const scoreOf = (listed: string, searched: string): number =>
  screen(indexOf(person('x', [listed])), searched)[0]?.score ?? 0;

describe('A list of very many people of one name', () => {
  it('has only so many matches, the best of them, and does not displace those of other lists', () => {
    const many = Array.from({ length: 2 * MAX_MATCHES + 10 }, (_, i) =>
      person(`P${i}`, ['Maria da Silva Santos'], { countries: i >= 2 * MAX_MATCHES ? ['BRA'] : [] }),
    );
    const matches = screen(
      indexOfList('pep', many),
      'Maria da Silva dos Santos',
      null,
      'BRA',
      indexOf(person('U1', ['Maria da Silva Sandos'])),
    );
    const of = (list: string): readonly string[] =>
      matches.filter((one) => one.list === list).map((one) => one.entryId);
    expect(of('pep')).toHaveLength(MAX_MATCHES);
    expect(of('pep')).toEqual(expect.arrayContaining(many.slice(-10).map(({ entryId }) => entryId)));
    expect(of('un-consolidated')).toEqual(['U1']);
  });

  it.each([
    [MAX_MATCHES, []],
    [MAX_MATCHES + 1, ['pep']],
  ])('is named as cut if not all of %i matches are returned', (count, cut) => {
    const many = Array.from({ length: count }, (_, i) => person(`P${i}`, ['Maria da Silva Santos']));
    const subject = { names: ['Maria da Silva dos Santos'], dateOfBirth: null, country: 'BRA' };
    const indexes = [indexOfList('pep', many), indexOf(person('U1', ['Maria da Silva Sandos']))];
    const found = drained(matchInSteps(indexes, subject, THRESHOLD));
    expect([found.matches.length, found.cutLists]).toEqual([MAX_MATCHES + 1, cut]);
  });
});

describe('Matching people', () => {
  it.each<[string, string, string]>([
    ['the name itself', 'Ezequiel Montalvane Brusk', 'Ezequiel Montalvane Brusk'],
    ['case and accents', 'EZEQUIEL MONTALVANE BRUSK', 'ezéquiel montalvâne brusk'],
    ['another order', 'Ezequiel Montalvane Brusk', 'BRUSK, Ezequiel Montalvane'],
    ['a missing middle name', 'Ezequiel Montalvane Brusk', 'Ezequiel Brusk'],
    ['two missing middle names', 'Ezequiel Tadeu Montalvane Brusk', 'Ezequiel Brusk'],
    ['a middle name that the list lacks', 'Ezequiel Brusk', 'Ezequiel Montalvane Brusk'],
    ['an initial', 'Ezequiel Montalvane Brusk', 'Ezequiel M. Brusk'],
    ['a misspelling in one word', 'Ezequiel Montalvane Brusk', 'Ezekiel Montalvane Brusk'],
    ['swapped letters', 'Ezequiel Montalvane', 'Ezequiel Montavlane'],
    ['particles left out', 'Rui de la Veiga Montalvane', 'Rui Veiga Montalvane'],
    ['a hyphen', 'Anne-Marie Duvallon', 'Anne Marie Duvallon'],
    ['two words written as one', 'Anne Marie Duvallon', 'Annemarie Duvallon'],
    ['one word written as two', 'Montealegre Fabrizio', 'Monte Alegre Fabrizio'],
    ['Mohammed and Muhammad', 'MOHAMMED HUSSEIN ALQARNAWI', 'Muhammad Husayn al-Qarnawi'],
    ['Yusuf and Youssef', 'Yusuf Daoud', 'Youssef Dawood'],
    ['Osama and Usama', 'Osama Khalid Barqan', 'Usama Halid Barqan'],
    ['Abd al-Rahman and Abdurrahman', 'Abd al-Rahman Zubaydani', 'Abdurrahman Zubaydani'],
    ['Cyrillic', 'Владимир Щербаковский', 'Vladimir Shcherbakovsky'],
    ['Arabic', 'محمد حسين', 'Muhammad Husayn'],
    ['Greek', 'Νικόλαος Παπαδόπουλος', 'Nikolaos Papadopoulos'],
    ['invisible characters', 'Ezequiel Montalvane Brusk', 'Eze\u200bquiel Mont\u00adalvane \u202eBrusk'],
    ['look-alike letters of another script', 'Ezequiel Montalvane Brusk', '\u0415zequiel Montalvane Brusk'],
    ['phonetic letters', 'Khalid Husayn al-Qarnawi', 'Kh\u0251lid Hus\u0251yn al-Q\u0251rn\u0251wi'],
    ['small capitals', 'Khalid Husayn al-Qarnawi', 'ᴋʜᴀʟɪᴅ ʜᴜꜱᴀʏɴ ᴀʟ-ǫᴀʀɴᴀᴡɪ'],
    ['hooked and turned letters', 'Khalid Husayn al-Qarnawi', 'Ƙɦąɭɨɗ Ⱨʉȿⱥɏƞ ɐl-Ɋɐɹuɐʍı'],
    ['letters in circles', 'Khalid Husayn al-Qarnawi', '🅚🅗🅐🅛🅘🅓 🅷🆄🆂🅰🆈🅽 al-Qarnawi'],
    ['letters separated by hyphens', 'Khalid Husayn al-Qarnawi', 'K-h-a-l-i-d H-u-s-a-y-n a-l-Q-a-r-n-a-w-i'],
    ['letters separated by dots', 'Khalid Husayn al-Qarnawi', 'K.h.a.l.i.d. H.u.s.a.y.n. a.l.Q.a.r.n.a.w.i.'],
    ['letters separated by spaces', 'Khalid Husayn al-Qarnawi', 'K h a l i d H u s a y n a l Q a r n a w i'],
    ['separated letters with misspellings', 'Khalid Husayn al-Qarnawi', 'K-h-a-l-e-d H-u-s-s-e-i-n a-l-K-a-r-n-a-w-y'],
    ['words separated in the wrong places', 'Khalid Husayn al-Qarnawi', 'K-h-a-l i-d-H-u-s-a y-n-a-l-Q-a-r-n-a-w-i'],
    ['pairs of letters', 'Khalid Husayn al-Qarnawi', 'Kh al id Hu sa yn al Qa rn aw i'],
    [
      'padding before separated letters',
      'Khalid Husayn al-Qarnawi',
      `${'x y z '.repeat(20)}K h a l i d H u s a y n Q a r n a w i`,
    ],
    ['blank letters', 'Khalid Husayn al-Qarnawi', 'K\u3164hal\u115fid Hu\u1160sa\uffa0yn al-Qar\u2800nawi'],
    ['Arabic elongation', 'خالد القرناوي', 'خـالـد الـقرناوي'],
    ['the same initials', 'J. R. R. Tolkien', 'J. R. R. Tolkien'],
    ['initials for a first name', 'Ezequiel Roberto Rui Montalvane Brusk', 'E. R. R. Montalvane Brusk'],
    ['initials as padding', 'Ezequiel Montalvane Brusk', `Ezequiel ${'x y z '.repeat(20)} Brusk`],
    [
      'five more names than the list has',
      'Ezequiel Brusk',
      'Ezequiel Aurelio Castro Pimentel Montalvane Teodoro Brusk',
    ],
    ['German ß and Polish Ł', 'Łukasz Weißkopf', 'Lukasz Weisskopf'],
    ['Tchaikov and Chaykov', 'Pyotr Tchaikovin', 'Piotr Chaykovin'],
  ])('finds despite %s: %s, searched as %s', (_, listed, searched) => {
    expect(scoreOf(listed, searched)).toBeGreaterThanOrEqual(THRESHOLD);
  });

  it.each<[string, string, string]>([
    ['only the first name', 'Maria Aparecida Montalvane', 'Maria'],
    ['a common first name with another family', 'Mohammed Qarnawi', 'Mohammed Silva'],
    ['two common first names with another family', 'José Carlos Montalvane Brusk', 'José Carlos Pereira da Silva'],
    ['only the family name', 'Ezequiel Brusk', 'Ana Brusk'],
    ['only particles', 'Rui de la Veiga', 'Ana de la Torre'],
    ['a mononym of the list inside a name', 'Maria', 'Maria Silva Santos'],
    ['a different word with the same start', 'Carlos Martinelli', 'Carla Martins'],
    ['Silva and Silveira', 'João Silveira', 'João Silva'],
    ['Yusuf and Asif', 'Yusuf Barqan', 'Asif Barqan'],
    ['nothing at all', 'Ezequiel Brusk', ' - '],
  ])('does not match on %s: %s, searched as %s', (_, listed, searched) => {
    expect(scoreOf(listed, searched)).toBe(0);
  });

  it('finds a single-word name on its own, and within a longer name only with the birth date', () => {
    const index = indexOf(person('m', ['Qarnawi'], { births: [{ kind: 'exact', date: '1970-02-03' }] }));
    expect(screen(index, 'Qarnawi')).toHaveLength(1);
    expect(screen(index, 'Qarnawi', '1999-09-09')).toEqual([]);
    expect(screen(index, 'Ahmed Qarnawi')).toEqual([]);
    expect(screen(index, 'Ahmed Qarnawi', '1970-02-03')).toHaveLength(1);
  });

  it('finds a person once under the best alias, and counts a weak alias less', () => {
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

  it('explains to the reviewer what was compared', () => {
    const index = indexOf(
      person('a', ['Ezequiel Brusk'], {
        births: [{ kind: 'years', from: 1960, to: 1962, approximate: false }],
        nationalities: ['Brazil'],
        countries: ['BRA'],
      }),
    );
    expect(screen(index, 'Ezekiel Brusk', '1961-05-05')[0]?.matchedOn.split('; ')).toEqual([
      expect.stringMatching(
        /^"Ezekiel Brusk" is like the name "Ezequiel Brusk": 9\d % \(brusk~brusk 100 %, ezekiel~ezequiel 9\d %\)$/,
      ),
      'birth 1960-1962: same-year (+4)',
      'nationality Brazil (+2)',
    ]);
  });

  it('tells two people with one number apart, and shows an entry that is repeated once', () => {
    const names = ['Ezequiel Montalvane Brusk'];
    const born = (date: string) => person('1', names, { births: [{ kind: 'exact', date }] });
    const [one, other] = [born('1950-01-01'), born('1990-05-17')];
    const idsOf = (index: ReturnType<typeof indexOf>) =>
      screen(index, 'Ezequiel Montalvane Brusk', '1990-05-17').map(({ entryId, score }) => [entryId, score]);
    const both = idsOf(indexOf(one, one, other, one, other));
    expect(both).toEqual([
      [expect.stringMatching(/^1\/[\da-f]{8}$/), 100],
      ['1', 85],
    ]);
    expect(idsOf(indexOf(one, other))).toEqual(both);
    expect(indexOf(one, one, other).entries).toBe(2);
  });

  it('returns all hits of all lists, so that no entry hides another for good', () => {
    const index = indexOf(...Array.from({ length: 60 }, (_, i) => person(`un-${i}`, ['Ezequiel Montalvane Brusk'])));
    const pep = indexOfList('pep', [person('pep-1', ['Ezequiel Tadeu Montalvane Brusk'])]);
    const hits = screen(index, 'Ezequiel Montalvane Brusk', null, 'BRA', pep);
    expect(hits).toHaveLength(61);
    expect(hits.at(-1)).toMatchObject({ list: 'pep', entryId: 'pep-1' });
  });

  it('handles a hostile name and a list of one repeated word', () => {
    const crowd = indexOf(...Array.from({ length: 200 }, (_, i) => person(String(i), ['Ana Ana Ana'])));
    expect(screen(crowd, 'ana '.repeat(4))).toHaveLength(200);
    expect(screen(crowd, 'ana '.repeat(1_000))).toHaveLength(200);
  });
});
