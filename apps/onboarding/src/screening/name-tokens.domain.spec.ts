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
    ['', []],
    ['--- ’', []],
  ])('are found in "%s"', (name, words) => {
    expect(nameTokens(name)).toEqual(words);
  });

  it('are limited in number for a text of any length', () => {
    expect(nameTokens('a b '.repeat(100_000))).toHaveLength(24);
  });
});
