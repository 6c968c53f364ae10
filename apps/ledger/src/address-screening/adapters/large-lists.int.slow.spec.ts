import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { temporaryFolder } from '@ponte/testing';

const run = promisify(execFile);
const ROOT = resolve(__dirname, '../../../../..');
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

async function writeList(path: string, first: number): Promise<void> {
  const file = createWriteStream(path);
  file.write('<?xml version="1.0" standalone="yes"?><sdnList xmlns="https://sanctionslistservice.example/xml">');
  for (let at = 0; at < ENTRIES; at += 1) file.write(entry(first + at));
  file.end('</sdnList>');
  await finished(file);
}

describe('A list as long as that of OFAC', () => {
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
    const { stdout } = await run(process.execPath, [
      `--max-old-space-size=${HEAP_MB}`,
      ...[program, before, after, addressOf(3), addressOf(ENTRIES + 3)],
    ]);
    expect(JSON.parse(stdout)).toEqual([
      { entries: ENTRIES, found: [1, 0] },
      { entries: ENTRIES, found: [0, 1] },
    ]);
  });
});
