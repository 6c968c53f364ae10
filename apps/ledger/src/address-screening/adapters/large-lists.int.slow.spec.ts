import { join } from 'node:path';
import { readListsInSmallHeap } from '@ponte/testing';

const ENTRIES = 18_000;
/** Less than twice the size of one list's text; half of it is enough. */
const HEAP_MB = 48;

const addressOf = (entry: number): string => `0x${String(entry).padStart(40, 'a')}`;

const alias = (at: number): string =>
  `<aka><uid>${at}</uid><type>a.k.a.</type><category>strong</category><lastName>ALIAS</lastName></aka>`;

/** An entry of 1,400 bytes. Each has an address, which is kept together with a program that has a long name. */
const entry = (at: number): string =>
  `<sdnEntry><uid>${at}</uid><lastName>LISTED ${at}</lastName><sdnType>Individual</sdnType>` +
  '<programList><program>ILLICIT-DRUGS-EO14059</program></programList>' +
  `<idList><id><uid>1</uid><idType>Digital Currency Address - ETH</idType><idNumber>${addressOf(at)}</idNumber></id>` +
  `</idList><akaList>${alias(at).repeat(10)}</akaList>` +
  '<addressList><address><uid>1</uid><city>City</city><country>Country</country></address></addressList></sdnEntry>\n';

const LIST = {
  opening: '<?xml version="1.0" standalone="yes"?><sdnList xmlns="https://sanctionslistservice.example/xml">',
  entry,
  closing: '</sdnList>',
  entries: ENTRIES,
};

describe('A list as long as that of OFAC', () => {
  it('is read, and replaced by another one, in a small heap', async () => {
    const program = join(__dirname, 'large-lists.testing.ts');
    const printed = await readListsInSmallHeap(program, HEAP_MB, LIST, [addressOf(3), addressOf(ENTRIES + 3)]);
    expect(printed).toEqual([
      { entries: ENTRIES, found: [1, 0] },
      { entries: ENTRIES, found: [0, 1] },
    ]);
  });
});
