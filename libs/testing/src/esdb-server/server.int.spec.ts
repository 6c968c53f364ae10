import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { EventStoreDBClient, jsonEvent, START, streamNameFilter } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { BatchAppendReq } from '@eventstore/db-client/generated/streams_pb';
import { credentials, Metadata } from '@grpc/grpc-js';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { Timestamp } from 'google-protobuf/google/protobuf/timestamp_pb';
import { eventually } from '../polling';
import { temporaryFolder } from '../temporary-folder';
import { startEsdbCluster } from './cluster';
import type { EsdbServer, EsdbServerOptions } from './server';
import { startEsdbServer } from './server';

/**
 * The rows of the product's behaviour that the adapter's own suites do not come across, seen through the wire or the
 * bare client.
 */
const ends: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function start(
  options: EsdbServerOptions = {},
): Promise<{ readonly server: EsdbServer; readonly client: EventStoreDBClient; readonly wire: StreamsClient }> {
  const server = await startEsdbServer({ faulty: false, ...options });
  const client = EventStoreDBClient.connectionString(server.connectionString);
  const wire = new StreamsClient(`127.0.0.1:${server.port}`, credentials.createInsecure());
  ends.push(
    () => server.stop(),
    () => client.dispose(),
    () => wire.close(),
  );
  return { server, client, wire };
}

const event = (at = 0) => jsonEvent({ type: 'Counted', data: { at } });

interface Asked {
  readonly stream?: string;
  readonly type?: string;
  readonly id?: string;
  readonly until?: number;
  readonly bytes?: number;
  readonly none?: boolean;
}

function request({
  stream = `a-${randomUUID()}`,
  type = 'Counted',
  id = randomUUID(),
  until = Date.now() + 60_000,
  bytes = 2,
  none = false,
}: Asked): BatchAppendReq {
  const options = new BatchAppendReq.Options()
    .setStreamIdentifier(new StreamIdentifier().setStreamName(Buffer.from(stream)))
    .setNoStream(new Empty())
    .setDeadline(Timestamp.fromDate(new Date(until)));
  const message = new BatchAppendReq.ProposedMessage()
    .setId(new UUID().setString(id))
    .setData(Buffer.alloc(bytes, 'x'));
  message.getMetadataMap().set('type', type).set('content-type', 'application/octet-stream');
  return new BatchAppendReq()
    .setCorrelationId(new UUID().setString(randomUUID()))
    .setOptions(options)
    .setProposedMessagesList(none ? [] : [message])
    .setIsFinal(true);
}

/** One batch call: what it answered, and how it ended. */
function batch(wire: StreamsClient) {
  const call = wire.batchAppend(new Metadata());
  const seen: { answers: BatchAppendResp[]; end?: unknown } = { answers: [] };
  call
    .on('data', (answer: BatchAppendResp) => seen.answers.push(answer))
    .on('error', (error: Error) => {
      seen.end = error;
    })
    .on('end', () => {
      seen.end ??= 'ended';
    });
  ends.push(() => call.cancel());
  return { call, seen };
}

describe('batch append', () => {
  test('a half-closed call ends behind an answer that leaves others, which are kept and never answered; without any it never ends', async () => {
    // The disk takes longer than the half-close to arrive.
    const folder = temporaryFolder();
    ends.push(() => folder.remove());
    const { wire, client } = await start({ file: join(folder.path, 'esdb.log') });
    const idle = batch(wire);
    idle.call.end();
    const busy = batch(wire);
    const streams = ['busy-1', 'busy-2', 'busy-3'];
    for (const stream of streams) busy.call.write(request({ stream }));
    busy.call.end();
    await eventually(() => expect(busy.seen.end).toBe('ended'));
    expect(busy.seen.answers.length).toBeLessThan(3);
    for (const stream of streams) {
      let kept = 0;
      for await (const one of client.readStream(stream)) if (one.event) kept += 1;
      expect(kept).toBe(1);
    }
    expect(idle.seen).toEqual({ answers: [] });
  });

  test('100 open calls leave no room on their connection', async () => {
    const { wire } = await start();
    const calls = Array.from({ length: 100 }, () => batch(wire));
    for (const { call } of calls) {
      call.write(request({}));
      call.end();
    }
    const late = batch(wire);
    late.call.write(request({}));
    for (const { call } of calls.slice(0, 1)) call.cancel();
    await eventually(() => expect(late.seen.answers).toHaveLength(1));
  });

  test.each([
    ['after its deadline', { until: Date.now() - 6_000 }, 'event_store.client.Timeout'],
    ['without a type', { type: '' }, 'event_store.client.BadRequest'],
    ['with an id that is no UUID', { id: 'none' }, 'event_store.client.BadRequest'],
    ['without a name', { stream: '' }, 'event_store.client.BadRequest'],
    ['beyond 1 MiB', { bytes: 1_048_577 }, 'event_store.client.MaximumAppendSizeExceeded'],
    ['without events', { none: true }, undefined],
  ] as [string, Asked, string | undefined][])('an append %s fails alone', async (_, asked, kind) => {
    const { wire } = await start();
    const { call, seen } = batch(wire);
    call.write(request(asked));
    call.write(request({}));
    await eventually(() => expect(seen.answers).toHaveLength(2));
    expect(seen.answers.map((answer) => answer.getError()?.getDetails()?.getTypeName())).toEqual([kind, undefined]);
  });

  test('a request beyond 16 MiB ends the call with code 8', async () => {
    const { wire } = await start();
    const { call, seen } = batch(wire);
    call.write(request({ bytes: 17 * 1_024 * 1_024 }));
    await eventually(() => expect(seen.end).toMatchObject({ code: 8 }));
  });
});

