import { setTimeout as pause } from 'node:timers/promises';
import { askNode, eventually, freshId, hostsOf, startEsdbCluster } from '@ponte/testing';
import { longestSilence, Writer } from './election.testing';
import { Bench } from './testing';

const WRITERS = 8;
/** Longer than an election and everything that follows it. */
const WATCHED_MS = 14_000;
const bench = new Bench();
afterEach(() => bench.end());

interface ClusterUnderTest {
  readonly connectionString: string;
  freezeLeader(): Promise<() => Promise<void>>;
  killLeader(): Promise<() => Promise<void>>;
}

async function testCluster(): Promise<ClusterUnderTest> {
  const cluster = await startEsdbCluster();
  bench.after(() => cluster.stop());
  const leader = (): number => cluster.leader() ?? 0;
  return {
    connectionString: cluster.connectionString,
    freezeLeader: async () => {
      const node = leader();
      cluster.freeze(node);
      return async () => cluster.thaw(node);
    },
    killLeader: async () => {
      const node = leader();
      await cluster.kill(node);
      return () => cluster.start(node);
    },
  };
}

const [url, command] = [process.env['ESDB_URL'] ?? '', process.env['ESDB_RESTART']];
const hosts = url ? hostsOf(url) : [];

/** A node of the product. The name `leader` makes the command find the leading node. */
async function product(): Promise<ClusterUnderTest> {
  const harm = (does: string, undoes: string) => async () => {
    await askNode(command, does, 'leader');
    return () => askNode(command, undoes, 'leader');
  };
  return { connectionString: url, freezeLeader: harm('freeze', 'thaw'), killLeader: harm('kill', 'start') };
}

const targets: [string, () => Promise<ClusterUnderTest>][] = [['the test cluster', testCluster]];
if (hosts.length > 1 && command) targets.push(['the product', product]);
else
  process.stderr.write(
    'EventStoreDB, elections: not run on the product; set ' +
      `${hosts.length > 1 ? 'ESDB_RESTART' : 'ESDB_URL with three hosts and ESDB_RESTART'}\n`,
  );

describe.each(targets)('elections on %s', (_, open) => {
  test.each([
    ['frozen', (cluster: ClusterUnderTest) => cluster.freezeLeader()],
    ['killed', (cluster: ClusterUnderTest) => cluster.killLeader()],
  ])('after the leader is %s, writes and reads go on, without loss or duplicates', async (__, harm) => {
    const cluster = await open();
    const store = await bench.open(cluster.connectionString);
    const category = `elect${freshId()}`;
    const live = bench.following(store, { categories: [category] });
    const writers = Array.from({ length: WRITERS }, () => new Writer(store, category));
    writers.forEach((writer) => writer.begin());
    await eventually(() => expect(live.events.length).toBeGreaterThan(50));
    const from = performance.now();
    const undo = await harm(cluster);
    let heard = 0;
    const watching = (async () => {
      const before = live.events.length;
      // Events in transit still arrive; then nothing until there is a new leader.
      await pause(500);
      const then = live.events.length;
      while (live.events.length <= Math.max(before, then)) await pause(10);
      heard = performance.now() - from;
    })();
    await pause(WATCHED_MS / 2);
    await watching;
    await undo();
    await pause(WATCHED_MS / 2);
    await Promise.all(writers.map((writer) => writer.end()));
    for (const writer of writers) {
      const kept = await eventually(() => store.read(writer.stream));
      expect(kept.map(({ data }) => (data as { at: number }).at)).toEqual(writer.acknowledged.map((___, at) => at));
    }
    const whole = bench.following(store, { categories: [category] });
    const total = writers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
    await eventually(() => expect([whole.events.length, live.events.length]).toEqual([total, total]));
    expect(store.faults()).toEqual([]);
    process.stderr.write(
      `elections: writes again after ${(longestSilence(writers, from) / 1_000).toFixed(1)} s, events again after ${(heard / 1_000).toFixed(1)} s\n`,
    );
  });
});
