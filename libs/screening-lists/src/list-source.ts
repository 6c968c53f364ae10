import { createHash } from 'node:crypto';
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
  /** The name of the list. Hits and metrics contain it. */
  readonly name: string;
  /** Cheap to call. */
  state(): Promise<ListState>;
  /** SHA-256 of the text, in hexadecimal. Much cheaper than to parse the text. */
  digest(): Promise<string>;
  /** The text as UTF-8, in pieces that take a few milliseconds to parse. */
  read(): AsyncIterable<Uint8Array>;
}

/**
 * The list of the UN has a few megabytes, OFAC's about 25, one of 100,000 people about 150. A larger file is not a
 * list.
 */
const MAX_BYTES = 256 * 2 ** 20;
const PIECE_BYTES = 32 * 2 ** 10;

/**
 * A list in a file that an operator's job replaces, preferably by renaming a complete new file.
 *
 * @param maxBytes a larger file is refused without reading it
 */
export function fileList(name: string, path: string, maxBytes = MAX_BYTES): ListSource {
  async function* read(): AsyncIterable<Uint8Array> {
    let left = maxBytes;
    if ((await stat(path)).size > maxBytes) throw tooLarge(maxBytes);
    for await (const bytes of createReadStream(path, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>) {
      left -= bytes.length;
      // The file may grow while it is read.
      if (left < 0) throw tooLarge(maxBytes);
      yield bytes;
    }
  }
  return {
    name,
    read,
    async state() {
      const { mtimeMs, size, ino } = await stat(path);
      return { version: `${mtimeMs}:${size}:${ino}`, writtenAt: mtimeMs };
    },
    async digest() {
      const hash = createHash('sha256');
      for await (const bytes of read()) hash.update(bytes);
      return hash.digest('hex');
    },
  };
}

const tooLarge = (maxBytes: number): BadList => new BadList(`a list must have at most ${maxBytes} bytes`);

/** A list that is part of the program. */
export const builtInList = (name: string, xml: string): ListSource => ({
  name,
  state: async () => ({ version: 'built in', writtenAt: null }),
  digest: async () => createHash('sha256').update(xml).digest('hex'),
  async *read() {
    yield Buffer.from(xml);
  },
});
