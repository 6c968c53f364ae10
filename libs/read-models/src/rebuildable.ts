import type { Kysely } from 'kysely';
import type { EventStore, LogSlice } from '@ponte/event-sourcing';

/** One filling of a view's tables, from the beginning of the log on. */
export interface Filling {
  /** Takes in what a run of the log has of its categories. Comes once for each event, in log order. */
  apply(slice: LogSlice): Promise<void>;
  /**
   * Called whenever the log was read to its end: then the tables must show all that was taken in. Until then they need
   * not.
   */
  settle?(): Promise<void>;
}

/** Tables that hold nothing but what the log says, and how they are filled from it again. */
export interface RebuildableView {
  /** What operators call it. */
  readonly name: string;
  /** The name of the checkpoint of the projector that maintains the tables. */
  readonly reader: string;
  /** The categories of streams that it is made of. */
  readonly categories: readonly string[];
  /** Everything that `open` makes, and nothing that another view does. */
  readonly tables: readonly string[];
  /** Creates the tables in this database where they are absent. They start empty. */
  open(db: Kysely<unknown>, store: EventStore): Promise<Filling>;
}
