import { join } from 'node:path';
import fc from 'fast-check';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { PageCursor } from '@ponte/contracts';
import type { LeaseGrant, LogSlice } from '@ponte/event-sourcing';
import { NO_STREAM } from '@ponte/event-sourcing';
import { anEvent, eventually, MemoryEventStore, temporaryFolder } from '@ponte/testing';
import type { SqliteState } from '../sqlite/state';
import { openSqliteState } from '../sqlite/state';
import { openSqliteViews } from '../sqlite/views';
import type { Projector, ProjectorOptions } from './projector';
import { runProjector } from './projector';
import type { ViewTable } from './view-table';
import { createViewTable } from './view-table';

interface OrderRow {
  readonly id: string;
  readonly revision: number;
  readonly created_at: string;
  readonly account_id: string;
  readonly state: string;
  readonly quote_id: string | null;
  readonly tries: number | null;
  readonly off_market: boolean;
  readonly record: unknown;
}

const TIME = (minute: number): string => `2026-01-02T03:${String(minute).padStart(2, '0')}:00.000Z`;
const row = (change: Partial<OrderRow> = {}): OrderRow => ({
  id: 'o1', revision: 0, created_at: TIME(0), account_id: 'a1', state: 'created', quote_id: null, tries: null, off_market: false, record: { deep: [1] }, ...change,
});
const all = { limit: 200, cursor: null, createdFrom: null, createdTo: null };

