import type { Kysely } from 'kysely';
import type { EventStore, LogSlice } from '@ponte/event-sourcing';

/** Fills a read model's tables once, from the beginning of the log. */
export interface Filling {
  /** Applies the events of its categories from a slice. Called once per event, in log order. */
  apply(slice: LogSlice): Promise<void>;
  /**
   * Called whenever the end of the log was reached: the tables must then include all events applied so far. Before that
   * they need not.
   */
  settle?(): Promise<void>;
}

/** Tables that are computed from the log, and the way to rebuild them from it. */
export interface RebuildableReadModel {
  /** Name of the read model, as operators use it. */
  readonly name: string;
  /** The name of the checkpoint of the projector that maintains the tables. */
  readonly reader: string;
  /** The stream categories that it is computed from. */
  readonly categories: readonly string[];
  /** All tables that `open` creates, and no table of another read model. */
  readonly tables: readonly string[];
  /** Creates the tables in this database where they do not exist. They start empty. */
  open(db: Kysely<unknown>, store: EventStore): Promise<Filling>;
  /** Called when the rebuilt tables are in use: adds the rows that are not computed from the log. May be repeated. */
  complement?(db: Kysely<unknown>, store: EventStore): Promise<void>;
}

/** What is rebuilt, as an operator's action names it: names of readers and of tables, separated by commas. */
interface RebuildNames {
  readonly readModels?: string;
  readonly tables?: string;
}

/**
 * The read models as this build has them. The names of readers contain the version, so a running process of a build
 * with other tables leaves the rebuild to one that has these.
 */
export const rebuildNamesOf = (
  readModels: readonly RebuildableReadModel[],
): { readModels: string; tables: string } => ({
  readModels: readModels.map(({ reader }) => reader).join(','),
  tables: readModels.flatMap(({ tables }) => tables).join(','),
});

/** The read models that are named; undefined if this build does not have exactly these. */
export function rebuildNamed(
  { readModels = '', tables }: RebuildNames,
  known: readonly RebuildableReadModel[],
): readonly RebuildableReadModel[] | undefined {
  const found = readModels.split(',').flatMap((name) => known.filter(({ reader }) => reader === name));
  const own = rebuildNamesOf(found);
  return own.readModels === readModels && own.tables === tables ? found : undefined;
}
