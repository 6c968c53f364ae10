import { readFile, stat } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BadList } from './un-list';

export interface ListState {
  /** Changes when the text changes. */
  readonly version: string;
  /** When the text was written, in epoch milliseconds; null if it is part of the program. */
  readonly writtenAt: number | null;
}

/** The source of a list's text. */
export interface ListSource {
  /** `un-consolidated`, `pep`, or a name that the operator chose. Hits contain it. */
  readonly name: string;
  /** Cheap to call. */
  state(): Promise<ListState>;
  read(): Promise<string>;
}

/** A list has a few megabytes; a larger file is not a list. */
const MAX_BYTES = 256 * 2 ** 20;

/** A list in a file that an operator's job replaces, preferably by renaming a complete new file. */
export function fileList(name: string, path: string): ListSource {
  return {
    name,
    async state() {
      const { mtimeMs, size, ino } = await stat(path);
      return { version: `${mtimeMs}:${size}:${ino}`, writtenAt: mtimeMs };
    },
    async read() {
      if ((await stat(path)).size > MAX_BYTES) throw new BadList(`a list must have at most ${MAX_BYTES} bytes`);
      try {
        return await decoded(await readFile(path));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
          throw new BadList('the list is not valid UTF-8');
        throw error;
      }
    },
  };
}

/** The bytes decoded in one step: a few milliseconds, after which other work gets its turn. */
const SLICE_BYTES = 2 ** 20;

async function decoded(bytes: Buffer): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parts: string[] = [];
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
    parts.push(decoder.decode(bytes.subarray(from, from + SLICE_BYTES), { stream: true }));
    await nextTurn();
  }
  return parts.join('') + decoder.decode();
}

/** A list that is part of the program. */
export const builtInList = (name: string, xml: string): ListSource => ({
  name,
  state: async () => ({ version: 'built in', writtenAt: null }),
  read: async () => xml,
});
