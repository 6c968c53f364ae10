import { setTimeout as pause } from 'node:timers/promises';
import { describeEsdb, eventually, freshId } from '@ponte/testing';
import { Writer } from './election.testing';
import { Bench } from './testing';

const WRITERS = 32;
const KILLS = 3;
const bench = new Bench();
afterEach(() => bench.end());

describeEsdb('kills under load', 'restarts', (open) => {
  test('a server that is repeatedly killed under 32 writers loses and duplicates no acknowledged event, and readers miss none', async () => {
    const esdb = await open();
    bench.after(() => esdb.stop());
    const store = await bench.open(esdb.connectionString);
    const category = `kill${freshId()}`;
    const live = bench.following(store, { categories: [category] });
    const writers = Array.from({ length: WRITERS }, () => new Writer(store, category));
    writers.forEach((writer) => writer.begin());
    const acknowledged = (): number => writers.reduce((sum, one) => sum + one.acknowledged.length, 0);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = acknowledged();
      await eventually(() => expect(acknowledged()).toBeGreaterThan(before + 10 * WRITERS), 60_000);
      await esdb.kill();
      await pause(500);
      await esdb.start();
    }
    const before = acknowledged();
    await eventually(() => expect(acknowledged()).toBeGreaterThan(before + 10 * WRITERS), 60_000);
    await Promise.all(writers.map((writer) => writer.end()));
    for (const writer of writers) {
      const kept = await eventually(() => store.read(writer.stream));
      expect(kept.map(({ data }) => (data as { at: number }).at)).toEqual(writer.acknowledged.map((_, at) => at));
    }
    await eventually(() => expect(live.events).toHaveLength(acknowledged()), 30_000);
    expect(store.faults()).toEqual([]);
  });
});
