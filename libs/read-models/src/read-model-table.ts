import type { Kysely, SelectQueryBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Page, PageRequest, Timestamp } from '@ponte/contracts';
import type { Column, ReadModelRow, ReadModelTables, RowAggregation, RowQuery } from './columns';
import { assertName, createTable } from './columns';
import type { Connection } from './row-writer';
import { fromStored, rowWriter, storedValues, toStored } from './row-writer';

export interface ReadModelTableOptions<Row extends ReadModelRow> {
  /** The read models' database. The table knows the types of its rows. */
  readonly db: Kysely<unknown>;
  readonly table: string;
  /** Every column besides `id`, `revision` and `created_at`. */
  readonly columns: Readonly<Record<Exclude<keyof Row & string, keyof ReadModelRow>, Column>>;
  /** Combinations of columns by which pages are selected. Each gets an index that also includes the page order. */
  readonly indices?: readonly (readonly (keyof Row & string)[])[];
  /** Combinations of columns for other look-ups. */
  readonly lookups?: readonly (readonly (keyof Row & string)[])[];
}

export interface PageOf<Row extends ReadModelRow> {
  /** Conditions that every row must match, such as the account. An undefined value throws: it must never mean "all". */
  readonly where: Partial<Row>;
  /** The caller's filters; null and undefined fields do not filter. */
  readonly filters?: { readonly [K in keyof Row]?: Row[K] | null | undefined };
  /** `createdFrom` and `createdTo` are inclusive. */
  readonly page: PageRequest;
}

/** The rows of one kind of resource. */
export interface ReadModelTable<Row extends ReadModelRow> {
  /** Creates the table and its indices where they do not exist. Call it once, before the other methods. */
  prepare(): Promise<void>;
  /** Inserts the row, or replaces one with a lower revision. False if the stored revision is the same or higher. */
  put(row: Row): Promise<boolean>;
  /**
   * Like {@link put}, for any number of rows with different ids, in few statements. `through` is a transaction of the
   * same database.
   */
  putAll(rows: readonly Row[], through?: Connection): Promise<void>;
  get(id: string): Promise<Row | undefined>;
  /** Newest first by (created_at, id). */
  page(request: PageOf<Row>): Promise<Page<Row>>;
  /** The first row, newest first, that matches every field. */
  find(where: Partial<Row>): Promise<Row | undefined>;
  /**
   * The ids of the rows whose time in this column is not after `until`, earliest first, in pages. A page is read once
   * the caller is done with the one before it. `of`: the values of this column instead of the ids.
   */
  due(
    column: keyof Row & string,
    until: Timestamp,
    options?: {
      readonly pageSize?: number | undefined;
      readonly of?: keyof Row & string;
      readonly narrow?: (rows: RowAggregation<Row>) => RowAggregation<Row>;
    },
  ): AsyncGenerator<readonly string[]>;
  /** The earliest time in this column; null without one. */
  earliest(column: keyof Row & string): Promise<Timestamp | null>;
  count(narrow?: (rows: RowAggregation<Row>) => RowAggregation<Row>): Promise<number>;
  select(narrow: (rows: RowQuery<Row>) => RowQuery<Row>): Promise<Row[]>;
  /** All rows, for other statements. JSON columns and booleans are as they are stored. */
  readonly rows: RowAggregation<Row>;
  /** Empties the table for a rebuild. */
  clear(): Promise<void>;
}

