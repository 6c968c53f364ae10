import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildSync } from 'esbuild';
import type { EventStore, LogFilter, Recorded } from '@ponte/event-sourcing';
import { AppendOutcomeUnknown, EventStoreUnavailable, NO_STREAM, WrongExpectedRevision } from '@ponte/event-sourcing';
import type { EsdbServer, EsdbServerOptions } from '@ponte/testing';
import { anEvent, eventsOf, eventually, freshId, selfSigned, startEsdbServer, temporaryFolder } from '@ponte/testing';
import { openEventStoreDb } from './open';
import type { EventStoreDbLimits } from './options';

const silent = { warn: () => undefined, error: () => undefined };
/** Nothing here waits for this long; it bounds a test that fails. */
const PATIENT: Partial<EventStoreDbLimits> = { appendMs: 20_000, resubscribeMs: [10, 20, 50] };
const endings: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function start(options: EsdbServerOptions = {}): Promise<EsdbServer> {
  const server = await startEsdbServer(options);
  endings.push(() => server.stop());
  return server;
}

async function open(connectionString: string, limits: Partial<EventStoreDbLimits> = {}): Promise<EventStore> {
  const store = await openEventStoreDb({ connectionString, logger: silent, limits: { ...PATIENT, ...limits } });
  endings.push(() => store.close());
  return store;
}

/** Everything that a subscription brings, as it comes. */
function following(store: EventStore, filter: LogFilter): Recorded[] {
  const events: Recorded[] = [];
  const subscription = store.subscribe(filter);
  const reading = (async () => {
    for await (const slice of subscription) events.push(...slice.events);
  })();
  endings.push(async () => {
    await subscription.close();
    await reading;
  });
  return events;
}

const numbers = (events: readonly Recorded[]): unknown[] => events.map((event) => (event.data as { at: number }).at);
const counted = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

test('many reads of streams that there are and that there are not keep their connection: none of them ends by a reset', async () => {
  // Node's own server closes a connection after a thousand resets in a burst.
  const MANY = 1_500;
  const server = await startEsdbServer({ faulty: false });
  endings.push(() => server.stop());
  const store = await open(server.connectionString);
  await store.append('there-1', NO_STREAM, anEvent());
  const found: number[] = [];
  for (let at = 0; at < MANY; at += 50)
    found.push(
      ...(
        await Promise.all(
          Array.from({ length: 50 }, (_, one) => store.read(one === 0 ? 'there-1' : `absent-${at + one}`)),
        )
      ).map((events) => events.length),
    );
  expect(found.filter((length) => length > 0)).toHaveLength(MANY / 50);
});

