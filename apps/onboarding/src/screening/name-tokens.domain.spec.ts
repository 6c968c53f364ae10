import { LETTERS } from './words/letters.domain';
import { nameTokens } from './name-tokens.domain';

describe('The words of a name', () => {
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
    ['Kh\u0251lid \u0280\u1d1c\ua731', ['khalid', 'rus']],
    ['K\u3164h\u115fa\u1160l\uffa0i\u2800d', ['khalid']],
    ['\u3164 \u2800\u200b', []],
    ['', []],
    ['--- ’', []],
  ])('are found in "%s"', (name, words) => {
    expect(nameTokens(name)).toEqual(words);
  });

  it('have an entry for no letter that lower-casing or decomposition changes, as it would never be used', () => {
    const unused = [...LETTERS.keys()].filter((letter) => letter.toLowerCase().normalize('NFKD') !== letter);
    expect(unused).toEqual([]);
  });

  it('are limited in number for a text of any length', () => {
    expect(nameTokens('a b '.repeat(100_000))).toHaveLength(24);
  });
});
