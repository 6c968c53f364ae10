import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { EventStore, EventToAppend } from '@ponte/event-sourcing';
import { categoryOf, idOf } from '@ponte/event-sourcing';
import { temporaryFolder } from '../temporary-folder';
import type { OrderRow } from './order-table.testing';
import { ORDER_TABLE, orderRow } from './order-table.testing';
import type { OpenShadowReadModels, RebuildableReadModel, ReadModelTable } from '@ponte/read-models';
import { rebuildReadModels, createReadModelCheckpoints, createReadModelTable } from '@ponte/read-models';

export interface ReadModelsUnderTest {
  readonly readModels: Kysely<unknown>;
  readonly shadow: OpenShadowReadModels;
  /** An empty event log in a new file. */
  openLog(file: string): EventStore;
  cleanUp(): Promise<void>;
}

const all = { limit: 10_000, cursor: null, createdFrom: null, createdTo: null };
const READER = 'orders-of-test';
const ORDERS = 40;

const eventOf = (order: string, revision: number): EventToAppend => ({
  id: `${order}-${revision}`,
  type: 'Counted',
  version: 1,
  data: {},
  meta: {
    commandId: `${order}-${revision}`,
    index: 0,
    count: 1,
    occurredAt: '2026-01-01T00:00:00.000Z',
    correlationId: order,
  },
});
const rowOf = (id: string, revision: number): OrderRow => orderRow({ id, revision });

const readModel: RebuildableReadModel = {
  name: READER,
  reader: READER,
  categories: ['counted'],
  tables: [ORDER_TABLE.table],
  async open(db) {
    const rows = createReadModelTable<OrderRow>({ db, ...ORDER_TABLE });
    await rows.prepare();
    return {
      async apply({ events }) {
        expect(events.every(({ stream }) => categoryOf(stream) === 'counted')).toBe(true);
        const newest = new Map(events.map(({ stream, revision }) => [idOf(stream), revision]));
        await rows.putAll([...newest].map(([id, revision]) => rowOf(id, revision)));
      },
    };
  },
};

/** The contract of rebuilding read models, for any database. */
export function describeRebuild(name: string, make: () => Promise<ReadModelsUnderTest>): void {
  describe(`a rebuild of read models on ${name}`, () => {
    const folder = temporaryFolder();
    let under: ReadModelsUnderTest;
    let store: EventStore;
    let live: ReadModelTable<OrderRow>;
    let heads: Map<string, number>;
    beforeEach(async () => {
      under = await make();
      store = under.openLog(join(folder.path, `${Math.random()}.db`));
      live = createReadModelTable<OrderRow>({ db: under.readModels, ...ORDER_TABLE });
      await live.prepare();
      await createReadModelCheckpoints(under.readModels).prepare();
      heads = new Map();
      for (let at = 0; at < 3 * ORDERS; at += 1) await command(at);
    });
    afterEach(async () => {
      await store.close();
      await under.cleanUp();
    });
    afterAll(() => folder.remove());

    /** Writes as a service does: first the event, then the row. There is no projector that would restore a lost row. */
    const command = async (at: number): Promise<void> => {
      const order = `o${at % ORDERS}`;
      const revision = (heads.get(order) ?? -1) + 1;
      heads.set(order, revision);
      await store.append(`counted-${order}`, revision - 1, [eventOf(order, revision)]);
      if (at % 3 === 0) await store.append(`other-${at}-${revision}`, -1, [eventOf(`x${at}`, revision)]);
      await live.put(rowOf(order, revision));
    };
    const shown = async (): Promise<OrderRow[]> =>
      [...(await live.page({ where: {}, page: all })).items].sort((a, b) => (a.id < b.id ? -1 : 1));
    const expected = (): OrderRow[] =>
      [...heads].map(([id, revision]) => rowOf(id, revision)).sort((a, b) => (a.id < b.id ? -1 : 1));
    const rebuild = (options: { signal?: AbortSignal; readModels?: readonly RebuildableReadModel[] } = {}) =>
      rebuildReadModels({
        store,
        readModels: under.readModels,
        shadow: under.shadow,
        rebuild: options.readModels ?? [readModel],
        signal: options.signal,
      });

    test('corrects wrong, missing and surplus rows while commands continue, without ever showing an empty list', async () => {
      await sql`DELETE FROM ${sql.ref(ORDER_TABLE.table)} WHERE id < 'o2'`.execute(under.readModels);
      await live.put(orderRow({ id: 'unknown', revision: 3 }));
      await live.put(orderRow({ id: 'o5', revision: 900 }));
      let rebuilding = true;
      let fewest = Infinity;
      const others = (): Promise<void> =>
        new Promise((resolve) => {
          setImmediate(resolve);
        });
      const traffic = (async () => {
        for (let at = 0; rebuilding; at += 1) await command(at).then(others);
      })();
      const reading = (async () => {
        for (; rebuilding; await others()) fewest = Math.min(fewest, (await shown()).length);
      })();
      const { events } = await rebuild().finally(() => {
        rebuilding = false;
      });
      await Promise.all([traffic, reading]);
      for (let at = 0; at < 5; at += 1) await command(at);
      expect(events).toBeGreaterThanOrEqual(3 * ORDERS);
      expect(fewest).toBeGreaterThan(20);
      expect(await shown()).toEqual(expected());
      // The table and its indices are complete, so the next rebuild works as well.
      await rebuild();
      expect(await shown()).toEqual(expected());
    });

    test('replaces a checkpoint beyond the end of the log, as after a restore, by that of the rows', async () => {
      const checkpoints = createReadModelCheckpoints(under.readModels);
      await checkpoints.save(READER, '999999', 7);
      const { position } = await rebuild();
      expect(position).toBe(await store.head());
      expect(await checkpoints.list()).toEqual([{ reader: READER, position, fence: 7 }]);
    });

    test('leaves everything unchanged when it fails or is aborted, and the next one succeeds', async () => {
      await live.put(orderRow({ id: 'unknown', revision: 3 }));
      const before = await shown();
      const failing: RebuildableReadModel = {
        ...readModel,
        open: async (db, log) => ({
          ...(await readModel.open(db, log)),
          apply: () => Promise.reject(new Error('cannot be folded')),
        }),
      };
      await expect(rebuild({ readModels: [failing] })).rejects.toThrow('cannot be folded');
      await expect(rebuild({ signal: AbortSignal.abort(new Error('ended')) })).rejects.toThrow('ended');
      expect(await shown()).toEqual(before);
      await rebuild();
      expect(await shown()).toEqual(expected());
    });
  });
}
