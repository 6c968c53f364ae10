import type { EsdbUnderTest } from '@ponte/testing';
import { NO_STREAM, PositionBeyondLog } from '@ponte/event-sourcing';
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

describe('a reader whose position belongs to another log', () => {
  const BEYOND = '999999999:999999999';

  describeEsdb('a position past the end of the log', 'nothing', (open) => {
    test('stops and reports what to do', async () => {
      const esdb = await under(open);
      const store = await bench.open(esdb.connectionString, { confirmMs: 50 });
      await store.append(`past-${freshId()}`, NO_STREAM, anEvent());
      const [commit] = ((await store.head()) ?? '').split(':');
      const beyond = BigInt(commit ?? 0) + BigInt(BEYOND.split(':')[0] ?? 0);
      const seen = bench.following(store, {
        categories: ['past'],
        after: `${beyond}:${beyond}`,
        reader: 'left-behind',
      });
      await eventually(() => expect(seen.failure).toBeInstanceOf(PositionBeyondLog));
      expect(store.faults()).toMatchObject([
        {
          kind: 'position',
          reader: 'left-behind',
          text: expect.stringContaining('restored from an older backup') as string,
        },
      ]);
    });

    test('also stops at a position between two records', async () => {
      const esdb = await under(open);
      const store = await bench.open(esdb.connectionString);
      const stream = `between-${freshId()}`;
      const { position } = await store.append(stream, NO_STREAM, eventsOf(freshId(), { at: 0 }, { at: 1 }));
      const off = BigInt(position.split(':')[0] ?? 0) - 3n;
      const seen = bench.following(store, { categories: ['between'], after: `${off}:${off}` });
      await eventually(() => expect(seen.failure).toBeInstanceOf(PositionBeyondLog));
    });
  });

  test('stops when the database is restored from an older backup meanwhile', async () => {
    const server = await startEsdbServer();
    bench.after(() => server.stop());
    const store = await bench.open(server.connectionString, { confirmMs: 50 });
    for (const at of counted(3)) await store.append('kept-1', at - 1, anEvent({ at }));
    const seen = bench.following(store, { categories: ['kept'], reader: 'of-kept' });
    await eventually(() => expect(seen.events).toHaveLength(3));
    await server.restore(2);
    await eventually(() => expect(seen.failure).toBeInstanceOf(PositionBeyondLog));
    // A reader whose position is before the restored end continues.
    const fine = bench.following(store, {
      categories: ['kept'],
      after: (await eventually(() => store.read('kept-1')))[1]?.position,
    });
    await eventually(() => store.append('kept-1', 1, anEvent({ at: 9 })));
    await eventually(() => expect(numbers(fine.events)).toEqual([9]));
  });
});
