import { createHash } from 'node:crypto';
import { appendFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@ponte/testing';
import { BadList } from './bad-list';
import { fileList } from './list-source';
import type { ListReader } from './local-list';
import { LocalList } from './local-list';
import { parsePublication } from './publication';

type Lines = { readonly lines: number };

/** Keeps the lines of a text, of which the first may state its time. Refuses a text with the word `bad`. */
function lineReader() {
  const texts: string[] = [];
  const reader: ListReader<readonly string[], Lines> = {
    entries: (lines) => lines.length,
    published: ([first]) => parsePublication(first ?? ''),
    async read(pieces, limits) {
      let text = '';
      for await (const piece of pieces) {
        text += piece;
        if (text.includes('bad')) break;
      }
      texts.push(text);
      const lines = text.split('\n');
      if (text.includes('bad')) throw new BadList('the list is bad');
      if (lines.length > limits.lines) throw new BadList(`the list has more than ${limits.lines} lines`);
      return lines;
    },
  };
  return { reader, texts };
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('A list in a file', () => {
  const ROOM: Lines = { lines: 10 };
  let folder: ReturnType<typeof temporaryFolder>;
  let file: string;
  let at = 1_000_000;
  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder.path, 'list');
  });
  afterEach(() => folder.remove());

  /** Renames a new file, which was written a second after the one before, over the list. */
  function write(text: string | Uint8Array): void {
    at += 1;
    writeFileSync(`${file}.new`, text);
    utimesSync(`${file}.new`, at, at);
    renameSync(`${file}.new`, file);
  }

  async function opened(text: string, { maxBytes }: { readonly maxBytes?: number } = {}) {
    write(text);
    const { reader, texts } = lineReader();
    const list = new LocalList(fileList('lines', file, maxBytes), reader);
    await list.refresh(ROOM);
    return { list, texts };
  }

  it('is not read again if the same content is written, whose time then counts', async () => {
    const { list, texts } = await opened('a\nb');
    const { content, digest } = list.current;
    expect([content, digest]).toEqual([['a', 'b'], digestOf('a\nb')]);
    write('a\nb');
    expect(await list.refresh(ROOM)).toBe(false);
    expect(list.current).toMatchObject({ digest, state: { writtenAt: at * 1_000 } });
    expect(list.current.content).toBe(content);
    expect([texts, list.refusal]).toEqual([['a\nb'], undefined]);
    write('a\nc');
    expect(await list.refresh(ROOM)).toBe(true);
    expect([list.current.content, list.current.digest]).toEqual([['a', 'c'], digestOf('a\nc')]);
  });

  it('is read once if it is refused, even when the same content is written again, and stays refused', async () => {
    const { list, texts } = await opened('a\nb\nc\nd\ne');
    for (const text of [`bad${'x'.repeat(100_000)}`, 'a\nb']) {
      texts.length = 0;
      for (const time of [1, 2]) {
        write(text);
        const refused = await list.refresh(ROOM);
        expect([time, refused, await list.refresh(ROOM), texts.length]).toEqual([time, false, false, 1]);
        expect(list.refusal).toBeInstanceOf(BadList);
      }
    }
    expect((list.refusal as Error).message).toBe(
      'the list lines lost more than half of its entries (5 before, 2 now): it may be truncated; restart to accept it',
    );
    expect(list.current.content).toHaveLength(5);
  });

  it('is refused if it was published before the list in use, until a restart', async () => {
    const { list } = await opened('2026-03-02T00:00:00Z\na');
    write('2026-03-01\nb');
    for (const time of [1, 2]) expect([time, await list.refresh(ROOM)]).toEqual([time, false]);
    expect(list.refusal).toMatchObject({
      message:
        'the list lines is older than the one in use (2026-03-02T00:00:00.000Z before, 2026-03-01 now): it may be a former file; restart to accept it',
    });
    expect(list.current.content).toEqual(['2026-03-02T00:00:00Z', 'a']);

    const restarted = new LocalList(fileList('lines', file), lineReader().reader);
    expect(await restarted.refresh(ROOM)).toBe(true);
    expect(restarted.current.content).toEqual(['2026-03-01', 'b']);
  });

  it('is refused if it was published before the last list that stated a time', async () => {
    const { list } = await opened('2026-03-02T00:00:00Z\na');
    write('b');
    expect(await list.refresh(ROOM)).toBe(true);
    write('2026-03-01\nc');
    expect([await list.refresh(ROOM), list.current.content]).toEqual([false, ['b']]);
  });

  it.each([
    ['at the same time as', '2026-03-02T00:00:00Z\nb'],
    ['after', '2026-03-03\nb'],
    ['at an unknown time, not after', 'b'],
  ])('is accepted if it was published %s the list in use', async (_, text) => {
    const { list } = await opened('2026-03-02T00:00:00Z\na');
    write(text);
    expect([await list.refresh(ROOM), list.refusal]).toEqual([true, undefined]);
  });

  it('is no longer refused when its former content is written again', async () => {
    const { list, texts } = await opened('a\nb');
    write('bad');
    await list.refresh(ROOM);
    write('a\nb');
    expect(await list.refresh(ROOM)).toBe(false);
    expect([list.refusal, list.current.state.writtenAt]).toEqual([undefined, at * 1_000]);
    expect(texts).toEqual(['a\nb', 'bad']);
  });

  it('is read again if it was refused for less than it may take now', async () => {
    const { list } = await opened('a');
    write('a\nb\nc');
    expect(await list.refresh({ lines: 2 })).toBe(false);
    expect(list.refusal).toMatchObject({ message: 'the list has more than 2 lines' });
    expect(await list.refresh({ lines: 3 })).toBe(true);
    expect(list.refusal).toBeUndefined();
  });

  it.each([
    ['has too many bytes', 'a'.repeat(11), 'a list must have at most 10 bytes'],
    ['is not UTF-8', Uint8Array.of(0xc3, 0x28), 'the list is not valid UTF-8'],
    ['ends within a character', Uint8Array.of(0x61, 0xc3), 'the list is not valid UTF-8'],
  ])('is refused if it %s', async (_, text, message) => {
    const { list } = await opened('a', { maxBytes: 10 });
    write(text);
    expect(await list.refresh(ROOM)).toBe(false);
    expect(list.refusal).toMatchObject({ message });
    expect(list.current.content).toEqual(['a']);
  });

  it('is refused if it grows beyond its limit while it is read', async () => {
    const { list } = await opened('a', { maxBytes: 100_000 });
    write('x'.repeat(99_000));
    const source = fileList('lines', file, 100_000);
    let read = 0;
    const growing = async () => {
      for await (const bytes of source.read()) {
        if (read === 0) appendFileSync(file, 'x'.repeat(2_000));
        read += bytes.length;
      }
    };
    await expect(growing()).rejects.toThrow('a list must have at most 100000 bytes');
    expect(list.current.content).toEqual(['a']);
  });

  it('has the same characters wherever its pieces end', async () => {
    const text = 'aé€😀'.repeat(20_000);
    expect((await opened(text)).list.current.content).toEqual([text]);
    expect((await opened(`b${text}`)).list.current.content).toEqual([`b${text}`]);
  });
});
