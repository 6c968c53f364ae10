import { setTimeout as pause } from 'node:timers/promises';
import { jsonEvent } from '@eventstore/db-client';
import { NO_STREAM } from '@ponte/event-sourcing';
import type { EsdbUnderTest } from '@ponte/testing';
import { anEvent, describeEsdb, eventsOf, eventually, freshId, startEsdbServer } from '@ponte/testing';
import { Bench } from '../testing';

const bench = new Bench();
afterEach(() => bench.end());

async function under(open: () => Promise<EsdbUnderTest>): Promise<EsdbUnderTest> {
  const esdb = await open();
  bench.after(() => esdb.stop());
  return esdb;
}

const counted = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const numbers = (events: readonly { readonly data: object }[]): unknown[] =>
  events.map(({ data }) => (data as { at: number }).at);

describeEsdb('readers of a small log', 'nothing', (open) => {
  test('readers without matching events keep their position, log nothing, and get later events', async () => {
    const esdb = await under(open);
    const store = await bench.open(esdb.connectionString);
    await store.append(`other${freshId()}-1`, NO_STREAM, anEvent());
    const categories = counted(20).map(() => `kind${freshId()}`);
    const seen = categories.map((category) => bench.following(store, { categories: [category] }));
    await eventually(() => expect(seen.every(({ isCaughtUp }) => isCaughtUp)).toBe(true));
    const opened = esdb.server?.calls.subscriptions ?? 0;
    await pause(500);
    expect(esdb.server?.calls.subscriptions ?? 0).toBe(opened);
    expect(bench.lines).toEqual([]);
    for (const category of categories) await store.append(`${category}-1`, NO_STREAM, anEvent());
    await eventually(() => expect(seen.every(({ events }) => events.length === 1)).toBe(true));
  });
});

describeEsdb('many readers of one process', 'nothing', (open) => {
  test('each of more readers than a connection has streams gets every event, over a few subscriptions', async () => {
    const esdb = await under(open);
    const store = await bench.open(esdb.connectionString);
    const category = `many${freshId()}`;
    await store.append(`${category}-1`, NO_STREAM, anEvent({ at: 0 }));
    const seen = counted(130).map(() => bench.following(store, { categories: [category] }));
    await eventually(() => expect(seen.every(({ events }) => events.length === 1)).toBe(true));
    for (const at of counted(5)) await store.append(`${category}-1`, at, anEvent({ at: at + 1 }));
    await eventually(() => expect(seen.every(({ events }) => events.length === 6)).toBe(true));
    expect(numbers(seen.at(-1)?.events ?? [])).toEqual(counted(6));
    // Reads continue over the same connection.
    expect(await store.read(`${category}-1`)).toHaveLength(6);
  });

  test('a reader that makes no progress does not prevent the others from catching up', async () => {
    const esdb = await under(open);
    const store = await bench.open(esdb.connectionString, { catchingUp: 1 });
    const category = `slow${freshId()}`;
    await store.append(`${category}-1`, NO_STREAM, eventsOf(freshId(), ...counted(20).map((at) => ({ at }))));
    const stuck = store.subscribe({ categories: [category], batchSize: 1 });
    const held = stuck[Symbol.asyncIterator]();
    await held.next();
    const seen = bench.following(store, { categories: [category] });
    await eventually(() => expect(numbers(seen.events)).toEqual(counted(20)));
    expect(numbers(((await held.next()).value as { events: { data: object }[] }).events)).toEqual([1]);
    await stuck.close();
  });
});

test('idle readers cause almost no traffic, whatever the size of the last event', async () => {
  const server = await startEsdbServer({ faulty: false });
  bench.after(() => server.stop());
  const store = await bench.open(server.connectionString, { pulseMs: 200 });
  await store.append('big-1', NO_STREAM, anEvent({ text: 'x'.repeat(900_000) }));
  const seen = counted(10).map((at) => bench.following(store, { categories: [`idle${at}`] }));
  await eventually(() => expect(seen.every(({ isCaughtUp }) => isCaughtUp)).toBe(true));
  const [before, began] = [server.calls.sentBytes, performance.now()];
  await pause(2_000);
  // With a tenth of the usual pulse, this is two seconds of a minute: 1 MB a minute would be 33 kB.
  const seconds = (performance.now() - began) / 1_000;
  expect((server.calls.sentBytes - before) / seconds).toBeLessThan(5_000);
});

