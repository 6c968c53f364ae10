import { readFile, stat } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BadList } from './un-list';

/** Where the text of a list comes from. */
export interface ListSource {
  /** `un-consolidated`, `pep`, or as the operator calls it; hits carry it. */
  readonly name: string;
  /** Changes when the text does; cheap to ask. */
  version(): Promise<string>;
  read(): Promise<string>;
}

/** A list is some megabytes; what is larger is something else. */
const MAX_BYTES = 256 * 2 ** 20;

/** A file that an operator's own job replaces, best by renaming a whole new one over it. */
export function fileList(name: string, path: string): ListSource {
  return {
    name,
    async version() {
      const { mtimeMs, size, ino } = await stat(path);
      return `${mtimeMs}:${size}:${ino}`;
    },
    async read() {
      if ((await stat(path)).size > MAX_BYTES) throw new BadList(`a list has at most ${MAX_BYTES} bytes`);
      try {
        return await decoded(await readFile(path));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
          throw new BadList('the list is not in UTF-8');
        throw error;
      }
    },
  };
}

/** Some milliseconds of work each, between which others get their turn. */
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

/** A list that the program itself carries. */
export const builtInList = (name: string, xml: string): ListSource => ({
  name,
  version: async () => 'built in',
  read: async () => xml,
});
