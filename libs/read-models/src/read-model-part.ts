import type { Decider, DomainEvent, EventStore, Recorded } from '@ponte/event-sourcing';
import { StreamFolds } from '@ponte/event-sourcing';
import type { Kysely } from 'kysely';
import type { ReadModelRow } from './columns';
import type { ReadModelTable, ReadModelTableOptions } from './read-model-table';
import { createReadModelTable } from './read-model-table';

/** The state of a stream at a revision. */
export interface Shown<S> {
  readonly id: string;
  readonly state: S;
  readonly revision: number;
}

/** Folds a slice of the log, then writes the changed rows over a connection. */
export interface PartFilling {
  /** Reads no read model. Called for each slice of the log, in order. */
  fold(events: readonly Recorded[]): Promise<(through: Kysely<unknown>) => Promise<void>>;
  /** Called when a rebuild has read the log to its end. */
  complete?(): Promise<void>;
}

/** Tables that are computed only from the log, by one projector or by a rebuild. */
export interface ReadModelPart {
  /** Table names in the database. */
  readonly tables: readonly string[];
  readonly version: number;
  /** Set if applying an event twice would count it twice. Its reader then applies each event exactly once. */
  readonly countsEvents?: true;
  /** The stream categories that the tables are computed from. */
  readonly categories: readonly string[];
  /** Creates the tables where they do not exist. */
  prepare(db: Kysely<unknown>): Promise<void>;
  /** Starts at any position of the log. `capacity` is the number of streams kept in memory. */
  open(db: Kysely<unknown>, store: Pick<EventStore, 'read'>, capacity?: number): PartFilling;
}

/** Tables that one projector keeps up to date, in one transaction per slice of the log. */
export interface ReadModelReader {
  /** Name of the projector, as operators use it. */
  readonly name: string;
  readonly parts: readonly ReadModelPart[];
}

/** A read model, or other tables that one of the readers computes from the log. */
export interface ReaderPart {
  readonly reader: string;
  readonly part: ReadModelPart;
}

/** One reader per name, in the order of their first parts. */
export function readersOf(defined: readonly ReaderPart[]): ReadModelReader[] {
  const tables = defined.flatMap(({ part }) => part.tables);
  const shared = tables.find((table, at) => tables.indexOf(table) !== at);
  if (shared !== undefined) throw new Error(`two read models have the table ${shared}`);
  const names = [...new Set(defined.map(({ reader }) => reader))];
  return names.map((name) => ({
    name,
    parts: defined.filter(({ reader }) => reader === name).map(({ part }) => part),
  }));
}

/** Computes rows from the states of the streams of one category. */
export interface RowSource<Row extends ReadModelRow> {
  readonly category: string;
  open(store: Pick<EventStore, 'read'>, capacity?: number): (events: readonly Recorded[]) => Promise<readonly Row[]>;
}

type Folded<S, E extends DomainEvent> = Pick<Decider<never, S, E>, 'category' | 'initial' | 'events' | 'evolve'>;

/**
 * `rowsOf` returns the rows of a stream: one row, several with different ids, or undefined if there are no rows yet.
 */
export const rowsFrom = <S, E extends DomainEvent, Row extends ReadModelRow>(
  of: Folded<S, E>,
  rowsOf: (shown: Shown<S>) => Row | readonly Row[] | undefined,
): RowSource<Row> => ({
  category: of.category,
  open(store, capacity) {
    const folds = new StreamFolds(of, store, capacity);
    return async (events) => [...(await folds.add(events))].flatMap(([id, at]) => rowsOf({ id, ...at }) ?? []);
  },
});

export interface ListOptions<Row extends ReadModelRow> extends Omit<ReadModelTableOptions<Row>, 'db'> {
  /** A later version has its own table beside that of the earlier one. Default: 1. */
  readonly version?: number;
  /** Written in this order. If two sources have a row with the same id, the one with the higher revision is kept. */
  readonly sources: readonly RowSource<Row>[];
}

/** The versioned name of a table or reader. Version 1 has the plain name. */
export const versioned = (name: string, version: number): string => (version === 1 ? name : `${name}_v${version}`);

/** One table of rows, each kept at its highest revision. */
export function listPart<Row extends ReadModelRow>(
  options: ListOptions<Row>,
): {
  readonly part: ReadModelPart;
  tableIn(db: Kysely<unknown>): ReadModelTable<Row>;
} {
  const { version = 1, sources, columns, indices } = options;
  if (!Number.isSafeInteger(version) || version < 1)
    throw new TypeError(`${options.table}: version must be a whole number of 1 or more`);
  const table = versioned(options.table, version);
  const tableIn = (db: Kysely<unknown>): ReadModelTable<Row> =>
    createReadModelTable<Row>({ db, table, columns, indices });
  const part: ReadModelPart = {
    tables: [table],
    version,
    // The category that the table is mainly about is the last source and the first category.
    categories: sources.map(({ category }) => category).toReversed(),
    prepare: (db) => tableIn(db).prepare(),
    open(db, store, capacity) {
      const rows = tableIn(db);
      const opened = sources.map((source) => source.open(store, capacity));
      return {
        async fold(events) {
          const changed: (readonly Row[])[] = [];
          for (const rowsOf of opened) changed.push(await rowsOf(events));
          return async (through) => {
            for (const some of changed) await rows.putAll(some, through);
          };
        },
      };
    },
  };
  return { part, tableIn };
}