describe('an append whose outcome is unknown is resolved by the same ids at the same revision', () => {
  test.each(['everything', 'replies'] as const)(
    'a server that gets or answers nothing (%s): unknown at the deadline, kept once in the end',
    async (kind) => {
      const server = await start();
      const store = await open(server.connectionString, { appendMs: 300 });
      const stream = `quiet-${freshId()}`;
      // The first append connects, which a busy machine may not do in this time: the same event is sent again.
      const first = anEvent();
      await eventually(() => store.append(stream, NO_STREAM, first));
      server.faults.silence(kind);
      const events = eventsOf(freshId(), { at: 1 }, { at: 2 });
      await expect(store.append(stream, 0, events)).rejects.toThrow(AppendOutcomeUnknown);
      await server.faults.heal();
      const patient = await open(server.connectionString);
      expect(await patient.append(stream, 0, events)).toMatchObject({ revision: 2 });
      expect(await eventually(() => store.append(stream, 0, events))).toMatchObject({ revision: 2 });
      expect(await store.read(stream)).toHaveLength(3);
    },
  );

  test.each([0, 1, 8, 9, 17, 25, 40])('a connection reset %i bytes into the reply, after the effect', async (bytes) => {
    const server = await start();
    const store = await open(server.connectionString);
    const stream = `cut-${freshId()}`;
    await store.append(stream, NO_STREAM, anEvent());
    server.faults.cutNextReply(bytes);
    const events = eventsOf(freshId(), { at: 1 }, { at: 2 });
    await expect(store.append(stream, 0, events)).rejects.toThrow(AppendOutcomeUnknown);
    const answer = await eventually(() => store.append(stream, 0, events));
    const read = await store.read(stream);
    expect(answer).toEqual({ revision: 2, position: read[2]?.position });
    expect(read).toHaveLength(3);
  });

  test('a server that is not there: certainly not kept, and the same client works once it is back', async () => {
    const server = await start();
    const store = await open(server.connectionString);
    const stream = `refused-${freshId()}`;
    await store.append(stream, NO_STREAM, anEvent());
    await server.faults.refuse();
    await eventually(async () => {
      await expect(store.append(stream, 0, anEvent())).rejects.toThrow(EventStoreUnavailable);
    });
    await expect(store.read(stream)).rejects.toThrow(EventStoreUnavailable);
    await expect(store.head()).rejects.toThrow(EventStoreUnavailable);
    await server.faults.heal();
    const events = anEvent();
    await eventually(() => store.append(stream, 0, events));
    expect(await eventually(() => store.read(stream))).toHaveLength(2);
  });

  test('a cluster whose nodes say nothing when asked who leads: nothing was sent, so nothing was kept', async () => {
    const server = await start();
    server.faults.silence();
    const store = await open(server.connectionString.replace('esdb:', 'esdb+discover:'), { appendMs: 200 });
    await expect(store.append('unknown-1', NO_STREAM, anEvent())).rejects.toThrow(EventStoreUnavailable);
  });

  test('appends that wait behind a silent one are refused when their own time is up', async () => {
    const server = await start();
    const store = await open(server.connectionString, { appendMs: 1_000 });
    const stream = `queue-${freshId()}`;
    const begun = anEvent();
    // What a first append costs a busy machine must not be taken for silence.
    await eventually(() => store.append(stream, NO_STREAM, begun));
    server.faults.silence();
    const [first, ...later] = await Promise.allSettled(counted(5).map(() => store.append(stream, 0, anEvent())));
    expect(first).toMatchObject({ reason: { name: 'AppendOutcomeUnknown' } });
    for (const one of later) expect(one).toMatchObject({ reason: { name: 'EventStoreUnavailable' } });
  });
});

