import type { ReadOptions, Recorded } from '@ponte/event-sourcing';
import { LoggedIds } from './logged-ids';

const eventOf = (stream: string, revision: number) => ({ stream, revision, id: `${stream} ${revision}` }) as Recorded;

/** A log in which each stream has this many events. */
function logOf(length: number) {
  const read = jest.fn(async (stream: string, { from = 0, limit = Infinity }: ReadOptions = {}) =>
    Array.from({ length: Math.max(0, Math.min(limit, length - from)) }, (_, at) => eventOf(stream, from + at)),
  );
  return { read, ids: new LoggedIds({ read }) };
}

test('each of many short streams is read once, even if their events arrive interleaved', async () => {
  const { read, ids } = logOf(5);
  const streams = Array.from({ length: 4_000 }, (_, at) => `order-${at}`);
  for (let revision = 0; revision < 5; revision += 1)
    for (const stream of streams) expect(await ids.has(eventOf(stream, revision))).toBe(true);
  expect(read).toHaveBeenCalledTimes(streams.length);
});

test('only the recent events of long streams are remembered', async () => {
  const { read, ids } = logOf(1_000);
  const streams = Array.from({ length: 2_000 }, (_, at) => `order-${at}`);
  for (const stream of streams) await ids.has(eventOf(stream, 0));
  expect(await ids.has(eventOf('order-1999', 99))).toBe(true);
  expect(read).toHaveBeenCalledTimes(streams.length);
  expect(await ids.has(eventOf('order-0', 99))).toBe(true);
  expect(read).toHaveBeenCalledTimes(streams.length + 1);
});
