import { NO_STREAM } from '@ponte/event-sourcing';
import { anEvent, eventually, freshId, startEsdbCluster } from '@ponte/testing';
import { Bench } from './testing';

const bench = new Bench();
afterEach(() => bench.end());

test('whatever node the string prefers, a read sees the append that was just acknowledged', async () => {
  const cluster = await startEsdbCluster();
  bench.after(() => cluster.stop());
  for (const node of [1, 2]) cluster.lag(node, 3);
  for (const preference of ['random', 'follower']) {
    const store = await bench.open(`${cluster.connectionString}&nodePreference=${preference}`);
    for (let at = 0; at < 20; at += 1) {
      const stream = `fresh-${freshId()}`;
      await store.append(stream, NO_STREAM, anEvent());
      expect(await store.read(stream)).toHaveLength(1);
    }
  }
});

test('a string that names a follower alone comes to the leader', async () => {
  const cluster = await startEsdbCluster();
  bench.after(() => cluster.stop());
  const store = await bench.open(cluster.nodes[1]?.connectionString ?? '');
  await store.append('sent-1', NO_STREAM, anEvent());
  expect(await store.read('sent-1')).toHaveLength(1);
});

test('a follower that lags is not taken for a log that was wiped, and its readers lose nothing', async () => {
  const cluster = await startEsdbCluster();
  bench.after(() => cluster.stop());
  const leading = await bench.open(cluster.connectionString);
  const positions: string[] = [];
  for (let at = 0; at < 10; at += 1) positions.push((await leading.append('lagging-1', at - 1, anEvent({ at }))).position);
  cluster.lag(1, 6);
  const following = await bench.open(cluster.nodes[1]?.connectionString ?? '', { confirmMs: 50 });
  const seen = bench.following(following, { categories: ['lagging'], after: positions[7] });
  const whole = bench.following(following, { categories: ['lagging'] });
  await eventually(() => expect(whole.events).toHaveLength(4));
  expect([seen.failure, following.faults()]).toEqual([undefined, []]);
  cluster.lag(1, 0);
  await leading.append('lagging-1', 9, anEvent({ at: 10 }));
  await eventually(() => expect(seen.events.map(({ revision }) => revision)).toEqual([8, 9, 10]));
  await eventually(() => expect(whole.events.map(({ revision }) => revision)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
});
