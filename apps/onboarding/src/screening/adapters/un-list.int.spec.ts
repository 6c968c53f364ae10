import { BadList } from '@ponte/screening-lists';
import { parseUnList } from './un-list.testing';

const individual = (inner: string, number = 'QDi.900'): string =>
  `<INDIVIDUAL><DATAID>1</DATAID><REFERENCE_NUMBER>${number}</REFERENCE_NUMBER>${inner}</INDIVIDUAL>`;

const listOf = (...individuals: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<CONSOLIDATED_LIST xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="sanctions.xsd" dateGenerated="2026-03-01T00:00:00Z"><INDIVIDUALS>${individuals.join('')}</INDIVIDUALS><ENTITIES><ENTITY><FIRST_NAME>SOME COMPANY</FIRST_NAME></ENTITY></ENTITIES></CONSOLIDATED_LIST>`;

describe('The consolidated list of the UN Security Council', () => {
  it('contains names, aliases with their quality, birth dates of every type, and nationalities', () => {
    const xml = listOf(
      individual(`
      <VERSIONNUM>1</VERSIONNUM><FIRST_NAME>EZEQUIEL</FIRST_NAME><SECOND_NAME>TAD&#201;U</SECOND_NAME>
      <THIRD_NAME>BRUSK &amp; FILHO</THIRD_NAME><FOURTH_NAME/>
      <NAME_ORIGINAL_SCRIPT>عزقيل</NAME_ORIGINAL_SCRIPT><COMMENTS1>Some words &#60;here&#62;.</COMMENTS1>
      <NATIONALITY><VALUE>Brazil</VALUE><VALUE>Atlantis</VALUE></NATIONALITY>
      <INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY>
        <ALIAS_NAME>Zeca Brusk (formerly listed as); Zeca Tadeu</ALIAS_NAME></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_ALIAS><QUALITY>Low</QUALITY><ALIAS_NAME>O Relojoeiro</ALIAS_NAME></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_ALIAS><QUALITY/><ALIAS_NAME/></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE>
        <DATE>1964-07-05-04:00</DATE></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><YEAR>1965</YEAR></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>APPROXIMATELY</TYPE_OF_DATE><YEAR>1966</YEAR></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>BETWEEN</TYPE_OF_DATE><FROM_YEAR>1953</FROM_YEAR>
        <TO_YEAR>1958</TO_YEAR></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DATE_OF_BIRTH/>`),
    );
    expect(parseUnList(xml)).toEqual({
      version: '2026-03-01T00:00:00Z',
      people: [
        {
          entryId: 'QDi.900',
          names: [
            { text: 'EZEQUIEL TADÉU BRUSK & FILHO', quality: 'name' },
            { text: 'عزقيل', quality: 'alias' },
            { text: 'Zeca Brusk', quality: 'alias' },
            { text: 'Zeca Tadeu', quality: 'alias' },
            { text: 'O Relojoeiro', quality: 'weak-alias' },
          ],
          births: [
            { kind: 'exact', date: '1964-07-05' },
            { kind: 'years', from: 1965, to: 1965, approximate: false },
            { kind: 'years', from: 1966, to: 1966, approximate: true },
            { kind: 'years', from: 1953, to: 1958, approximate: false },
          ],
          nationalities: ['Brazil', 'Atlantis'],
          countries: ['BRA'],
        },
      ],
    });
  });

  it('counts an unreadable birth date as missing, so that it never counts against a match', () => {
    const births =
      '<INDIVIDUAL_DATE_OF_BIRTH><DATE>1964-02-30</DATE></INDIVIDUAL_DATE_OF_BIRTH><INDIVIDUAL_DATE_OF_BIRTH><YEAR>1970</YEAR></INDIVIDUAL_DATE_OF_BIRTH>';
    expect(parseUnList(listOf(individual(`<FIRST_NAME>A B</FIRST_NAME>${births}`))).people[0]?.births).toEqual([]);
  });

  it('keeps every spelling of an element that is repeated, and reads neither of two birth dates in one element', () => {
    const xml = listOf(
      individual(
        '<FIRST_NAME>A</FIRST_NAME><FIRST_NAME/><NAME_ORIGINAL_SCRIPT>Б</NAME_ORIGINAL_SCRIPT>' +
          '<NAME_ORIGINAL_SCRIPT lang="ar">ب</NAME_ORIGINAL_SCRIPT>' +
          '<INDIVIDUAL_ALIAS><QUALITY>Low</QUALITY><ALIAS_NAME>C &amp; D</ALIAS_NAME><ALIAS_NAME>E; F</ALIAS_NAME>' +
          '</INDIVIDUAL_ALIAS><INDIVIDUAL_DATE_OF_BIRTH><YEAR>1970</YEAR><YEAR>1971</YEAR></INDIVIDUAL_DATE_OF_BIRTH>' +
          '<INDIVIDUAL_DATE_OF_BIRTH><YEAR>1980</YEAR></INDIVIDUAL_DATE_OF_BIRTH>',
      ),
    );
    expect(parseUnList(xml).people).toMatchObject([
      {
        names: [
          { text: 'A', quality: 'name' },
          { text: 'Б', quality: 'alias' },
          { text: 'ب', quality: 'alias' },
          { text: 'C & D', quality: 'weak-alias' },
          { text: 'E', quality: 'weak-alias' },
          { text: 'F', quality: 'weak-alias' },
        ],
        births: [],
      },
    ]);
  });

  it.each([
    ['nothing', ''],
    ['text that is not XML', 'hello'],
    ['a different document', '<html></html>'],
    ['a list without people', listOf()],
    ['a truncated list', listOf(individual('<FIRST_NAME>A</FIRST_NAME>')).slice(0, -40)],
    [
      'an entry without a name',
      listOf(individual('<FIRST_NAME>A</FIRST_NAME>'), individual('<FIRST_NAME/>', 'QDi.901')),
    ],
    ['an entry with two first names', listOf(individual('<FIRST_NAME>A</FIRST_NAME><FIRST_NAME>B</FIRST_NAME>'))],
    [
      'an entry with two numbers',
      listOf(individual('<REFERENCE_NUMBER>QDi.901</REFERENCE_NUMBER><FIRST_NAME>A</FIRST_NAME>')),
    ],
    ['a name with a letter of HTML', listOf(individual('<FIRST_NAME>Jo&atilde;o</FIRST_NAME>'))],
    ['a name with a letter of HTML in CDATA', listOf(individual('<FIRST_NAME><![CDATA[Jo&Atilde;o]]></FIRST_NAME>'))],
    ['a name with a letter that was escaped twice', listOf(individual('<FIRST_NAME>Jo&amp;#227;o</FIRST_NAME>'))],
    [
      'an alias with a letter of HTML',
      listOf(
        individual(
          '<FIRST_NAME>A</FIRST_NAME><INDIVIDUAL_ALIAS><ALIAS_NAME>Wei&szlig;</ALIAS_NAME></INDIVIDUAL_ALIAS>',
        ),
      ),
    ],
    ['an entry without a number', listOf('<INDIVIDUAL><FIRST_NAME>A</FIRST_NAME></INDIVIDUAL>')],
    [
      'a list with a document type',
      listOf(individual('<FIRST_NAME>&a;</FIRST_NAME>')).replace(
        '?>',
        '?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
      ),
    ],
    [
      'a list with a name that every object has',
      listOf(individual('<FIRST_NAME>A</FIRST_NAME><__proto__><x>1</x></__proto__>')),
    ],
    ['a document of ten thousand levels', `${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}`],
  ])('is refused if it is %s', (_, xml) => {
    expect(() => parseUnList(xml)).toThrow(BadList);
  });
});

describe('A long list, which is parsed between other work of the process,', () => {
  const many = (count: number, between = ''): string =>
    listOf(
      ...Array.from({ length: count }, (_, i) => between + individual(`<FIRST_NAME>Nome${i}</FIRST_NAME>`, `QDi.${i}`)),
    );

  it.each([1, 7, 64, 100_000])(
    'has the same people in the same order in pieces of %i characters, with or without comments and CDATA',
    (length) => {
      const plain = parseUnList(many(130), length);
      expect(plain.people.map(({ entryId }) => entryId)).toEqual(Array.from({ length: 130 }, (_, i) => `QDi.${i}`));
      const comment = '<!-- <INDIVIDUAL><FIRST_NAME>No one</FIRST_NAME></INDIVIDUAL> <!DOCTYPE x> -->';
      expect(parseUnList(many(130, comment), length)).toEqual(plain);
      expect(parseUnList(many(130, '\n\t '), length)).toEqual(plain);
      const quoted = many(130).replaceAll(/<FIRST_NAME>(\w+)</g, '<FIRST_NAME><![CDATA[$1]]><');
      expect(parseUnList(quoted, length)).toEqual(plain);
    },
  );

  it('reads CDATA as text: tags and references in it mean nothing', () => {
    const tricky = 'A </INDIVIDUAL> & &lt; ]] <![CDATA[ <!--';
    const { people } = parseUnList(listOf(individual(`<FIRST_NAME>B <![CDATA[${tricky}]]> C</FIRST_NAME>`)), 3);
    expect(people.map(({ names }) => names[0]?.text)).toEqual([`B ${tricky} C`]);
  });

  it.each([
    ['invalid XML between the entries', many(90).replaceAll('</INDIVIDUAL>', '</INDIVIDUAL></x>')],
    ['an entry that does not end', many(90).replace('</INDIVIDUAL>', '')],
    [
      'an entry inside another entry',
      many(90).replace('<FIRST_NAME>Nome7</FIRST_NAME>', individual('<FIRST_NAME>A</FIRST_NAME>')),
    ],
    ['a comment that does not end', many(90).replace('</INDIVIDUALS>', '<!-- </INDIVIDUALS>')],
    ['an entry of more than a megabyte', many(3).replace('Nome1', 'x'.repeat(2 ** 20))],
    ['more than eight megabytes outside its entries', many(3).replace('SOME COMPANY', 'x'.repeat(2 ** 23))],
    [
      'two lists of people',
      many(90).replace(
        '</INDIVIDUALS>',
        `</INDIVIDUALS><INDIVIDUALS>${individual('<FIRST_NAME>A</FIRST_NAME>')}</INDIVIDUALS>`,
      ),
    ],
  ])('is refused with %s', (_, xml) => {
    expect(() => parseUnList(xml)).toThrow(BadList);
  });

  it('names the invalid entry, wherever it is', () => {
    expect(() => parseUnList(many(130).replace('<FIRST_NAME>Nome99</FIRST_NAME>', ''))).toThrow(
      'entry QDi.99 of the list has no name',
    );
    expect(() =>
      parseUnList(many(130).replace('<DATAID>1</DATAID><REFERENCE_NUMBER>QDi.99</REFERENCE_NUMBER>', '')),
    ).toThrow('entry 100 of the list has no number');
  });
});
