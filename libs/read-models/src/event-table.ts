import type { Decider, DomainEvent, EventStore, Recorded } from '@ponte/event-sourcing';
import { categoryOf, upcaster } from '@ponte/event-sourcing';
import type { ExpressionBuilder, ExpressionWrapper, Kysely, SelectQueryBuilder, SqlBool } from 'kysely';
import { sql } from 'kysely';
import type { Column, Views } from './columns';
import { assertName, createTable, fromStored, storedValues } from './columns';
import { rowRemover, rowWriter } from './row-writer';
import type { ViewPart } from './view-part';
import { versioned } from './view-part';

/** The kind of the column that holds a member. A `bigint` is a sum. */
type ColumnOf<V> = [V] extends [bigint]
  ? 'sum'
  : [V] extends [number]
    ? 'integer'
    : [V] extends [string]
      ? 'text'
      : [V] extends [number | null]
        ? 'integer?'
        : 'text?';

type Condition<Row> = (
  row: ExpressionBuilder<Record<string, Row>, string>,
) => ExpressionWrapper<Record<string, Row>, string, SqlBool>;

/** What an event changes, in this order. */
export interface Change<Row> {
  /** Removes the row with this value of the first key column. */
  readonly remove?: string;
  /** Removes the rows for which this holds. */
  readonly removeWhere?: Condition<Row>;
  /** Inserts or replaces rows by their keys. The sums of a row are added to those that are there. */
  readonly put?: Row | readonly Row[];
}

/** What the events of one kind of stream change. */
export interface ChangeSource<Row> {
  readonly category: string;
  changesOf(event: Recorded): Change<Row> | undefined;
}

/** `changes` is pure. The decider says which events there are and in which version they are given. */
export function changesFrom<S, E extends DomainEvent, Row>(
  of: Pick<Decider<never, S, E>, 'category' | 'events' | 'evolve'>,
  changes: (event: Recorded<E>) => Change<Row> | undefined,
): ChangeSource<Row> {
  const current = upcaster(of.events);
  return { category: of.category, changesOf: (event) => changes(current<E>(event)) };
}

export interface EventTableOptions<Row> {
  /** The name of the table. */
  readonly table: string;
  /** A later version has a table of its own beside that of the earlier one. 1 when absent. */
  readonly version?: number;
  readonly columns: { readonly [Name in keyof Row & string]: ColumnOf<Row[Name]> };
  /** The columns that identify a row. */
  readonly key: readonly (keyof Row & string)[];
  /** Columns by which rows are looked for. */
  readonly indices?: readonly (readonly (keyof Row & string)[])[];
  readonly from: readonly ChangeSource<Row>[];
  /** Written at the end of a rebuild: rows which say that the table lacks nothing. */
  readonly complete?: readonly Row[];
}

/** Rows of one table. */
export interface EventTable<Row> {
  /** Makes the table and its indices where they are absent. Call once, before the rest. */
  prepare(): Promise<void>;
  /** Carries changes out, in their order. */
  write(changes: readonly Change<Row>[], through?: Kysely<unknown>): Promise<void>;
  /** The rows that a query selects. */
  select(narrow: (rows: RowQuery<Row>) => RowQuery<Row>): Promise<Row[]>;
}

export type RowQuery<Row> = SelectQueryBuilder<Record<string, Row>, string, Row>;

/**
 * A table that is changed by each event once, in the order of the log. So rows can be removed and sums can be kept,
 * which need no event but the one at hand.
 */
export function eventTablePart<Row extends object>(
  options: EventTableOptions<Row>,
): { readonly part: ViewPart; tableIn(db: Kysely<unknown>): EventTable<Row> } {
  const { version = 1, from, complete = [] } = options;
  const table = versioned(options.table, version);
  const tableIn = (db: Kysely<unknown>): EventTable<Row> => createEventTable<Row>(db, { ...options, table });
  const sources = new Map(from.map((source) => [source.category, source]));
  const part: ViewPart = {
    tables: [table],
    version,
    countsEvents: true,
    categories: [...sources.keys()],
    prepare: (db) => tableIn(db).prepare(),
    open(db: Kysely<unknown>, _store: Pick<EventStore, 'read'>) {
      const rows = tableIn(db);
      return {
        async fold(events) {
          const changes = events.flatMap((event) => sources.get(categoryOf(event.stream))?.changesOf(event) ?? []);
          return (through) => rows.write(changes, through);
        },
        complete: () => rows.write([{ put: complete }]),
      };
    },
  };
  return { part, tableIn };
}

