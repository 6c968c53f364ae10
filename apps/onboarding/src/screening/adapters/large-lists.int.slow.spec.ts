import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { temporaryFolder } from '@ponte/testing';

const run = promisify(execFile);
const ROOT = resolve(__dirname, '../../../../..');
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

async function writeList(path: string, first: number): Promise<void> {
  const file = createWriteStream(path);
  file.write('<CONSOLIDATED_LIST dateGenerated="2026-11-30"><INDIVIDUALS>');
  for (let i = 0; i < ENTRIES; i++) file.write(entry(first + i));
  file.end('</INDIVIDUALS></CONSOLIDATED_LIST>');
  await finished(file);
}

describe('A list of many people', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('is read, and replaced by another one, in a small heap', async () => {
    const [before, after] = [join(folder.path, 'before.xml'), join(folder.path, 'after.xml')];
    await Promise.all([writeList(before, 0), writeList(after, ENTRIES / 2)]);
    const program = join(folder.path, 'large-lists.cjs');
    const bundle = join(ROOT, 'deploy/build/reused-bundle.cjs');
    await run(process.execPath, [bundle, join(__dirname, 'large-lists.testing.ts'), program]);
    const names = [entry(3), entry(ENTRIES + 3)].map((text) => /<ALIAS_NAME>(.*?)</.exec(text)?.[1] ?? '');
    const { stdout } = await run(process.execPath, [
      `--max-old-space-size=${HEAP_MB}`,
      ...[program, before, after, ...names],
    ]);
    expect(JSON.parse(stdout)).toEqual([
      { entries: ENTRIES, found: [true, false] },
      { entries: ENTRIES, found: [false, true] },
    ]);
  });
});
