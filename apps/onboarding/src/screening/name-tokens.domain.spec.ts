import { nameTokens } from './name-tokens.domain';

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