function createEventTable<Row extends object>(
  views: Kysely<unknown>,
  { table, columns, key, indices = [] }: EventTableOptions<Row>,
): EventTable<Row> {
  const db = views as Kysely<Views>;
  const kinds = columns as Readonly<Record<string, Column>>;
  const names = Object.keys(kinds);
  [table, ...names].forEach(assertName);
  const put = rowWriter(views, table, names, sql<boolean>`true`, key);
  const remove = rowRemover(views, table, key[0]);
  const sums = names.filter((name) => kinds[name] === 'sum') as (keyof Row & string)[];
  const keyOf = (row: Row): string => JSON.stringify(key.map((name) => row[name]));
  const read = (stored: Record<string, unknown>): Row => fromStored(stored, kinds) as Row;

  /** The rows with their sums added to those that are there. */
  const addedUp = async (rows: readonly Row[], through: Kysely<unknown>): Promise<readonly Row[]> => {
    if (sums.length === 0 || rows.length === 0) return rows;
    const first = key[0] as string;
    const found = await (through as Kysely<Views>)
      .selectFrom(table)
      .selectAll()
      .where(first, 'in', filledUp([...new Set(rows.map((row) => row[first as keyof Row] as string))]))
      .execute();
    const known = new Map(found.map(read).map((row) => [keyOf(row), row]));
    return rows.map((row) => sumOf(known.get(keyOf(row)), row, sums));
  };

  return {
    prepare: () =>
      createTable(views, {
        table,
        columns: kinds,
        key,
        indices,
      }),
    async write(changes, through = views) {
      let latest = new Map<string, Row>();
      let gone = new Set<string>();
      const flush = async (): Promise<void> => {
        const [removed, rows] = [[...gone], [...latest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)];
        [latest, gone] = [new Map(), new Set()];
        await remove(removed, through);
        await put(
          (await addedUp(rows, through)).map((row) => storedValues(row, kinds)),
          through,
        );
      };
      for (const change of changes) {
        if (change.remove !== undefined) {
          if (key.length === 1) latest.delete(JSON.stringify([change.remove]));
          else await flush();
          gone.add(change.remove);
        }
        if (change.removeWhere) {
          await flush();
          const rows = through as unknown as Kysely<Record<string, Row>>;
          await rows
            .deleteFrom(table)
            .where(change.removeWhere as never)
            .execute();
        }
        for (const row of [change.put ?? []].flat() as readonly Row[])
          latest.set(keyOf(row), sumOf(latest.get(keyOf(row)), row, sums));
      }
      await flush();
    },
    async select(narrow) {
      const all = db.selectFrom(table).selectAll() as unknown as RowQuery<Row>;
      return (await narrow(all).execute()).map((row) => read(row as Record<string, unknown>));
    },
  };
}

/** `row` with what `before` has of the sums added; of the other columns it has its own. */
function sumOf<Row extends object>(before: Row | undefined, row: Row, sums: readonly (keyof Row)[]): Row {
  if (!before) return row;
  const added = sums.map((name) => [name, (before[name] as bigint) + (row[name] as bigint)]);
  return { ...row, ...(Object.fromEntries(added) as Partial<Row>) };
}

/** To the next power of two by naming the last again: else each number of keys is another statement to prepare. */
const filledUp = (keys: readonly string[]): string[] =>
  Array.from(
    { length: 2 ** Math.ceil(Math.log2(keys.length)) },
    (_, at) => keys[Math.min(at, keys.length - 1)] as string,
  );
