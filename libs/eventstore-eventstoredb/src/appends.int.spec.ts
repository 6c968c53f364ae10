import { jsonEvent } from '@eventstore/db-client';
import { setTimeout as pause } from 'node:timers/promises';
import { AppendOutcomeUnknown, EventStoreUnavailable, NO_STREAM } from '@ponte/event-sourcing';
import type { EsdbUnderTest } from '@ponte/testing';
import { anEvent, describeEsdb, eventsOf, eventually, freshId, startEsdbServer } from '@ponte/testing';
import { Bench } from './testing';

const bench = new Bench();
afterEach(() => bench.end());

async function under(open: () => Promise<EsdbUnderTest>): Promise<EsdbUnderTest> {
  const esdb = await open();
  bench.after(() => esdb.stop());
  return esdb;
}

const counted = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

describeEsdb('late appends', 'restarts', (open) => {
  test('more of them than a connection has streams do not block later appends and reads', async () => {
    const esdb = await under(open);
    const store = await bench.open(esdb.connectionString, { appendMs: 1_000, readMs: 2_000, silenceMs: 60_000 });
    const patient = await bench.open(esdb.connectionString);
    const stream = `late-${freshId()}`;
    const [first, second] = [anEvent(), anEvent()];
    await eventually(() => patient.append(stream, NO_STREAM, first));
    for (const round of counted(4)) {
      await eventually(() => store.read(stream));
      await eventually(() => store.append(`warm-${freshId()}`, NO_STREAM, anEvent()));
      await esdb.freeze();
      const late = await Promise.allSettled(
        counted(30).map((at) => store.append(`${stream}${round}${at}`, NO_STREAM, anEvent())),
      );
      expect(late.every(({ status }) => status === 'rejected')).toBe(true);
      await esdb.thaw();
    }
    await eventually(() => store.append(stream, 0, second));
    expect(await eventually(() => store.read(stream))).toHaveLength(2);
  });

  test('one does not make the outcome of other appends unknown', async () => {
    const esdb = await under(open);
    const store = await bench.open(esdb.connectionString, { appendMs: 4_000, silenceMs: 60_000 });
    const run = freshId();
    const first = anEvent();
    await eventually(() => store.append(`one-${run}`, NO_STREAM, first));
    await esdb.freeze();
    const late = store.append(`one-${run}`, 0, anEvent()).catch((error: unknown) => error);
    await pause(3_000);
    const later = counted(40).map((at) => store.append(`other-${run}${at}`, NO_STREAM, anEvent()));
    const outcomes = Promise.allSettled(later);
    expect(await late).toBeInstanceOf(AppendOutcomeUnknown);
    await esdb.thaw();
    expect((await outcomes).map(({ status }) => status)).toEqual(counted(40).map(() => 'fulfilled'));
  });
});

describeEsdb("appends that are the caller's mistake", 'nothing', (open) => {
  test('an invalid id, type or name, and too many bytes, are refused as caller errors and never reported as unknown', async () => {
    const esdb = await under(open);
    const store = await bench.open(esdb.connectionString);
    const stream = `mistake-${freshId()}`;
    const [event] = anEvent();
    if (!event) throw new Error('no event');
    await expect(store.append(stream, NO_STREAM, [{ ...event, id: 'not-a-uuid' }])).rejects.toThrow(TypeError);
    await expect(store.append(stream, NO_STREAM, [{ ...event, type: '' }])).rejects.toThrow(TypeError);
    await expect(store.append('', NO_STREAM, [event])).rejects.toThrow(TypeError);
    // More than the server accepts in one append, and more than it receives at all; other calls continue.
    const services = counted(20).map((at) => store.append(`${stream}${at}`, NO_STREAM, anEvent()));
    for (const bytes of [1_100_000, 17_000_000])
      await expect(store.append(stream, NO_STREAM, anEvent({ text: 'x'.repeat(bytes) }))).rejects.toThrow(RangeError);
    expect((await Promise.all(services)).every(({ revision }) => revision === 0)).toBe(true);
    expect(await store.read(stream)).toEqual([]);
  });

  test('an id in upper case counts as the same id', async () => {
    const esdb = await under(open);
    const store = await bench.open(esdb.connectionString);
    const stream = `upper-${freshId()}`;
    const events = eventsOf(freshId(), { at: 1 }).map((event) => ({ ...event, id: event.id.toUpperCase() }));
    const first = await store.append(stream, NO_STREAM, events);
    expect(await store.append(stream, NO_STREAM, events)).toEqual(first);
  });
});

test('an event above the limit set by an operator is a caller error', async () => {
  const server = await startEsdbServer({ maxEventBytes: 1_000 });
  bench.after(() => server.stop());
  const store = await bench.open(server.connectionString);
  await expect(store.append('limit-1', NO_STREAM, anEvent({ text: 'x'.repeat(2_000) }))).rejects.toThrow(RangeError);
});

