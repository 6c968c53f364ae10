import { NO_STREAM } from '@ponte/event-sourcing';
import { anEvent, eventually, freshId, hostsOf, startEsdbCluster } from '@ponte/testing';
import { Bench } from './testing';

const bench = new Bench();
afterEach(() => bench.end());

interface ClusterUnderTest {
  readonly connectionString: string;
  /** A node that does not lead, if the cluster can name one. */
  readonly follower?: string;
}

async function testCluster(): Promise<ClusterUnderTest> {
  const cluster = await startEsdbCluster();
  bench.after(() => cluster.stop());
  for (const node of [1, 2]) cluster.lag(node, 3);
  return { connectionString: cluster.connectionString, follower: cluster.nodes[1]?.connectionString };
}

const url = process.env['ESDB_URL'] ?? '';
const clusters: [string, () => Promise<ClusterUnderTest>][] = [['the test cluster', testCluster]];
if (url && hostsOf(url).length > 1) clusters.push(['the product', async () => ({ connectionString: url })]);
else
  process.stderr.write('EventStoreDB, reads through any node: not run on the product; set ESDB_URL with three hosts\n');

/** The connection string with only one of its hosts. */
const onlyHost = (connectionString: string, host: string): string =>
  connectionString.replace(hostsOf(connectionString).join(','), host);

describe.each(clusters)('%s', (_, open) => {
  test('a read sees the append that was just acknowledged, whichever node the string prefers', async () => {
    const { connectionString } = await open();
    const separator = connectionString.includes('?') ? '&' : '?';
    for (const preference of ['random', 'follower']) {
      const store = await bench.open(`${connectionString}${separator}nodePreference=${preference}`);
      for (let at = 0; at < 20; at += 1) {
        const stream = `fresh-${freshId()}`;
        await store.append(stream, NO_STREAM, anEvent());
        expect(await store.read(stream)).toHaveLength(1);
      }
    }
  });

  test('a string with a single node leads to the leader, even if that node is a follower', async () => {
    const { connectionString, follower } = await open();
    const strings =
      follower === undefined ? hostsOf(connectionString).map((host) => onlyHost(connectionString, host)) : [follower];
    for (const string of strings) {
      const store = await bench.open(string);
      const stream = `sent-${freshId()}`;
      await store.append(stream, NO_STREAM, anEvent());
      expect(await store.read(stream)).toHaveLength(1);
    }
  });
});

test('a lagging follower is not mistaken for an erased log, and its readers lose nothing', async () => {
  const cluster = await startEsdbCluster();
  bench.after(() => cluster.stop());
  const leading = await bench.open(cluster.connectionString);
  const positions: string[] = [];
  for (let at = 0; at < 10; at += 1)
    positions.push((await leading.append('lagging-1', at - 1, anEvent({ at }))).position);
  cluster.lag(1, 6);
  const following = await bench.open(cluster.nodes[1]?.connectionString ?? '', { confirmMs: 50 });
  const seen = bench.following(following, { categories: ['lagging'], after: positions[7] });
  const whole = bench.following(following, { categories: ['lagging'] });
  await eventually(() => expect(whole.events).toHaveLength(4));
  expect([seen.failure, following.faults()]).toEqual([undefined, []]);
  cluster.lag(1, 0);
  await leading.append('lagging-1', 9, anEvent({ at: 10 }));
  await eventually(() => expect(seen.events.map(({ revision }) => revision)).toEqual([8, 9, 10]));
  await eventually(() =>
    expect(whole.events.map(({ revision }) => revision)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
  );
});
