import type { Kysely, Transaction } from 'kysely';
import type { ReadModelTables } from './columns';

/** A database beside the one in use. Tables are rebuilt in it and then replace those in use. */
interface ShadowReadModels {
  /** Empty at first. */
  readonly db: Kysely<unknown>;
  /** Called after the tables are created and before they are filled. */
  opened?(): Promise<void>;
  /**
   * Runs `finish` while nothing can read or write the tables in use, then replaces them by the rebuilt ones and runs
   * `also`, all in one transaction: readers see either the old tables or the new ones. If it throws, nothing has
   * changed.
   */
  replace(
    tables: readonly string[],
    finish: () => Promise<void>,
    also: (trx: Transaction<ReadModelTables>) => Promise<void>,
  ): Promise<void>;
  /** Removes what is left of it. */
  close(): Promise<void>;
}

/** Opens a shadow database and removes what an earlier rebuild left in it. */
export type OpenShadowReadModels = () => Promise<ShadowReadModels>;