describe('reads and positions', () => {
  test('a position between two records, beyond 2^63, and past the end', async () => {
    const { client } = await start();
    const { position } = await client.appendToStream('a-1', event());
    const commit = position?.commit ?? 0n;
    const read = async (at: bigint): Promise<number> => {
      let seen = 0;
      for await (const one of client.readAll({ fromPosition: { commit: at, prepare: at } })) if (one) seen += 1;
      return seen;
    };
    const failing = async (at: bigint): Promise<{ code?: number }> =>
      new Promise((resolve, reject) => {
        client
          .readAll({ fromPosition: { commit: at, prepare: at } })
          .on('error', (error: Error) => resolve(error as { code?: number }))
          .on('end', () => reject(new Error('it did not fail')))
          .resume();
      });
    expect(await read(commit)).toBe(1);
    expect(await read(commit + 1_000_000n)).toBe(0);
    expect(await failing(commit - 1n)).toMatchObject({ code: 2 });
    expect(await failing(2n ** 63n)).toMatchObject({ code: 2 });
    const subscription = client.subscribeToAll({ fromPosition: { commit: commit - 1n, prepare: commit - 1n } });
    expect(
      await new Promise((resolve) => {
        subscription.on('error', resolve).resume();
      }),
    ).toMatchObject({ code: 3 });
  });

  test('filtered subscriptions: 0:0 first, X:0 when resumed, the end of catching up, 2^64-1 when a small log has nothing', async () => {
    const { client } = await start();
    const { position } = await client.appendToStream('a-1', [event(1), event(2)]);
    const checkpoints = async (
      prefix: string,
      from: typeof START | { commit: bigint; prepare: bigint },
    ): Promise<string[]> => {
      const reported: string[] = [];
      const filter = streamNameFilter({
        prefixes: [prefix],
        checkpointInterval: 1,
        maxSearchWindow: 256,
        checkpointReached: async (_, { commit, prepare }) => {
          reported.push(`${commit}:${prepare}`);
        },
      });
      const subscription = client.subscribeToAll({ fromPosition: from, filter });
      await new Promise<void>((resolve) => {
        subscription.on('caughtUp', () => resolve()).resume();
      });
      await subscription.unsubscribe();
      return reported;
    };
    const last = `${position?.commit}:${position?.commit}`;
    expect(await checkpoints('a-', START)).toEqual(['0:0', last]);
    expect(await checkpoints('none-', START)).toEqual(['0:0', `${2n ** 64n - 1n}:${2n ** 64n - 1n}`]);
    expect(await checkpoints('none-', position as { commit: bigint; prepare: bigint })).toEqual([
      `${position?.commit}:0`,
      last,
    ]);
  });

  test('a hundred live events at once: the subscription falls behind and catches up a second time', async () => {
    const { client } = await start();
    const words: string[] = [];
    const subscription = client.subscribeToAll();
    subscription
      .on('caughtUp', () => words.push('caught-up'))
      .on('fellBehind', () => words.push('fell-behind'))
      .resume();
    await eventually(() => expect(words).toEqual(['caught-up']));
    await client.appendToStream(
      'a-1',
      Array.from({ length: 150 }, (_, at) => event(at)),
    );
    await eventually(() => expect(words).toEqual(['caught-up', 'fell-behind', 'caught-up']));
    await subscription.unsubscribe();
  });

  test('maxCount 0: an error on a stream, no answer on $all', async () => {
    const { client } = await start();
    await client.appendToStream('a-1', event());
    const failed = new Promise((resolve) => {
      client.readStream('a-1', { maxCount: 0 }).on('error', resolve).resume();
    });
    expect(await failed).toBeInstanceOf(Error);
    const all = client.readAll({ maxCount: 0 });
    let isOver = false;
    all
      .on('end', () => {
        isOver = true;
      })
      .on('error', () => undefined)
      .resume();
    await client.appendToStream('a-2', event());
    expect(isOver).toBe(false);
    await all.cancel();
  });
});

test('a follower forwards appends, and sends on who needs the leader', async () => {
  const cluster = await startEsdbCluster();
  ends.push(() => cluster.stop());
  const client = EventStoreDBClient.connectionString(cluster.nodes[1]?.connectionString ?? '');
  ends.push(() => client.dispose());
  const named = { username: 'none', password: 'none' };
  expect(await client.appendToStream('a-1', event(), { credentials: named })).toMatchObject({ success: true });
  await expect(
    client.appendToStream('a-1', event(), { credentials: named, requiresLeader: true }),
  ).rejects.toMatchObject({ type: 'not-leader', code: 5, leader: { port: cluster.nodes[0]?.port } });
});

test('a leader that comes back from the frozen claims to lead, keeps nothing, and ends itself', async () => {
  const cluster = await startEsdbCluster({ times: { freezeNoticedMs: 100, notReadyMs: 0, claimsMs: 300 } });
  ends.push(() => cluster.stop());
  const old = EventStoreDBClient.connectionString(cluster.nodes[0]?.connectionString ?? '');
  ends.push(() => old.dispose());
  const named = { username: 'none', password: 'none' };
  await old.appendToStream('a-1', event(), { credentials: named });
  cluster.freeze(0);
  await eventually(() => expect(cluster.leader()).toBe(1));
  cluster.thaw(0);
  await expect(old.appendToStream('a-1', event(), { credentials: named, requiresLeader: true })).rejects.toMatchObject({
    code: 10,
  });
  await eventually(() =>
    expect(old.appendToStream('a-1', event(), { credentials: named })).resolves.toMatchObject({
      nextExpectedRevision: 1n,
    }),
  );
});
