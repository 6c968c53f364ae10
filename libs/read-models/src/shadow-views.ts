import type { Kysely, Transaction } from 'kysely';
import type { Views } from './columns';

/**
 * A database beside the one that is read, in which tables are rebuilt and from which they are put in the others' place.
 */
export interface ShadowViews {
  /** Empty at first. */
  readonly db: Kysely<unknown>;
  /** Called when the tables are made, before they are filled. */
  opened?(): Promise<void>;
  /**
   * Runs `finish` while nothing can read or write the tables in place, then replaces them by the rebuilt ones and runs
   * `also`, all in one transaction: readers see either the old tables or the new ones. When it throws, nothing has
   * changed.
   */
  replace(
    tables: readonly string[],
    finish: () => Promise<void>,
    also: (trx: Transaction<Views>) => Promise<void>,
  ): Promise<void>;
  /** Removes what is left. */
  close(): Promise<void>;
}

/** Opens such a database; whatever an earlier rebuild left there is removed first. */
export type OpenShadowViews = () => Promise<ShadowViews>;