describe('a table of rows, on SQLite', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let db: Kysely<unknown>;
  let orders: ViewTable<OrderRow>;
  const open = (): ViewTable<OrderRow> => createViewTable<OrderRow>({
    db, table: 'orders', indices: [['account_id'], ['account_id', 'state']],
    columns: { account_id: 'text', state: 'text', quote_id: 'text?', tries: 'integer?', off_market: 'boolean', record: 'json' },
  });
  beforeEach(async () => {
    folder = temporaryFolder();
    db = openSqliteViews<unknown>(join(folder.path, 'views.db'), 'off');
    orders = open();
    await orders.prepare();
  });
  afterEach(async () => {
    await db.destroy();
    folder.remove();
  });

  test('a row comes back as it was put, whatever stands in it', async () => {
    const odd = row({ state: `it's "odd" \u{1F600}; DROP TABLE orders`, quote_id: 'q', tries: -7, off_market: true, record: { text: 'ç', none: null, list: [] } });
    expect(await orders.put(odd)).toBe(true);
    expect(await orders.get('o1')).toEqual(odd);
    expect(await orders.get('o2')).toBeUndefined();
    await orders.put(row({ id: 'o2', record: null }));
    expect(await orders.get('o2')).toEqual(row({ id: 'o2', record: null }));
  });

  test('put only ever goes forward: an older or the same revision changes nothing', async () => {
    expect(await orders.put(row({ revision: 3, state: 'processing' }))).toBe(true);
    expect(await orders.put(row({ revision: 3, state: 'other' }))).toBe(false);
    expect(await orders.put(row({ revision: 2, state: 'created' }))).toBe(false);
    expect((await orders.get('o1'))?.state).toBe('processing');
    expect(await orders.put(row({ revision: 4, state: 'completed', account_id: 'a1' }))).toBe(true);
    expect(await orders.get('o1')).toEqual(row({ revision: 4, state: 'completed' }));
  });

  test('prepare may be called again, clear empties, the rows outlive a restart', async () => {
    await orders.put(row());
    await db.destroy();
    db = openSqliteViews<unknown>(join(folder.path, 'views.db'), 'off');
    orders = open();
    await orders.prepare();
    expect(await orders.get('o1')).toEqual(row());
    await orders.clear();
    expect((await orders.page({ where: {}, page: all })).items).toEqual([]);
  });

  test('a write is seen at once, the writes of one turn are one transaction, and one of Kysely\'s own stands apart', async () => {
    const other = openSqliteViews<Record<'orders', { id: string }>>(join(folder.path, 'views.db'), 'off');
    const committed = async () => (await other.selectFrom('orders').select('id').orderBy('id').execute()).map(({ id }) => id);
    const putting = ['o1', 'o2', 'o3'].map((id) => orders.put(row({ id })));
    await Promise.all(putting);
    expect((await orders.page({ where: {}, page: all })).items).toHaveLength(3);
    expect(await committed()).toEqual([]);
    await new Promise((resolve) => { setImmediate(resolve); });
    expect(await committed()).toEqual(['o1', 'o2', 'o3']);
    await orders.put(row({ id: 'o4' }));
    await expect(db.transaction().execute(async (trx) => {
      await (trx as Kysely<Record<'orders', { id: string }>>).deleteFrom('orders').execute();
      throw new Error('roll back');
    })).rejects.toThrow('roll back');
    expect(await committed()).toEqual(['o1', 'o2', 'o3', 'o4']);
    await other.destroy();
  });

  test('after a failed commit nothing is claimed any more: a restart goes on from what the file says', async () => {
    await orders.put(row());
    await new Promise((resolve) => { setImmediate(resolve); });
    await sql`PRAGMA max_page_count = 1`.execute(db);
    const filling = async (): Promise<void> => {
      for (let at = 0; at < 500; at += 1) {
        await orders.put(row({ id: `big${at}`, record: 'x'.repeat(5_000) }));
        await new Promise((resolve) => { setImmediate(resolve); });
      }
    };
    await expect(filling()).rejects.toThrow();
    await db.destroy().catch(() => undefined);
    db = openSqliteViews<unknown>(join(folder.path, 'views.db'), 'off');
    orders = open();
    expect(await orders.get('o1')).toEqual(row());
    await expect(orders.put(row({ id: 'o2' }))).resolves.toBe(true);
  });

  test('what must match has a value: an undefined account never means all accounts', async () => {
    await orders.put(row());
    await expect(orders.page({ where: { account_id: undefined }, page: all })).rejects.toThrow(TypeError);
    await expect(orders.find({ id: undefined })).rejects.toThrow(TypeError);
    await expect(orders.page({ where: { ['1=1 or id']: 'x' } as never, page: all })).rejects.toThrow(TypeError);
    await expect(orders.page({ where: { account_id: 'a1' }, filters: { account_id: 'a2' }, page: all })).resolves.toEqual({ items: [row()], next: null });
    expect(await orders.find({ account_id: 'a1', quote_id: null })).toEqual(row());
    expect(await orders.find({ account_id: 'a2' })).toBeUndefined();
  });

  test('names that could be more than a name are refused', () => {
    expect(() => createViewTable<OrderRow>({ db, table: 'orders"; --', columns: {} as never })).toThrow(TypeError);
    expect(() => createViewTable({ db, table: 'orders', columns: { 'a b': 'text' } as never })).toThrow(TypeError);
  });

  test('§5: newest first by (created-at, id), every row once over all pages, filters and times kept, rows that come meanwhile do no harm', async () => {
    const rows = fc.array(fc.record({ minute: fc.integer({ min: 0, max: 6 }), state: fc.constantFrom('created', 'completed'), account: fc.constantFrom('a1', 'a2') }), { maxLength: 40 });
    const request = fc.record({
      limit: fc.integer({ min: 1, max: 9 }), state: fc.constantFrom(null, 'created', 'completed'),
      createdFrom: fc.constantFrom(null, TIME(2)), createdTo: fc.constantFrom(null, TIME(4)),
    });
    await fc.assert(fc.asyncProperty(rows, request, async (made, { limit, state, createdFrom, createdTo }) => {
      await orders.clear();
      const put = made.map(({ minute, state: its, account }, at) => row({ id: `o${(at * 7_919) % 97}x${at}`, created_at: TIME(minute), state: its, account_id: account }));
      for (const one of put) await orders.put(one);
      const found: OrderRow[] = [];
      let cursor: PageCursor | null = null;
      do {
        const page = await orders.page({ where: { account_id: 'a1' }, filters: { state, quote_id: undefined }, page: { limit, cursor, createdFrom, createdTo } });
        expect(page.items.length).toBeLessThanOrEqual(limit);
        found.push(...page.items);
        cursor = page.next;
        if (cursor) await orders.put(row({ id: 'zz', created_at: TIME(59), state: state ?? 'created' }));
      } while (cursor);
      const expected = put.filter((one) => one.account_id === 'a1' && (state === null || one.state === state)
        && (createdFrom === null || one.created_at >= createdFrom) && (createdTo === null || one.created_at <= createdTo));
      expected.sort((a, b) => (a.created_at === b.created_at ? (a.id < b.id ? 1 : -1) : a.created_at < b.created_at ? 1 : -1));
      expect(found.map((one) => one.id)).toEqual(expected.map((one) => one.id));
    }), { numRuns: 60 });
  });
});

