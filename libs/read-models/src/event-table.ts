import type { Decider, DomainEvent, EventStore, Recorded } from '@ponte/event-sourcing';
import { categoryOf, upcaster } from '@ponte/event-sourcing';
import type { ExpressionBuilder, ExpressionWrapper, Kysely, SelectQueryBuilder, SqlBool } from 'kysely';
import { sql } from 'kysely';
import type { Column, ReadModelTables, RowAggregation, RowQuery } from './columns';
import { assertName, createTable } from './columns';
import { fromStored, rowRemover, rowWriter, storedValues } from './row-writer';
import type { ReadModelPart } from './read-model-part';
import { versioned } from './read-model-part';

/** The column type for a field. A `bigint` is stored as a sum. */
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

/** The changes for one event, applied in this order. */
export interface Change<Row> {
  /** Removes the row with this value of the first key column. */
  readonly remove?: string;
  /** Removes the rows that match. */
  readonly removeWhere?: Condition<Row>;
  /** Inserts rows, or replaces those with the same key. Sums are added to the stored values. */
  readonly put?: Row | readonly Row[];
}

/** Converts the events of one category to changes. */
interface ChangeSource<Row> {
  readonly category: string;
  changesOf(event: Recorded): Change<Row> | undefined;
}

/** `changes` must be pure. The decider supplies the event types and the current version of their data. */
export function changesFrom<S, E extends DomainEvent, Row>(
  of: Pick<Decider<never, S, E>, 'category' | 'events' | 'evolve'>,
  changes: (event: Recorded<E>) => Change<Row> | undefined,
): ChangeSource<Row> {
  const current = upcaster(of.events);
  return { category: of.category, changesOf: (event) => changes(current<E>(event)) };
}

export interface EventTableOptions<Row> {
  readonly table: string;
  /** A later version has its own table beside that of the earlier one. Default: 1. */
  readonly version?: number;
  readonly columns: { readonly [Name in keyof Row & string]: ColumnOf<Row[Name]> };
  readonly key: readonly (keyof Row & string)[];
  /** Combinations of columns by which rows are looked up. */
  readonly indices?: readonly (readonly (keyof Row & string)[])[];
  readonly from: readonly ChangeSource<Row>[];
  /** Rows written at the end of a rebuild, to record that the table is complete. */
  readonly complete?: readonly Row[];
}

export interface EventTable<Row> {
  /** Creates the table and its indices where they do not exist. Call it once, before the other methods. */
  prepare(): Promise<void>;
  /** Applies changes in the given order. */
  write(changes: readonly Change<Row>[], through?: Kysely<unknown>): Promise<void>;
  /** The result of a query that groups rows, for example for an exact sum. */
  aggregate<Result>(
    query: (rows: RowAggregation<Row>) => SelectQueryBuilder<Record<string, Row>, string, Result>,
  ): Promise<Result[]>;
  select(narrow: (rows: RowQuery<Row>) => RowQuery<Row>): Promise<Row[]>;
}

/**
 * A table to which each event is applied exactly once, in log order. So rows can be removed and sums kept without any
 * data but the current event.
 */
export function eventTablePart<Row extends object>(
  options: EventTableOptions<Row>,
): { readonly part: ReadModelPart; tableIn(db: Kysely<unknown>): EventTable<Row> } {
  const { version = 1, from, complete = [] } = options;
  const table = versioned(options.table, version);
  const tableIn = (db: Kysely<unknown>): EventTable<Row> => createEventTable<Row>(db, { ...options, table });
  const sources = new Map(from.map((source) => [source.category, source]));
  const part: ReadModelPart = {
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
  readModels: Kysely<unknown>,
  { table, columns, key, indices = [] }: EventTableOptions<Row>,
): EventTable<Row> {
  const db = readModels as Kysely<ReadModelTables>;
  const kinds = columns as Readonly<Record<string, Column>>;
  const list = Object.entries(kinds);
  const names = list.map(([name]) => name);
  [table, ...names].forEach(assertName);
  const put = rowWriter(readModels, table, names, sql<boolean>`true`, key);
  const remove = rowRemover(readModels, table, key[0]);
  const sums = names.filter((name) => kinds[name] === 'sum') as (keyof Row & string)[];
  const keyOf = (row: Row): string => JSON.stringify(key.map((name) => row[name]));
  const read = (stored: Record<string, unknown>): Row => fromStored(stored, list) as Row;

  /** Adds the sums of the stored rows to these rows, which come with their keys. */
  const addedUp = async (rows: readonly (readonly [string, Row])[], through: Kysely<unknown>): Promise<Row[]> => {
    if (sums.length === 0 || rows.length === 0) return rows.map(([, row]) => row);
    const first = key[0] as string;
    const found = await (through as Kysely<ReadModelTables>)
      .selectFrom(table)
      .selectAll()
      .where(first, 'in', filledUp([...new Set(rows.map(([, row]) => row[first as keyof Row] as string))]))
      .execute();
    const known = new Map(found.map(read).map((row) => [keyOf(row), row]));
    return rows.map(([id, row]) => sumOf(known.get(id), row, sums));
  };

  return {
    prepare: () => createTable(readModels, { table, columns: kinds, key, indices }),
    async write(changes, through = readModels) {
      let latest = new Map<string, Row>();
      let gone = new Set<string>();
      const flush = async (): Promise<void> => {
        const [removed, rows] = [[...gone], [...latest].sort(([a], [b]) => (a < b ? -1 : 1))];
        [latest, gone] = [new Map(), new Set()];
        await remove(removed, through);
        await put(
          (await addedUp(rows, through)).map((row) => storedValues(row, list)),
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
        for (const row of [change.put ?? []].flat() as readonly Row[]) {
          const id = keyOf(row);
          latest.set(id, sumOf(latest.get(id), row, sums));
        }
      }
      await flush();
    },
    aggregate(query) {
      return query(db.selectFrom(table) as unknown as RowAggregation<Row>).execute();
    },
    async select(narrow) {
      const all = db.selectFrom(table).selectAll() as unknown as RowQuery<Row>;
      return (await narrow(all).execute()).map((row) => read(row as Record<string, unknown>));
    },
  };
}

/** `row` with the sums of `before` added to its own; its other columns are unchanged. */
function sumOf<Row extends object>(before: Row | undefined, row: Row, sums: readonly (keyof Row)[]): Row {
  if (!before) return row;
  const added = sums.map((name) => [name, (before[name] as bigint) + (row[name] as bigint)]);
  return { ...row, ...(Object.fromEntries(added) as Partial<Row>) };
}

/** Repeats the last key up to the next power of two, so that few different statements have to be prepared. */
const filledUp = (keys: readonly string[]): string[] =>
  Array.from(
    { length: 2 ** Math.ceil(Math.log2(keys.length)) },
    (_, at) => keys[Math.min(at, keys.length - 1)] as string,
  );
