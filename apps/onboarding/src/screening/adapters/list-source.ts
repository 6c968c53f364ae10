import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { BadList } from './bad-list';

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
  /** The text as UTF-8, in pieces that take a few milliseconds to parse. */
  read(): AsyncIterable<Uint8Array>;
}

/** The list of the UN has a few megabytes, one of 100,000 people about 150; a larger file is not a list. */
const MAX_BYTES = 256 * 2 ** 20;
const PIECE_BYTES = 32 * 2 ** 10;

/** A list in a file that an operator's job replaces, preferably by renaming a complete new file. */
export function fileList(name: string, path: string): ListSource {
  return {
    name,
    async state() {
      const { mtimeMs, size, ino } = await stat(path);
      return { version: `${mtimeMs}:${size}:${ino}`, writtenAt: mtimeMs };
    },
    async *read() {
      if ((await stat(path)).size > MAX_BYTES) throw new BadList(`a list must have at most ${MAX_BYTES} bytes`);
      yield* createReadStream(path, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>;
    },
  };
}

/** A list that is part of the program. */
export const builtInList = (name: string, xml: string): ListSource => ({
  name,
  state: async () => ({ version: 'built in', writtenAt: null }),
  async *read() {
    yield Buffer.from(xml);
  },
});
