import { EventStoreDBClient, START, streamNameFilter } from '@eventstore/db-client';
import { eventually } from '../polling';
import { startEsdbCluster } from './cluster';
import { ends, start, event, endsServers } from './started-servers.testing';

endsServers();

/** Behaviour of EventStoreDB that the adapter's own suites do not cover. */
describe('reads and positions', () => {
  test('fail for a position between two records or beyond 2^63, and are empty past the end', async () => {
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

  test('report checkpoints of filtered subscriptions: 0:0 first, X:0 when resumed, the end after catching up, and 2^64-1 for a small log without matches', async () => {
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

  test('make a subscription fall behind and catch up again after a hundred concurrent live events', async () => {
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

  test('with maxCount 0 fail on a stream and never end on $all', async () => {
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

test('a follower forwards appends, and redirects calls that require the leader', async () => {
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

test('a thawed leader claims to lead, keeps no appends, and ends itself', async () => {
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
