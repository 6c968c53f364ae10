import { uncomparedNames } from './uncompared-names';

describe('A name that cannot be compared', () => {
  it.each([
    ['letters that are not transliterated', 'Խալիդ Husayn', 'not compared with the lists: խ ա լ ի դ'],
    ['Cherokee letters that look Latin', 'ᏦᎻᎪᏞᏆᎠ', 'not compared'],
    ['Cyrillic letters in a Latin word', 'Рodolfo Tarnowitz', 'Latin and other letters in one word'],
    ['Arabic letters', 'معمر القذافي', 'Arabic or Hebrew letters, which show few vowels'],
    ['Arabic letters of presentation', 'ﻣﺤﻤﺪ', 'Arabic or Hebrew letters'],
    ['Persian letters with an invisible character', 'مهری\u200cپور', 'Arabic or Hebrew letters'],
    ['Arabic letters in one of its words', 'Muammar القذافي', 'Arabic or Hebrew letters'],
    ['Hebrew letters', 'בנימין נתניהו', 'Arabic or Hebrew letters'],
    ['Greek letters in a Latin word', 'Rοdolfo Tarnowitz', 'Latin and other letters in one word'],
  ])('is a finding if it has %s', (_, name, words) => {
    expect(uncomparedNames(['Joana Lima', name])).toEqual([
      { list: 'name-letters', entryId: 'unreadable', score: 100, matchedOn: expect.stringContaining(words) },
    ]);
  });

  it.each([
    ['João D’Ávila-Souza'],
    ['Łukasz Żółw Þórr Əliyev'],
    ['Khɑlid ʜᴜꜱᴀʏɴ'],
    ['Владимир Ivanov'],
    ['Νίκος'],
    ['ʻAbd al-Raḥmān'],
    ['Maria 2'],
    [''],
  ])('is not "%s"', (name) => {
    expect(uncomparedNames([name])).toEqual([]);
  });
});
