import { join } from 'node:path';
import { readListsInSmallHeap } from '@ponte/testing';

const ENTRIES = 20_000;
/** Less than the text of two lists, and a fifth of what their entries would take as objects; half of it is enough. */
const HEAP_MB = 64;

/** Words that differ from each other, as in a list of real people. */
const word = (seed: number): string =>
  Array.from({ length: 3 }, (_, i) => {
    const part = Math.floor(seed / 90 ** i) % 90;
    return `${'bcdfgklmnprstvwxz'.charAt(part % 17)}${'aeiou'.charAt(part % 5)}${'lmnrst'.charAt(part % 6)}`;
  }).join('');

function entry(i: number): string {
  const name = (part: number): string => word(i * 7 + part * 7_919);
  const aliases = [4, 5, 6].map(
    (part) =>
      `<INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>${name(part)} ${name(part + 3)} ${name(1)}</ALIAS_NAME></INDIVIDUAL_ALIAS>`,
  );
  return (
    `<INDIVIDUAL><DATAID>${i}</DATAID><FIRST_NAME>${name(1)}</FIRST_NAME><SECOND_NAME>${name(2)}</SECOND_NAME>` +
    `<THIRD_NAME>${name(3)}</THIRD_NAME>${aliases.join('')}` +
    `<COMMENTS1>${'An official of a ministry. '.repeat(30)}</COMMENTS1>` +
    '<INDIVIDUAL_DATE_OF_BIRTH><YEAR>1971</YEAR></INDIVIDUAL_DATE_OF_BIRTH></INDIVIDUAL>\n'
  );
}

const LIST = {
  opening: '<CONSOLIDATED_LIST dateGenerated="2026-11-30"><INDIVIDUALS>',
  entry,
  closing: '</INDIVIDUALS></CONSOLIDATED_LIST>',
  entries: ENTRIES,
};

describe('A list of many people', () => {
  it('is read, and replaced by another one, in a small heap', async () => {
    const names = [entry(3), entry(ENTRIES + 3)].map((text) => /<ALIAS_NAME>(.*?)</.exec(text)?.[1] ?? '');
    const program = join(__dirname, 'large-lists.testing.ts');
    const printed = await readListsInSmallHeap(program, HEAP_MB, LIST, names);
    expect(printed).toEqual([
      { entries: ENTRIES, found: [true, false] },
      { entries: ENTRIES, found: [false, true] },
    ]);
  });
});
