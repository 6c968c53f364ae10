import fc from 'fast-check';
import type { PageCursor, PageRequest } from '@ponte/contracts';
import type { OrderRow, OrderTable, OrderTableUnderTest } from './order-table.testing';
import { TIME, orderRow } from './order-table.testing';

const all: PageRequest = { limit: 200, cursor: null, createdFrom: null, createdTo: null };

/** The contract of a table of rows, for any database. */
export function describeReadModelTable(name: string, open: () => Promise<OrderTableUnderTest>): void {
  describe(`${name} as a table of rows`, () => {
    let under: OrderTableUnderTest;
    let orders: OrderTable;
    beforeAll(async () => {
      under = await open();
      orders = under.orders;
      await orders.prepare();
    });
    beforeEach(() => orders.clear());
    afterAll(() => under.cleanUp());

    test('a row is read as it was put, whatever it contains', async () => {
      const odd = orderRow({
        state: `it's "odd" \u{1F600}; DROP TABLE orders`,
        quote_id: 'q',
        tries: -7,
        off_market: true,
        record: { text: 'ç\u0000', none: null, list: [] },
      });
      expect(await orders.put(odd)).toBe(true);
      expect(await orders.get('o1')).toEqual(odd);
      expect(await orders.get('o2')).toBeUndefined();
      await orders.put(orderRow({ id: 'o2', record: null, tries: Number.MAX_SAFE_INTEGER }));
      expect(await orders.get('o2')).toEqual(orderRow({ id: 'o2', record: null, tries: Number.MAX_SAFE_INTEGER }));
    });

    test('put ignores an older or the same revision', async () => {
      expect(await orders.put(orderRow({ revision: 3, state: 'processing' }))).toBe(true);
      expect(await orders.put(orderRow({ revision: 3, state: 'other' }))).toBe(false);
      expect(await orders.put(orderRow({ revision: 2, state: 'created' }))).toBe(false);
      expect((await orders.get('o1'))?.state).toBe('processing');
      expect(await orders.put(orderRow({ revision: 4, state: 'completed' }))).toBe(true);
      expect(await orders.get('o1')).toEqual(orderRow({ revision: 4, state: 'completed' }));
    });

    test('of many concurrent puts the highest revision remains', async () => {
      const revisions = Array.from({ length: 64 }, (_, at) => (at * 37) % 64);
      const kept = await Promise.all(
        revisions.map((revision) => orders.put(orderRow({ revision, state: `s${revision}` }))),
      );
      expect(kept.filter(Boolean).length).toBeGreaterThan(0);
      expect(await orders.get('o1')).toEqual(orderRow({ revision: 63, state: 's63' }));
    });

    test('rows survive a restart and concurrent calls of prepare; clear removes them', async () => {
      await orders.put(orderRow());
      orders = await under.reopen();
      await Promise.all([orders.prepare(), orders.prepare(), orders.prepare()]);
      expect(await orders.get('o1')).toEqual(orderRow());
      await orders.clear();
      expect((await orders.page({ where: {}, page: all })).items).toEqual([]);
    });

    test('a write is visible at once', async () => {
      await orders.put(orderRow());
      expect((await orders.page({ where: { account_id: 'a1' }, page: all })).items).toEqual([orderRow()]);
    });

    test('an undefined value in `where` is an error, so an undefined account never means all accounts', async () => {
      await orders.put(orderRow());
      await expect(orders.page({ where: { account_id: undefined }, page: all })).rejects.toThrow(TypeError);
      await expect(orders.find({ id: undefined })).rejects.toThrow(TypeError);
      await expect(orders.page({ where: { ['1=1 or id']: 'x' } as never, page: all })).rejects.toThrow(TypeError);
      await expect(
        orders.page({ where: { account_id: 'a1' }, filters: { account_id: 'a2' }, page: all }),
      ).resolves.toEqual({ items: [orderRow()], next: null });
      expect(await orders.find({ account_id: 'a1', quote_id: null })).toEqual(orderRow());
      expect(await orders.find({ account_id: 'a2' })).toBeUndefined();
    });

    test('the rows that are due are found page by page, earliest first, and rows without a time never', async () => {
      const times = { e: TIME(3), a: TIME(1), c: TIME(1), b: TIME(1), d: TIME(2), late: TIME(9), never: null };
      expect([await orders.earliest('quote_id'), await orders.count()]).toEqual([null, 0]);
      for (const [id, at] of Object.entries(times)) await orders.put(orderRow({ id, quote_id: at }));
      const pages: (readonly string[])[] = [];
      for await (const ids of orders.due('quote_id', TIME(3), { pageSize: 2 })) pages.push(ids);
      expect(pages).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
      for await (const times of orders.due('quote_id', TIME(1), { of: 'quote_id' }))
        expect(times).toEqual([TIME(1), TIME(1), TIME(1)]);
      expect([await orders.earliest('quote_id'), await orders.count()]).toEqual([TIME(1), 7]);
    });

    test('ids with the same time are sorted by their bytes, whatever the locale of the server', async () => {
      const ids = ['a', 'B', 'A', 'b', '_', '-', 'ab', 'a-b', 'aB', '9'];
      for (const id of ids) await orders.put(orderRow({ id }));
      const found: string[] = [];
      let cursor: PageCursor | null = null;
      do {
        const page = await orders.page({ where: { account_id: 'a1' }, page: { ...all, limit: 3, cursor } });
        found.push(...page.items.map(({ id }) => id));
        cursor = page.next;
      } while (cursor);
      expect(found).toEqual([...ids].sort().reverse());
    });

    test('pages list every matching row once, newest first by (created-at, id), even if rows are added meanwhile', async () => {
      const rows = fc.array(
        fc.record({
          minute: fc.integer({ min: 0, max: 6 }),
          state: fc.constantFrom('created', 'completed'),
          account: fc.constantFrom('a1', 'a2'),
        }),
        { maxLength: 40 },
      );
      const request = fc.record({
        limit: fc.integer({ min: 1, max: 9 }),
        state: fc.constantFrom(null, 'created', 'completed'),
        createdFrom: fc.constantFrom(null, TIME(2)),
        createdTo: fc.constantFrom(null, TIME(4)),
      });
      await fc.assert(
        fc.asyncProperty(rows, request, async (made, { limit, state, createdFrom, createdTo }) => {
          await orders.clear();
          const put = made.map(({ minute, state: its, account }, at) =>
            orderRow({ id: `o${(at * 7_919) % 97}x${at}`, created_at: TIME(minute), state: its, account_id: account }),
          );
          await Promise.all(put.map((one) => orders.put(one)));
          const found: OrderRow[] = [];
          let cursor: PageCursor | null = null;
          do {
            const page = await orders.page({
              where: { account_id: 'a1' },
              filters: { state, quote_id: undefined },
              page: { limit, cursor, createdFrom, createdTo },
            });
            expect(page.items.length).toBeLessThanOrEqual(limit);
            found.push(...page.items);
            cursor = page.next;
            if (cursor) await orders.put(orderRow({ id: 'zz', created_at: TIME(59), state: state ?? 'created' }));
          } while (cursor);
          const expected = put.filter(
            (one) =>
              one.account_id === 'a1' &&
              (state === null || one.state === state) &&
              (createdFrom === null || one.created_at >= createdFrom) &&
              (createdTo === null || one.created_at <= createdTo),
          );
          expected.sort((a, b) =>
            a.created_at === b.created_at ? (a.id < b.id ? 1 : -1) : a.created_at < b.created_at ? 1 : -1,
          );
          expect(found.map((one) => one.id)).toEqual(expected.map((one) => one.id));
        }),
        { numRuns: 60 },
      );
    });
  });
}