test('a server that is not ready has written nothing, and its message is logged', async () => {
  const server = await startEsdbServer();
  bench.after(() => server.stop());
  const store = await bench.open(server.connectionString);
  await store.append('ready-1', NO_STREAM, anEvent());
  server.faults.notReady(1);
  await expect(store.append('ready-1', 0, anEvent())).rejects.toThrow(EventStoreUnavailable);
  expect(bench.lines.at(-1)).toMatchObject({
    fields: { code: 14, type: 'unavailable', text: expect.stringContaining('Server Is Not Ready') as string },
  });
  server.faults.notReady(0);
  expect(await eventually(() => store.append('ready-1', 0, anEvent()))).toMatchObject({ revision: 1 });
  expect(server.calls.batchAppend).toBe(0);
});

describe.each([
  ['an hour ahead of', 3_600_000],
  ['an hour behind', -3_600_000],
])("a server whose clock is %s the client's", (_, clockAheadMs) => {
  test('accepts appends, because their deadlines are relative', async () => {
    const server = await startEsdbServer({ clockAheadMs });
    bench.after(() => server.stop());
    const store = await bench.open(server.connectionString);
    for (const at of counted(20)) await store.append('clock-1', at - 1, anEvent({ at }));
    expect(await store.read('clock-1')).toHaveLength(20);
    expect(server.calls.batchAppend).toBe(0);
  });
});

test("a client that uses batch append with a deadline fails at once if the server's clock is ahead", async () => {
  const server = await startEsdbServer({ clockAheadMs: 120_000 });
  bench.after(() => server.stop());
  const client = bench.raw(server.connectionString);
  const event = jsonEvent({ type: 'Counted', data: {} });
  await expect(client.appendToStream('clock-1', event, { deadline: 60_000 })).rejects.toMatchObject({
    type: 'deadline-exceeded',
  });
  expect(server.calls.batchAppend).toBe(1);
});

test('the log line of a failure contains no password', async () => {
  const store = await bench.open('esdb://ponte:hunter2@127.0.0.1:1?tls=false');
  await expect(store.append('secret-1', NO_STREAM, anEvent())).rejects.toThrow(EventStoreUnavailable);
  expect(bench.lines.length).toBeGreaterThan(0);
  expect(JSON.stringify(bench.lines)).not.toMatch(/hunter2/);
  expect(bench.lines[0]).toMatchObject({
    fields: { code: 14, text: expect.stringContaining('ECONNREFUSED') as string },
  });
});

describeEsdb('streams that were truncated or deleted', 'nothing', (open) => {
  test.each([
    ['$tb', { truncateBefore: 2 }],
    ['$maxCount', { maxCount: 1 }],
  ])('%s: a read fails with an error that names the stream instead of returning its end', async (_, metadata) => {
    const esdb = await under(open);
    const store = await bench.open(esdb.connectionString);
    const stream = `cut-${freshId()}`;
    await store.append(stream, NO_STREAM, eventsOf(freshId(), { at: 0 }, { at: 1 }, { at: 2 }));
    await bench.raw(esdb.connectionString).setStreamMetadata(stream, metadata);
    await expect(store.read(stream)).rejects.toMatchObject({ name: 'StreamUnusable', stream });
    esdb.server?.scavenge();
    await expect(store.read(stream)).rejects.toMatchObject({ name: 'StreamUnusable', stream });
    expect(await store.read(stream, { from: 2 })).toHaveLength(1);
  });

  test('soft deletion: the stream continues with its revisions, and reading it throws StreamUnusable', async () => {
    const esdb = await under(open);
    const store = await bench.open(esdb.connectionString);
    const stream = `soft-${freshId()}`;
    await store.append(stream, NO_STREAM, anEvent());
    await bench.raw(esdb.connectionString).deleteStream(stream);
    expect(await store.read(stream)).toEqual([]);
    expect(await store.append(stream, NO_STREAM, anEvent())).toMatchObject({ revision: 1 });
    await expect(store.read(stream)).rejects.toMatchObject({ name: 'StreamUnusable', stream });
  });

  test('a tombstone: reads and appends fail with an error that names the stream', async () => {
    const esdb = await under(open);
    const store = await bench.open(esdb.connectionString);
    const stream = `tomb-${freshId()}`;
    await store.append(stream, NO_STREAM, anEvent());
    await bench.raw(esdb.connectionString).tombstoneStream(stream);
    await expect(store.read(stream)).rejects.toMatchObject({ name: 'StreamUnusable', stream });
    await expect(store.append(stream, 0, anEvent())).rejects.toMatchObject({ name: 'StreamUnusable', stream });
  });
});
