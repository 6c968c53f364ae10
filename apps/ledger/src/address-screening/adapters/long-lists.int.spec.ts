import { createHash } from 'node:crypto';
import type { ListSource } from '@ponte/screening-lists';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { LocalAddressScreening } from './local.address-screening.adapter';
import { entryOf, idOf, listOf } from './ofac-list.testing';

const TYPE = 'Digital Currency Address - ETH';
const ENTRIES = 18_000;
const FEWER = 1_000;
/** Pieces end within entries, and within characters. */
const PIECE_BYTES = 32_749;
/** More than those of a slice, of the rest of a piece and of the beginning of the next one. */
const MAX_PARSED_PER_TURN = 15;

const addressOf = (entry: number): string => `0x${String(entry).padStart(40, 'a')}`;
const withoutAddress = (at: number): string => `<sdnEntry><uid>${at}</uid><lastName>São Tomé 😀</lastName></sdnEntry>`;
const textOf = (addresses: number, entries = FEWER): string =>
  listOf(
    Array.from({ length: entries }, (_, at) =>
      at < addresses ? entryOf(String(at), idOf(TYPE, addressOf(at))) : withoutAddress(at),
    ).join('\n'),
  );
/** Ends within the last entry. */
const truncated = (text: string): string => text.slice(0, text.lastIndexOf('</lastName>'));

/** A list in memory whose hashes and reads are counted. */
function countedList(text: string) {
  const list = { bytes: Buffer.from(text), version: 1, hashed: 0, read: 0 };
  const source: ListSource = {
    name: 'ofac-sdn',
    state: async () => ({ version: String(list.version), writtenAt: list.version }),
    async digest() {
      list.hashed += 1;
      return createHash('sha256').update(list.bytes).digest('hex');
    },
    async *read() {
      list.read += 1;
      for (let at = 0; at < list.bytes.length; at += PIECE_BYTES) yield list.bytes.subarray(at, at + PIECE_BYTES);
    },
  };
  const write = (changed: string): void => {
    list.bytes = Buffer.from(changed);
    list.version += 1;
  };
  return { list, source, write };
}

const entriesIn = (xml: string): number => xml.split('<sdnEntry').length - 1;

/**
 * Counts the entries that are parsed between two turns of other work. A slice ends after four milliseconds; here each
 * entry takes one, whatever the machine.
 */
function watchParser() {
  const watch = { parsed: 0, maxPerTurn: 0, isOver: false };
  const parse = jest.spyOn(XMLParser.prototype, 'parse');
  const { validate } = XMLValidator;
  jest.spyOn(performance, 'now').mockImplementation(() => watch.parsed);
  jest.spyOn(XMLValidator, 'validate').mockImplementation((xml, options) => {
    watch.parsed += entriesIn(xml);
    return validate(xml, options);
  });
  const turn = (before: number): void => {
    const { parsed, maxPerTurn, isOver } = watch;
    watch.maxPerTurn = Math.max(maxPerTurn, parsed - before);
    if (!isOver) setImmediate(turn, parsed);
  };
  turn(0);
  return {
    watch,
    maxAtOnce: () => parse.mock.calls.reduce((most, [xml]) => Math.max(most, entriesIn(String(xml))), 0),
  };
}

describe('A long list of addresses', () => {
  let watched: ReturnType<typeof watchParser>;
  beforeEach(() => {
    watched = watchParser();
  });
  afterEach(() => {
    watched.watch.isOver = true;
    jest.restoreAllMocks();
  });

  it('of 18,000 entries is parsed entry by entry, and other work has its turn in between', async () => {
    const { source } = countedList(textOf(1, ENTRIES));
    const screening = await LocalAddressScreening.of(source);
    expect(screening.screen(addressOf(0))).toEqual([{ list: 'ofac-sdn', entryId: '0', programs: ['CYBER2'] }]);
    expect(screening.inUse()).toMatchObject([{ entries: 1, isRefused: false }]);
    expect([watched.watch.parsed, watched.maxAtOnce()]).toEqual([ENTRIES, 1]);
    expect(watched.watch.maxPerTurn).toBeLessThanOrEqual(MAX_PARSED_PER_TURN);
  });

  it('is not parsed again if the same content is written, and its age is that of the new file', async () => {
    const text = textOf(4);
    const { list, source, write } = countedList(text);
    const screening = await LocalAddressScreening.of(source);
    write(text);
    expect(await screening.refresh()).toBe(false);
    expect(await screening.refresh()).toBe(false);
    expect([list.hashed, list.read, watched.watch.parsed]).toEqual([1, 1, FEWER]);
    expect(screening.inUse()).toEqual([{ name: 'ofac-sdn', entries: 4, writtenAt: 2, isRefused: false }]);
  });

  it.each([
    ['lost more than half of its addresses', textOf(1), 'may be truncated'],
    ['ends within an entry', truncated(textOf(4)), 'not well-formed'],
  ])('is read once if it %s, and stays refused', async (_, text, reason) => {
    const { list, source, write } = countedList(textOf(4));
    const screening = await LocalAddressScreening.of(source);
    write(text);
    for (let minute = 0; minute < 3; minute += 1) await expect(screening.refresh()).rejects.toThrow(reason);
    write(text);
    await expect(screening.refresh()).rejects.toThrow(reason);
    expect([list.hashed, list.read, watched.watch.parsed]).toEqual([2, 2, FEWER * 2]);
    expect(screening.screen(addressOf(3))).toHaveLength(1);
    expect(screening.inUse()).toEqual([{ name: 'ofac-sdn', entries: 4, writtenAt: 1, isRefused: true }]);
    write(textOf(5));
    expect(await screening.refresh()).toBe(true);
    expect(screening.inUse()).toEqual([{ name: 'ofac-sdn', entries: 5, writtenAt: 4, isRefused: false }]);
  });
});