describe('a projector', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let state: SqliteState;
  let store: MemoryEventStore;
  const running: Projector[] = [];
  const logged: object[] = [];
  const logger = { warn: () => undefined, error: (fields: object) => void logged.push(fields) };
  const run = (apply: ProjectorOptions['apply'], name = 'view'): Projector => {
    const projector = runProjector({ store, ...state, logger, name, categories: ['order'], apply, batchSize: 10, retryMs: [1] });
    running.push(projector);
    return projector;
  };
  const write = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1) await store.append(`order-${store.log.length}`, NO_STREAM, anEvent({ at }));
    await store.append(`other-${store.log.length}`, NO_STREAM, anEvent());
  };
  const streams = (slice: LogSlice): string[] => slice.events.map((event) => event.stream);

  beforeEach(() => {
    folder = temporaryFolder();
    state = openSqliteState(join(folder.path, 'state.db'), 'off');
    store = new MemoryEventStore();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((projector) => projector.stop()));
    await store.close();
    await state.close();
    folder.remove();
    logged.length = 0;
  });

  test('catches up, tells so, follows, and goes on where it stopped', async () => {
    await write(25);
    const seen: string[] = [];
    const first = run(async (slice) => void seen.push(...streams(slice)));
    await first.caughtUp;
    expect(seen).toHaveLength(25);
    await write(5);
    await eventually(() => expect(seen).toHaveLength(30));
    await first.stop();
    expect(await state.checkpoints.load('view')).toBe(await store.head());
    await write(5);
    const again: string[] = [];
    await run(async (slice) => void again.push(...streams(slice))).caughtUp;
    expect(again).toHaveLength(5);
    expect(new Set([...seen, ...again]).size).toBe(35);
  });

  test('an empty log, or nothing new, is caught up at once', async () => {
    await run(async () => undefined).caughtUp;
    await running.pop()?.stop();
    await write(3);
    const second = run(async () => undefined);
    await second.caughtUp;
    await second.stop();
    await run(async () => { throw new Error('nothing is left to apply'); }).caughtUp;
  });

  test('a slice that fails is tried until it passes; nothing is skipped, nothing goes past it', async () => {
    await write(25);
    const seen: string[] = [];
    let failures = 0;
    const projector = run(async (slice) => {
      if (seen.length === 10 && (failures += 1) <= 7) throw new Error('personal words');
      seen.push(...streams(slice));
    });
    await projector.caughtUp;
    expect(failures).toBe(8);
    expect(new Set(seen).size).toBe(25);
    expect(seen).toHaveLength(25);
    expect(logged).toHaveLength(7);
    expect(JSON.stringify(logged)).not.toContain('personal words');
  });

  test('stop does not wait for a slice that never passes, and the checkpoint stays before it', async () => {
    await write(25);
    let failures = 0;
    const projector = run(async (slice) => {
      if (slice.position !== '10') { failures += 1; throw new Error('never'); }
    });
    await eventually(() => expect(failures).toBeGreaterThan(2));
    await projector.stop();
    expect(await state.checkpoints.load('view')).toBe('10');
  });

  test('two of one name: one works at a time, the other takes over under a greater fence', async () => {
    await write(5);
    const fences: number[] = [];
    const first = run(async (_, fence) => void fences.push(fence));
    await first.caughtUp;
    run(async (_, fence) => void fences.push(fence));
    await write(3);
    await eventually(() => expect(fences.length).toBeGreaterThanOrEqual(2));
    expect(new Set(fences).size).toBe(1);
    await first.stop();
    await write(3);
    await eventually(() => expect(new Set(fences).size).toBe(2));
    expect(fences.at(-1)).toBeGreaterThan(fences[0] as number);
  });

  test('a lease that is lost ends the work of its holder, whose checkpoint is then refused', async () => {
    await write(5);
    const lost = new AbortController();
    const releases: number[] = [];
    let grants = 0;
    const lease = {
      acquire: async (_name: string, signal: AbortSignal): Promise<LeaseGrant | undefined> => {
        grants += 1;
        if (grants > 1) return new Promise((resolve) => { signal.addEventListener('abort', () => resolve(undefined)); });
        return { fence: 4, lost: lost.signal, release: async () => void releases.push(4) };
      },
    };
    const projector = runProjector({ store, checkpoints: state.checkpoints, lease, logger, name: 'view', apply: async () => undefined, retryMs: [1] });
    running.push(projector);
    await projector.caughtUp;
    await state.checkpoints.save('view', '1', 5);
    await write(5);
    lost.abort();
    await eventually(() => expect([grants, releases]).toEqual([2, [4]]));
    expect(await state.checkpoints.load('view')).toBe('1');
  });
});