/** Creates a table of rows that works with both SQL dialects and never replaces a row by an older one. */
export function createReadModelTable<Row extends ReadModelRow>(
  options: ReadModelTableOptions<Row>,
): ReadModelTable<Row> {
  const db = options.db as Kysely<ReadModelTables>;
  const { table } = options;
  const columns: Record<string, Column> = { id: 'text', revision: 'integer', created_at: 'text', ...options.columns };
  const list = Object.entries(columns);
  const names = list.map(([name]) => name);
  [table, ...names].forEach(assertName);
  const read = (stored: Record<string, unknown>): Row => fromStored(stored, list) as Row;
  const put = rowWriter(options.db, table, names, sql<boolean>`${sql.ref(`${table}.revision`)} < excluded.revision`);
  const stored = (row: Row): unknown[] => storedValues(row, list);
  const rows = db.selectFrom(table);
  const select = () => rows.selectAll();
  const matching = (where: Partial<Row>) => {
    let query = select();
    for (const [name, value] of Object.entries(where)) {
      if (value === undefined || !(name in columns))
        throw new TypeError(`${table}: ${name} must have a value to select by`);
      query =
        value === null
          ? query.where(name, 'is', null)
          : query.where(name, '=', toStored(value, columns[name] as Column));
    }
    return query;
  };

  return {
    prepare: () =>
      createTable(options.db, { table, columns, key: ['id'], indices: options.lookups, paged: options.indices }),
    put: async (row) => (await put([stored(row)])) > 0n,
    // Sorted, so that two writers of the same rows do not deadlock.
    putAll: async (rows, through) => void (await put([...rows].sort(byId).map(stored), through)),
    async get(id) {
      const found = await select().where('id', '=', id).executeTakeFirst();
      return found && read(found);
    },
    async find(where) {
      const found = await matching(where)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return found && read(found);
    },
    async page({ where, filters = {}, page }) {
      const given = Object.fromEntries(
        Object.entries(filters).filter(([, value]) => value !== null && value !== undefined),
      );
      let query = matching({ ...(given as Partial<Row>), ...where });
      if (page.createdFrom !== null) query = query.where('created_at', '>=', page.createdFrom);
      if (page.createdTo !== null) query = query.where('created_at', '<=', page.createdTo);
      if (page.cursor)
        query = query.where(sql<boolean>`(created_at, id) < (${page.cursor.createdAt}, ${page.cursor.id})`);
      const found = await query
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(page.limit + 1)
        .execute();
      const items = found.slice(0, page.limit).map(read);
      const last = items.at(-1);
      return { items, next: found.length > page.limit && last ? { createdAt: last.created_at, id: last.id } : null };
    },
    ...statementsOf(rows, read),
    async clear() {
      await db.deleteFrom(table).execute();
    },
  };
}

/** What can be selected of a table besides pages. */
function statementsOf<Row extends ReadModelRow>(
  rows: SelectQueryBuilder<ReadModelTables, string, object>,
  read: (stored: Record<string, unknown>) => Row,
): Pick<ReadModelTable<Row>, 'due' | 'earliest' | 'count' | 'select' | 'rows'> {
  const all = rows as unknown as RowAggregation<Row>;
  return {
    async *due(column: string, until, { pageSize = 500, of = 'id', narrow } = {}) {
      const due = ((narrow ? narrow(all) : all) as unknown as typeof rows)
        .select(['id', sql.ref<string>(column).as('at'), sql.ref<string>(of).as('value')])
        .where(column, '<=', until)
        .orderBy(column)
        .orderBy('id')
        .limit(pageSize);
      let page = await due.execute();
      for (let last = page.at(-1); last; last = page.at(-1)) {
        yield page.map(({ value }) => value);
        page = await due.where(sql<boolean>`(${sql.ref(column)}, id) > (${last.at}, ${last.id})`).execute();
      }
    },
    async earliest(column) {
      const first = rows.select(sql<Timestamp | null>`min(${sql.ref(column)})`.as('at'));
      return (await first.executeTakeFirst())?.at ?? null;
    },
    async count(narrow = (all) => all) {
      const counted = narrow(all).select(({ fn }) => fn.countAll().as('count'));
      return Number((await counted.executeTakeFirst())?.count ?? 0);
    },
    async select(narrow) {
      return (await narrow(rows.selectAll() as unknown as RowQuery<Row>).execute()).map((row) =>
        read(row as Record<string, unknown>),
      );
    },
    rows: all,
  };
}

const byId = (a: ReadModelRow, b: ReadModelRow): number => (a.id < b.id ? -1 : Number(a.id > b.id));
