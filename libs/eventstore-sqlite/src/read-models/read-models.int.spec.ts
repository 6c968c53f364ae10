import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { OrderRow } from '@ponte/testing';
import {
  ORDER_TABLE,
  orderRow,
  temporaryFolder,
  describeCatchUp,
  describeExactSum,
  describeOperatorState,
  describeRebuild,
} from '@ponte/testing';
import { openSqliteEventStore } from '../event-store';
import { openSqliteState } from '../state';
import { sqliteShadowReadModels } from './shadow-read-models';
import { openSqliteReadModels } from './read-models';
import type { ReadModelTable } from '@ponte/read-models';
import { createReadModelTable } from '@ponte/read-models';

const row = orderRow;
const all = { limit: 200, cursor: null, createdFrom: null, createdTo: null };

describe('a table of rows, on SQLite', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let db: Kysely<unknown>;
  let orders: ReadModelTable<OrderRow>;
  const open = (): ReadModelTable<OrderRow> => createReadModelTable<OrderRow>({ db, ...ORDER_TABLE });
  beforeEach(async () => {
    folder = temporaryFolder();
    db = openSqliteReadModels<unknown>(join(folder.path, 'read-models.db'), 'off');
    orders = open();
    await orders.prepare();
  });
  afterEach(async () => {
    await db.destroy();
    folder.remove();
  });

  test('a write is visible at once, the writes of one turn are one transaction, and a Kysely transaction is separate', async () => {
    const other = openSqliteReadModels<Record<'orders', { id: string }>>(join(folder.path, 'read-models.db'), 'off');
    const committed = async () =>
      (await other.selectFrom('orders').select('id').orderBy('id').execute()).map(({ id }) => id);
    const putting = ['o1', 'o2', 'o3'].map((id) => orders.put(row({ id })));
    await Promise.all(putting);
    expect((await orders.page({ where: {}, page: all })).items).toHaveLength(3);
    expect(await committed()).toEqual([]);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(await committed()).toEqual(['o1', 'o2', 'o3']);
    await orders.put(row({ id: 'o4' }));
    await expect(
      db.transaction().execute(async (trx) => {
        await (trx as Kysely<Record<'orders', { id: string }>>).deleteFrom('orders').execute();
        throw new Error('roll back');
      }),
    ).rejects.toThrow('roll back');
    expect(await committed()).toEqual(['o1', 'o2', 'o3', 'o4']);
    await other.destroy();
  });

  test('after a failed commit every call fails, and a restart continues from the state of the file', async () => {
    await orders.put(row());
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    await sql`PRAGMA max_page_count = 1`.execute(db);
    const filling = async (): Promise<void> => {
      for (let at = 0; at < 500; at += 1) {
        await orders.put(row({ id: `big${at}`, record: 'x'.repeat(5_000) }));
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      }
    };
    await expect(filling()).rejects.toThrow();
    await db.destroy().catch(() => undefined);
    db = openSqliteReadModels<unknown>(join(folder.path, 'read-models.db'), 'off');
    orders = open();
    expect(await orders.get('o1')).toEqual(row());
    await expect(orders.put(row({ id: 'o2' }))).resolves.toBe(true);
  });

  test('a table of an earlier release gets new columns and keeps its rows', async () => {
    const { quote_id: _, tries: __, ...before } = ORDER_TABLE.columns;
    const earlier = { db, table: 'earlier_orders', columns: before } as const;
    const old = createReadModelTable<Omit<OrderRow, 'quote_id' | 'tries'>>(earlier);
    await old.prepare();
    const { quote_id: ___, tries: ____, ...kept } = row();
    await old.put(kept);
    const now = createReadModelTable<OrderRow>({
      db,
      ...ORDER_TABLE,
      table: 'earlier_orders',
      indices: [['quote_id']],
    });
    await now.prepare();
    await now.prepare();
    expect(await now.get('o1')).toEqual(row());
    await old.put({ ...kept, id: 'o2' });
    await now.put(row({ id: 'o3', quote_id: 'q', tries: 2 }));
    expect(await now.find({ quote_id: 'q' })).toMatchObject({ id: 'o3', tries: 2 });
    expect((await now.page({ where: {}, page: all })).items.map(({ id }) => id).sort()).toEqual(['o1', 'o2', 'o3']);
  });

  test('names that are not plain identifiers are refused', () => {
    expect(() => createReadModelTable<OrderRow>({ db, table: 'orders"; --', columns: {} as never })).toThrow(TypeError);
    expect(() => createReadModelTable({ db, table: 'orders', columns: { 'a b': 'text' } as never })).toThrow(TypeError);
  });
});

describeOperatorState('SQLite', async () => {
  const folder = temporaryFolder();
  const state = openSqliteState(join(folder.path, 'state.db'), 'off');
  return { ...state, cleanUp: () => state.close().then(() => folder.remove()) };
});

describe.each(['inline', 'thread'] as const)('%s', (writes) => {
  const make = async () => {
    const folder = temporaryFolder();
    const readModels = openSqliteReadModels<unknown>(join(folder.path, 'read-models.db'), 'off', writes);
    return {
      readModels,
      shadow: sqliteShadowReadModels(readModels, join(folder.path, 'read-models.rebuild.db')),
      openLog: (file: string) => openSqliteEventStore({ file, durability: 'off' }),
      cleanUp: async () => {
        await readModels.destroy();
        folder.remove();
      },
    };
  };
  describeRebuild('SQLite', make);
  describeCatchUp('SQLite', make);
  describeExactSum('SQLite', make);
});
