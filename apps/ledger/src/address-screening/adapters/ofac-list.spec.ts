import { BadList } from '@ponte/screening-lists';
import { addressesOf, entryOf, idOf, listOf } from './ofac-list.testing';

const ETH = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';
const OTHER = '0x8589427373d6d84e98730d7795d8f6f8731fda16';
const TYPE = 'Digital Currency Address - ETH';

const WITHOUT_ADDRESSES = listOf(
  entryOf('1', idOf('Passport', '0X12')) + entryOf('2', idOf('Digital Currency Address - XBT', '1abc')),
);

describe("An address list in OFAC's format", () => {
  it('names each EVM address with its entries and programs, whatever the ticker and the case', () => {
    const found = addressesOf(
      listOf(
        entryOf('101', idOf('Digital Currency Address - ETH', ETH) + idOf('Passport', '0X12')) +
          entryOf(
            '102',
            idOf('Digital Currency Address - USDC', ETH.toLowerCase()) + idOf('Digital Currency Address - XBT', '1abc'),
          ) +
          entryOf('103', idOf('Website', ETH)),
      ),
    );
    expect([...found]).toEqual([
      [
        ETH.toLowerCase(),
        [
          { list: 'ofac-sdn', entryId: '101', programs: ['CYBER2'] },
          { list: 'ofac-sdn', entryId: '102', programs: ['CYBER2'] },
        ],
      ],
    ]);
  });

  it.each([
    ['text that is not XML', 'a,b,c'],
    ['a truncated file', listOf(entryOf('1', idOf('Digital Currency Address - ETH', ETH))).slice(0, 300)],
    ['a different document', '<list><entry/></list>'],
    ['a list without entries', listOf('')],
    ["a list without EVM addresses, such as OFAC's list of people who are not on the SDN list", WITHOUT_ADDRESSES],
    ['a document with a document type', `<!DOCTYPE x [<!ENTITY a "b">]>${listOf(entryOf('1', ''))}`],
    [
      'a list with an entry without a uid',
      listOf(`<sdnEntry><idList>${idOf('Digital Currency Address - ETH', ETH)}</idList></sdnEntry>`),
    ],
  ])('is refused when it is %s', (_, text) => {
    expect(() => addressesOf(text)).toThrow(BadList);
  });

  it.each([
    ['an entry inside another entry', listOf(entryOf('1', entryOf('2', '')))],
    ['an empty entry', listOf(`${entryOf('1', '')}<sdnEntry/>`)],
    ['an empty entry with an attribute', listOf(`<sdnEntry a="b"/>${entryOf('1', '')}`)],
    ['an entry after its list', `${listOf(entryOf('1', ''))}${entryOf('2', '')}`],
    ['an entry inside another element after the list', `<x>${listOf(entryOf('1', ''))}${entryOf('2', '')}</x>`],
    ['a list inside another document', `<x>${listOf(entryOf('1', '')).replace(/<[?].*[?]>/, '')}</x>`],
    ['two lists', `${listOf(entryOf('1', ''))}${listOf(entryOf('2', '')).replace(/<[?].*[?]>/, '')}`],
    ['an empty list before the list', listOf(entryOf('1', '')).replace('<sdnList', '<sdnList/><sdnList')],
    ['invalid XML in an entry without an address', listOf(entryOf('1', '<id><idType>Passport</id></idType>'))],
    ['invalid XML between its entries', listOf(`${entryOf('1', '')}</x>${entryOf('2', '')}`)],
    ['the end of an entry in an attribute', listOf(entryOf('1', '<id note="</sdnEntry>"></id>'))],
    [
      'a comment that begins in an attribute',
      listOf(`${entryOf('1', '<id note="<!--"/>')}${entryOf('2', '<id note="-->"/>')}`),
    ],
    ['an entry with two uids', listOf(entryOf('1', `${idOf(TYPE, ETH)}`).replace('<uid>', '<uid>0</uid><uid>'))],
    ['an id with two numbers', listOf(entryOf('1', idOf(TYPE, `${ETH}</idNumber><idNumber>`)))],
    ['an id with an element as its type', listOf(entryOf('1', idOf(`<b>${TYPE}</b>`, ETH)))],
    ['a document of a thousand levels', listOf(entryOf('1', `${'<a>'.repeat(1_000)}${'</a>'.repeat(1_000)}`))],
    ['a name that every object has', listOf(entryOf('1', '<__proto__><x>1</x></__proto__>'))],
    ['an entry whose uid has more than a thousand bytes', listOf(entryOf('1'.repeat(1_001), idOf(TYPE, ETH)))],
    ['an entry of more than a megabyte', listOf(entryOf('1', 'x'.repeat(2 ** 20)))],
    ['more than 65,536 characters outside its entries', listOf(`${entryOf('1', '')}<x>${'y'.repeat(2 ** 16)}</x>`)],
  ])('is refused with %s', (_, text) => {
    for (const pieces of [1, 100]) expect(() => addressesOf(text, Math.ceil(text.length / pieces))).toThrow(BadList);
  });

  it('is refused without EVM addresses with a message that says which file is needed', () => {
    expect(() => addressesOf(WITHOUT_ADDRESSES)).toThrow(
      "the list has no address of an EVM chain: it must be OFAC's SDN list (sdn.xml)",
    );
  });

  it('is refused if it ends early, wherever that is', () => {
    const text = listOf(entryOf('1', idOf(TYPE, ETH)) + entryOf('2', idOf(TYPE, OTHER)));
    expect(addressesOf(text).size).toBe(2);
    for (let length = 0; length < text.length; length += 1)
      expect(() => addressesOf(text.slice(0, length))).toThrow(BadList);
  });

  it('is refused with more addresses than the limit, and counts one as often as an entry names it', () => {
    const text = listOf(entryOf('1', idOf(TYPE, ETH)) + entryOf('2', idOf(TYPE, ETH) + idOf(TYPE, OTHER)));
    expect(addressesOf(text, 1_000, { addresses: 3 }).size).toBe(2);
    expect(() => addressesOf(text, 1_000, { addresses: 2 })).toThrow('the list has more than 2 addresses');
  });

  it('has the same addresses wherever its pieces end, and whatever looks like a tag in them', () => {
    const text = listOf(
      [
        "<?note </sdnList> it's <sdnEntry> ?><!-- </sdnEntry></sdnList> <!DOCTYPE x> -->",
        entryOf('101', `<!-- </sdnEntry> --><![CDATA[</sdnEntry>]]>${idOf(TYPE, ETH)}`),
        entryOf('102', `<id note="/> a > b &lt;/sdnEntry&gt;" other='">'></id>${idOf(TYPE, `<![CDATA[${OTHER}]]>`)}`),
        '<!-- <sdnEntry> -->\n\t',
        entryOf('103', `<?x </sdnEntry>?>${idOf('Digital Currency Address &#45; ETH', ETH)}`).replace(
          'X &amp;',
          'São Tomé 😀 &amp;',
        ),
        entryOf('104', `</idList><idList>${idOf(TYPE, ETH)}`),
      ].join(''),
    );
    const entries = (address: string, length: number) =>
      addressesOf(text, length)
        .get(address.toLowerCase())
        ?.map(({ entryId }) => entryId);
    for (let length = 1; length <= 60; length += 1)
      expect([entries(ETH, length), entries(OTHER, length)]).toEqual([['101', '103', '104'], ['102']]);
  });
});
