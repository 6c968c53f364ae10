import { NO_STREAM } from '@ponte/event-sourcing';
import { anEvent, eventsOf } from '@ponte/testing';
import { openSqliteEventStore } from '../event-store';
import { file, useLogFolder } from '../whole-log.testing';
import { NewStreams } from './new-streams';

useLogFolder();

const MANY = 5_000;
const numbered = (at: number): string => `order-${String(at).padStart(6, '0')}`;
const row = (stream: string, body = '{}', revision = 0) => ({ stream, revision, position: 1, body });

/** What is in the file by category, and how often that was asked. */
const fileWith = (greatest: Readonly<Record<string, string>> = {}) => ({
  greatestOf: jest.fn((category: string) => greatest[category] ?? ''),
});

describe('the names of new streams show that', () => {
  test('a stream with a greater name than all of its category does not exist, with one query for each category', () => {
    const table = fileWith({ order: 'order-5', quote: 'quote-9' });
    const streams = new NewStreams(table);
    expect(['order-4', 'order-5', 'order-6', 'order-7', 'quote-6'].map((one) => streams.isNew(one))).toEqual([
      false,
      false,
      true,
      true,
      false,
    ]);
    expect(table.greatestOf.mock.calls).toEqual([['order'], ['quote']]);
  });

  test('a stream that was begun meanwhile exists, whatever its name is', () => {
    const streams = new NewStreams(fileWith({ order: 'order-5' }));
    expect(streams.isNew('order-7')).toBe(true);
    streams.begin([row('order-7')]);
    expect(['order-6', 'order-7', 'order-8'].map((one) => streams.isNew(one))).toEqual([true, false, true]);
  });

  test('a stream that was being written when the file was asked exists', () => {
    const streams = new NewStreams(fileWith());
    streams.begin([row('order-7')]);
    expect(streams.isNew('order-7')).toBe(false);
  });

  test('a stream that is no longer remembered may exist, and so may every stream with a lesser name', () => {
    const streams = new NewStreams(fileWith());
    for (let at = 0; at < MANY; at += 1) streams.begin([row(numbered(2 * at))]);
    for (let at = 0; at < MANY; at += 1) expect(streams.isNew(numbered(2 * at))).toBe(false);
    expect(streams.isNew(numbered(1))).toBe(false);
    expect(streams.isNew(numbered(2 * MANY - 1))).toBe(true);
    expect(streams.isNew(numbered(2 * MANY))).toBe(true);
  });

  test('only a query tells for names without a category, and for letters that JavaScript orders differently', () => {
    const streams = new NewStreams(fileWith());
    expect(['lonely', 'order-\u{1f600}', 'order-é'].map((one) => streams.isNew(one))).toEqual([false, false, false]);
  });
});

describe('the first event of a new stream', () => {
  test('is in memory until many others have begun, unless its text is long', () => {
    const [event] = anEvent({ text: 'é"\\\n' });
    const streams = new NewStreams(fileWith());
    const rows = [row('order-1', JSON.stringify(event)), row('order-2', JSON.stringify({ text: 'x'.repeat(5_000) }))];
    streams.begin(rows);
    expect(streams.firstOf('order-1')).toBeUndefined();
    for (const one of rows) streams.keep(one);
    expect(streams.firstOf('order-1')).toMatchObject({ stream: 'order-1', revision: 0, position: '1', ...event });
    expect(streams.firstOf('order-2')).toBeUndefined();
    expect(streams.firstOf('order-3')).toBeUndefined();
    for (let at = 0; at < MANY; at += 1) streams.keep(row(numbered(at)));
    expect(streams.firstOf('order-1')).toBeUndefined();
  });

  test('is that of the attempt that was written', () => {
    const streams = new NewStreams(fileWith());
    for (const id of ['refused', 'written']) streams.begin([row('order-1', JSON.stringify({ id }))]);
    streams.keep(row('order-1', '{"id":"written"}'));
    expect(streams.firstOf('order-1')).toMatchObject({ id: 'written' });
    streams.begin([row('order-1', '{"id":"refused again"}')]);
    expect(streams.firstOf('order-1')).toBeUndefined();
  });
});

describe('an embedded log', () => {
  const open = () => openSqliteEventStore({ file, durability: 'off', writes: 'inline' });

  test('after a restart, finds the streams of the file and new ones, and none in between', async () => {
    const first = open();
    await first.append('order-2', NO_STREAM, anEvent());
    await first.append('order-4', NO_STREAM, eventsOf('several', {}, {}));
    await first.close();
    const store = open();
    const lengths = () => Promise.all([1, 2, 3, 4, 5, 6].map(async (at) => (await store.read(`order-${at}`)).length));
    expect(await lengths()).toEqual([0, 1, 0, 2, 0, 0]);
    await store.append('order-5', NO_STREAM, anEvent());
    await store.append('order-3', NO_STREAM, anEvent());
    await store.append('order-5', 0, anEvent());
    expect(await lengths()).toEqual([0, 1, 1, 2, 2, 0]);
    await store.close();
  });

  test('after a refused append to a stream of the file, reads what is in the file', async () => {
    const first = open();
    await first.append('order-1', NO_STREAM, anEvent({ from: 'file' }));
    await first.close();
    const store = open();
    await expect(store.append('order-1', NO_STREAM, anEvent({ from: 'memory' }))).rejects.toThrow();
    expect((await store.read('order-1')).map(({ data }) => data)).toEqual([{ from: 'file' }]);
    await store.close();
  });

  test('reads every stream although more have begun than it remembers', async () => {
    const store = open();
    await Promise.all(Array.from({ length: MANY }, (_, at) => store.append(numbered(at), NO_STREAM, anEvent({ at }))));
    for (let at = 0; at < MANY; at += 1) {
      const events = await store.read(numbered(at));
      expect(events.map(({ data }) => data)).toEqual([{ at }]);
    }
    expect(await store.read(numbered(MANY))).toEqual([]);
    await store.close();
  });
});
