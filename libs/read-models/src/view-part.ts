import type { Decider, DomainEvent, EventStore, Recorded } from '@ponte/event-sourcing';
import { StreamFolds } from '@ponte/event-sourcing';
import type { Kysely } from 'kysely';
import type { ViewRow } from './columns';
import type { ViewTable, ViewTableOptions } from './view-table';
import { createViewTable } from './view-table';

/** A stream as it is at a revision. */
export interface Shown<S> {
  readonly id: string;
  readonly state: S;
  readonly revision: number;
}

/** Takes in a run of the log, then writes the rows that it changed over a connection. */
export interface PartFilling {
  /** Reads no view. Comes for each run of the log, in order. */
  fold(events: readonly Recorded[]): Promise<(through: Kysely<unknown>) => Promise<void>>;
  /** Called when a rebuild has read the log to its end. */
  complete?(): Promise<void>;
}

/** Tables that are computed from the log alone, by one projector or by a rebuild. */
export interface ViewPart {
  /** Their names in the database. */
  readonly tables: readonly string[];
  readonly version: number;
  /** An event that came twice would be counted twice, so its reader hands over each once. */
  readonly countsEvents?: true;
  /** The categories of streams that they are computed from. */
  readonly categories: readonly string[];
  /** Creates the tables where they are absent. */
  prepare(db: Kysely<unknown>): Promise<void>;
  /** Starts from any place of the log. `capacity`: how many streams are kept in memory. */
  open(db: Kysely<unknown>, store: Pick<EventStore, 'read'>, capacity?: number): PartFilling;
}

/** The rows of the states of one kind of stream; the decider names the events and their projection, `evolve`. */
export interface RowSource<Row extends ViewRow> {
  readonly category: string;
  open(store: Pick<EventStore, 'read'>, capacity?: number): (events: readonly Recorded[]) => Promise<readonly Row[]>;
}

type Folded<S, E extends DomainEvent> = Pick<Decider<never, S, E>, 'category' | 'initial' | 'events' | 'evolve'>;

/** `rowsOf` gives every row of a stream: one, several of different ids, or undefined while it has none. */
export const rowsFrom = <S, E extends DomainEvent, Row extends ViewRow>(
  of: Folded<S, E>,
  rowsOf: (shown: Shown<S>) => Row | readonly Row[] | undefined,
): RowSource<Row> => ({
  category: of.category,
  open(store, capacity) {
    const folds = new StreamFolds(of, store, capacity);
    return async (events) => [...(await folds.add(events))].flatMap(([id, at]) => rowsOf({ id, ...at }) ?? []);
  },
});

export interface ListOptions<Row extends ViewRow> extends Omit<ViewTableOptions<Row>, 'db'> {
  /** A later version has tables of its own beside those of the earlier one. 1 when absent. */
  readonly version?: number;
  /** Written in this order. Where two have a row of the same id, the one of the higher revision stays. */
  readonly sources: readonly RowSource<Row>[];
}

/** The name of what belongs to a version: version 1 has the name itself. */
export const versioned = (name: string, version: number): string => (version === 1 ? name : `${name}_v${version}`);

/** One table of rows, each kept at its highest revision. */
export function listPart<Row extends ViewRow>(
  options: ListOptions<Row>,
): {
  readonly part: ViewPart;
  tableIn(db: Kysely<unknown>): ViewTable<Row>;
} {
  const { version = 1, sources, columns, indices } = options;
  if (!Number.isSafeInteger(version) || version < 1)
    throw new TypeError(`${options.table}: version must be a whole number of 1 or more`);
  const table = versioned(options.table, version);
  const tableIn = (db: Kysely<unknown>): ViewTable<Row> => createViewTable<Row>({ db, table, columns, indices });
  const part: ViewPart = {
    tables: [table],
    version,
    // The kind of stream that the table is about comes last among its sources, and first among its categories.
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