describeEsdb('events that are not ours', 'nothing', (open) => {
  test('a tombstone does not stop the readers of its category', async () => {
    const esdb = await under(open);
    const store = await bench.open(esdb.connectionString);
    const category = `grave${freshId()}`;
    const live = bench.following(store, { categories: [category] });
    await store.append(`${category}-1`, NO_STREAM, anEvent({ at: 0 }));
    await bench.raw(esdb.connectionString).tombstoneStream(`${category}-1`);
    await store.append(`${category}-2`, NO_STREAM, anEvent({ at: 1 }));
    await eventually(() => expect(numbers(live.events)).toEqual([0, 1]));
    const late = bench.following(store, { categories: [category] });
    await eventually(() => expect(numbers(late.events)).toEqual([0, 1]));
    expect(store.faults()).toEqual([]);
  });

  test('an event in one of our streams that we did not write stops its readers until an operator lets them skip it', async () => {
    const esdb = await under(open);
    let isSkipped = false;
    const store = await bench.open(esdb.connectionString, {}, { isSkipped: async () => isSkipped });
    const [category, stream] = [`mixed${freshId()}`, `strange-${freshId()}`];
    const live = bench.following(store, { categories: [category], reader: 'live' });
    const other = bench.following(store, { categories: ['strange'] });
    await store.append(`${category}-1`, NO_STREAM, anEvent({ at: 0 }));
    await eventually(() => expect(live.events).toHaveLength(1));
    await bench
      .raw(esdb.connectionString)
      .appendToStream(`${category}-1`, jsonEvent({ type: 'Strange', data: { from: 'elsewhere' } }));
    await store.append(`${category}-2`, NO_STREAM, anEvent({ at: 1 }));
    await eventually(() =>
      expect(store.faults()).toEqual([
        expect.objectContaining({ kind: 'foreign-event', reader: 'live', stream: `${category}-1`, revision: '1' }),
      ]),
    );
    const late = bench.following(store, { categories: [category], reader: 'late' });
    await eventually(() => expect(store.faults()).toHaveLength(2));
    expect(bench.lines.filter(({ level }) => level === 'error')).toHaveLength(2);
    // Readers of other categories continue.
    await store.append(stream, NO_STREAM, anEvent());
    await eventually(() => expect(other.events.map((event) => event.stream)).toContain(stream));
    expect([numbers(live.events), numbers(late.events)]).toEqual([[0], [0]]);
    await expect(store.read(`${category}-1`)).rejects.toMatchObject({ name: 'StreamUnusable' });
    isSkipped = true;
    await eventually(() =>
      expect([numbers(live.events), numbers(late.events)]).toEqual([
        [0, 1],
        [0, 1],
      ]),
    );
    expect(store.faults()).toEqual([]);
  });
});

test('a node that does not know its users yet stops no reader, and the log states what to check', async () => {
  const server = await startEsdbServer();
  bench.after(() => server.stop());
  server.faults.unauthenticated(6);
  const store = await bench.open(server.connectionString);
  const seen = bench.following(store, { categories: ['first'] });
  await eventually(() => expect(store.faults()).toMatchObject([{ kind: 'access' }]));
  await eventually(() => store.append('first-1', NO_STREAM, anEvent()));
  await eventually(() => expect(seen.events).toHaveLength(1));
  expect(store.faults()).toEqual([]);
  expect(bench.lines.filter(({ level }) => level === 'error')[0]).toMatchObject({
    fields: { code: 16 },
    message: expect.stringMatching(/user and password.*\$all/) as string,
  });
});
