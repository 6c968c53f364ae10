import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { temporaryFolder } from './temporary-folder';

const run = promisify(execFile);
const BUNDLE = resolve(__dirname, '../../../deploy/build/reused-bundle.cjs');

interface LongList {
  readonly opening: string;
  readonly entry: (at: number) => string;
  readonly closing: string;
  readonly entries: number;
}

async function writeList(path: string, { opening, entry, closing, entries }: LongList, first: number): Promise<void> {
  const file = createWriteStream(path);
  file.write(opening);
  for (let at = 0; at < entries; at += 1) file.write(entry(first + at));
  file.end(closing);
  await finished(file);
}

/**
 * Runs a program in a process with a small heap, and returns the JSON that it prints. Its arguments are the files of
 * two lists and `args`. The second list begins with the second half of the first.
 */
export async function readListsInSmallHeap(
  program: string,
  heapMb: number,
  list: LongList,
  args: readonly string[],
): Promise<unknown> {
  const folder = temporaryFolder();
  try {
    const [before, after] = [join(folder.path, 'before.xml'), join(folder.path, 'after.xml')];
    await Promise.all([writeList(before, list, 0), writeList(after, list, list.entries / 2)]);
    const bundled = join(folder.path, 'program.cjs');
    await run(process.execPath, [BUNDLE, program, bundled]);
    const { stdout } = await run(process.execPath, [
      `--max-old-space-size=${heapMb}`,
      ...[bundled, before, after, ...args],
    ]);
    return JSON.parse(stdout);
  } finally {
    folder.remove();
  }
}