describe('what one connection suffers is not felt by another', () => {
  test('a server that dies with appends under way fails none of another store of the process', async () => {
    const [dying, living] = [await start(), await start()];
    const [one, other] = [await open(dying.connectionString), await open(living.connectionString)];
    await Promise.all([
      one.append(`a-${freshId()}`, NO_STREAM, anEvent()),
      other.append(`a-${freshId()}`, NO_STREAM, anEvent()),
    ]);
    dying.faults.silence('replies');
    const lost = counted(50).map(() => one.append(`b-${freshId()}`, NO_STREAM, anEvent()));
    const kept = counted(50).map(() => other.append(`b-${freshId()}`, NO_STREAM, anEvent()));
    dying.faults.reset();
    const outcomes = await Promise.allSettled([...lost, ...kept]);
    expect(outcomes.slice(50).every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(outcomes.slice(0, 50).every(({ status }) => status === 'rejected')).toBe(true);
    expect(living.calls).toMatchObject({ batchAppend: 0, append: 51 });
  });

  test('a dropped subscription does not disturb appends', async () => {
    const server = await start();
    const store = await open(server.connectionString);
    const category = `kind${freshId()}`;
    const seen = following(store, { categories: [category] });
    const appends = counted(60).map(async (at) => {
      await store.append(`${category}-${at}`, NO_STREAM, anEvent({ at }));
      if (at % 20 === 0) server.faults.dropSubscriptions();
    });
    await Promise.all(appends);
    await eventually(() => expect(numbers(seen).sort()).toEqual(counted(60).sort()));
  });
});

/** The end of the log is not looked at again: the subscription has to notice by itself. */
const NEVER = 600_000;

describe('a subscription comes back behind the last event that it brought', () => {
  test.each([
    ['the server drops it', async (server: EsdbServer) => server.faults.dropSubscriptions(), NEVER],
    ['its connection is reset', async (server: EsdbServer) => server.faults.reset(), NEVER],
    ['the server restarts', (server: EsdbServer) => server.restart(), NEVER],
    ['it falls silent and stays open', async (server: EsdbServer) => server.faults.stallSubscriptions(), 50],
  ] as const)('%s: no gap, no repetition', async (_, harm, lookMs) => {
    const folder = temporaryFolder();
    endings.push(async () => folder.remove());
    const server = await start({ file: join(folder.path, 'esdb.log') });
    const store = await open(server.connectionString, { lookMs, missingMs: 50 });
    const category = `kind${freshId()}`;
    const seen = following(store, { categories: [category], batchSize: 7 });
    for (const round of counted(4)) {
      for (const at of counted(10)) {
        const events = anEvent({ at: round * 10 + at });
        await eventually(() => store.append(`${category}-1`, round * 10 + at - 1, events));
      }
      if (round < 3) await harm(server);
    }
    await eventually(() => expect(seen).toHaveLength(40));
    expect(numbers(seen)).toEqual(counted(40));
  });

  test('it waits for a server that is not there yet', async () => {
    const server = await start();
    await server.faults.refuse();
    const store = await open(server.connectionString);
    const category = `kind${freshId()}`;
    const seen = following(store, { categories: [category] });
    await server.faults.heal();
    await eventually(() => store.append(`${category}-1`, NO_STREAM, eventsOf('late', { at: 0 })));
    await eventually(() => expect(seen).toHaveLength(1));
  });
});

describe('killed in the middle', () => {
  const cache = join(process.cwd(), 'node_modules/.cache/ponte-esdb-server');
  const program = join(cache, 'serve.cjs');

  beforeAll(() => {
    mkdirSync(cache, { recursive: true });
    buildSync({
      entryPoints: [join(process.cwd(), 'libs/testing/src/esdb-server/serve.ts')],
      outfile: program,
      bundle: true,
      platform: 'node',
      packages: 'external',
      logLevel: 'error',
    });
  });

  async function serve(
    file: string,
    port = '0',
  ): Promise<{ readonly child: ChildProcess; readonly connectionString: string }> {
    const child = spawn(process.execPath, [program, '--port', port, '--file', file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    endings.push(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    });
    const [line] = (await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')) as [string];
    return { child, ...(JSON.parse(line) as { connectionString: string }) };
  }

  test('a server killed with 200 appends in flight: none acknowledged is lost, and each is there once after a repetition', async () => {
    const folder = temporaryFolder();
    endings.push(async () => folder.remove());
    const file = join(folder.path, 'esdb.log');
    const first = await serve(file);
    const store = await open(first.connectionString);
    const run = freshId();
    const commands = counted(200).map((at) => ({
      stream: `kill-${run}${at}`,
      events: eventsOf(freshId(), { at, part: 1 }, { at, part: 2 }),
    }));
    const acknowledged: string[] = [];
    const appends = commands.map(async ({ stream, events }) => {
      await store.append(stream, NO_STREAM, events);
      acknowledged.push(stream);
      if (acknowledged.length === 60) first.child.kill('SIGKILL');
    });
    const outcomes = await Promise.allSettled(appends);
    expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true);

    await serve(file, new URL(first.connectionString).port);
    for (const stream of acknowledged) expect(await eventually(() => store.read(stream))).toHaveLength(2);
    const again = await Promise.all(
      commands.map(({ stream, events }) => eventually(() => store.append(stream, NO_STREAM, events))),
    );
    expect(again.every(({ revision }) => revision === 1)).toBe(true);
    for (const { stream } of commands) expect(await store.read(stream)).toHaveLength(2);
  });

  test('a tail that was half written is cut off; whole appends stay, and what is written afterwards can be read', async () => {
    const folder = temporaryFolder();
    endings.push(async () => folder.remove());
    const file = join(folder.path, 'esdb.log');
    const server = await start({ file });
    const store = await open(server.connectionString);
    await store.append('torn-1', NO_STREAM, anEvent({ at: 0 }));
    const whole = readFileSync(file).length;
    await store.append('torn-1', 0, eventsOf(freshId(), { at: 1 }, { at: 2 }));
    for (const cut of [1, 9, 60]) {
      truncateSync(file, readFileSync(file).length - cut);
      await server.restart();
      expect(numbers(await eventually(() => store.read('torn-1')))).toEqual([0]);
      expect(readFileSync(file)).toHaveLength(whole);
      const events = eventsOf(freshId(), { at: 1 }, { at: 2 });
      await eventually(() => store.append('torn-1', 0, events));
      await server.restart();
      expect(numbers(await eventually(() => store.read('torn-1')))).toEqual([0, 1, 2]);
    }
  });
});

describe('what the server says is understood', () => {
  test('a connection string cannot switch off that a failed append throws', async () => {
    const server = await start();
    const store = await open(`${server.connectionString}&throwOnAppendFailure=false`);
    const stream = `strict-${freshId()}`;
    await store.append(stream, NO_STREAM, eventsOf(freshId(), { at: 0 }, { at: 1 }));
    await expect(store.append(stream, 0, anEvent())).rejects.toMatchObject({
      name: 'WrongExpectedRevision',
      expected: 0,
      actual: 1,
    });
  });

  test('an invalid expected revision is refused before anything is sent, and is never read as "any"', async () => {
    const server = await start();
    const store = await open(server.connectionString);
    for (const none of [-2, -4, 0.5, Number.NaN])
      await expect(store.append('none-1', none, anEvent())).rejects.toThrow(RangeError);
    expect(server.calls.append).toBe(0);
  });

  test("an append larger than the server takes is the caller's fault", async () => {
    const server = await start();
    const store = await open(server.connectionString);
    await expect(store.append('large-1', NO_STREAM, anEvent({ text: 'x'.repeat(2_000_000) }))).rejects.toThrow(
      RangeError,
    );
    expect(await store.read('large-1')).toEqual([]);
  });

  test('an invalid connection string is refused without being quoted', async () => {
    const opening = openEventStoreDb({ connectionString: 'http://admin:hunter2@store', logger: silent });
    await expect(opening).rejects.toThrow(TypeError);
    await expect(opening).rejects.not.toThrow(/hunter2/);
  });

  test('a cluster is found by gossip', async () => {
    const server = await start();
    const store = await open(server.connectionString.replace('esdb:', 'kurrentdb+discover:'));
    const events = anEvent();
    await store.append('found-1', NO_STREAM, events);
    expect(await store.read('found-1')).toMatchObject([{ id: events[0]?.id }]);
  });

  test('TLS and credentials come with the connection string; the wrong ones keep nothing', async () => {
    const folder = temporaryFolder();
    endings.push(async () => folder.remove());
    const tls = selfSigned();
    const certificate = join(folder.path, 'cert.pem');
    writeFileSync(certificate, tls.certificate);
    const server = await start({ tls, users: { ponte: 'pa:ss' } });
    const at = (user: string): string =>
      `esdb://${user}localhost:${server.port}?tls=true&tlsCAFile=${encodeURIComponent(certificate)}`;
    const store = await open(at('ponte:pa%3Ass@'));
    const seen = following(store, { categories: ['tls'] });
    await store.append('tls-1', NO_STREAM, anEvent({ at: 0 }));
    await eventually(() => expect(seen).toHaveLength(1));
    for (const wrong of ['', 'ponte:guess@']) {
      const stranger = await open(at(wrong));
      await expect(stranger.append('tls-1', 0, anEvent())).rejects.toThrow(EventStoreUnavailable);
      await expect(stranger.read('tls-1')).rejects.toThrow(EventStoreUnavailable);
    }
    expect(await store.read('tls-1')).toHaveLength(1);
  });

  test('the metadata that the product links events by is where it looks for it', async () => {
    const server = await start();
    const { EventStoreDBClient } = await import('@eventstore/db-client');
    const store = await open(server.connectionString);
    const [event] = anEvent();
    if (!event) throw new Error('no event');
    await store.append('linked-1', NO_STREAM, [
      { ...event, meta: { ...event.meta, causationId: 'cause', actor: 'policy' } },
    ]);
    const raw = EventStoreDBClient.connectionString(server.connectionString);
    endings.push(() => raw.dispose());
    for await (const { event: stored } of raw.readStream('linked-1')) {
      expect(stored?.metadata).toMatchObject({
        $correlationId: event.meta.correlationId,
        $causationId: 'cause',
        commandId: event.meta.commandId,
        version: 1,
      });
    }
    expect((await store.read('linked-1'))[0]?.meta).toEqual({ ...event.meta, causationId: 'cause', actor: 'policy' });
  });
});

describe("the test server, through the client's other ways", () => {
  test('batch append, both directions, positions with gaps, a subscription to one stream', async () => {
    const server = await start();
    const { BACKWARDS, END, EventStoreDBClient, jsonEvent, STREAM_EXISTS } = await import('@eventstore/db-client');
    const client = EventStoreDBClient.connectionString(server.connectionString);
    endings.push(() => client.dispose());
    const events = counted(3).map((at) => jsonEvent({ type: 'Counted', data: { at } }));
    const first = await client.appendToStream('batch-1', events, { expectedRevision: 'no_stream' });
    expect(first).toMatchObject({ success: true, nextExpectedRevision: 2n });
    expect(await client.appendToStream('batch-1', events, { expectedRevision: 'no_stream' })).toEqual(first);
    const conflict = client.appendToStream('batch-1', events.slice(0, 2), { expectedRevision: 1n });
    await expect(conflict).rejects.toMatchObject({
      type: 'wrong-expected-version',
      expectedVersion: 1n,
      actualVersion: 2n,
    });
    await expect(client.appendToStream('batch-2', events, { expectedRevision: STREAM_EXISTS })).rejects.toMatchObject({
      type: 'wrong-expected-version',
    });
    expect(server.calls).toMatchObject({ append: 0 });
    expect(server.calls.batchAppend).toBeGreaterThan(0);

    const revisions: bigint[] = [];
    const positions: bigint[] = [];
    for await (const { event } of client.readStream('batch-1', {
      direction: BACKWARDS,
      fromRevision: END,
      maxCount: 2,
    }))
      revisions.push(event?.revision ?? -1n);
    for await (const { event } of client.readAll({ direction: BACKWARDS, fromPosition: END }))
      positions.push(event?.position?.commit ?? -1n);
    expect(revisions).toEqual([2n, 1n]);
    expect(positions.map((position, at) => position - (positions[at + 1] ?? 0n)).every((gap) => gap > 1n)).toBe(true);

    const subscription = client.subscribeToStream('batch-1', { fromRevision: 0n });
    const brought: unknown[] = [];
    for await (const { event } of subscription) {
      brought.push(event?.data);
      if (brought.length === 2) break;
    }
    await subscription.unsubscribe();
    expect(brought).toEqual([{ at: 1 }, { at: 2 }]);
  });

  test('a log that is damaged before its end is not opened', async () => {
    const folder = temporaryFolder();
    endings.push(async () => folder.remove());
    const file = join(folder.path, 'esdb.log');
    const server = await start({ file });
    const store = await open(server.connectionString);
    for (const at of counted(2)) await store.append('damaged-1', at - 1, anEvent({ at }));
    const content = readFileSync(file);
    content.writeUInt8((content[20] ?? 0) ^ 0xff, 20);
    writeFileSync(file, content);
    await expect(startEsdbServer({ file })).rejects.toThrow(/damaged/);
  });

  test('conflicts are distinguished from failures', async () => {
    const server = await start();
    const store = await open(server.connectionString);
    await expect(store.append('conflict-1', 3, anEvent())).rejects.toThrow(WrongExpectedRevision);
  });
});
