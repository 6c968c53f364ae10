import type { EventStore } from '@ponte/event-sourcing';
import type { LogReport } from './log-check';

/** The embedded event store with its additional functions. */
export interface SqliteEventStore extends EventStore {
  /**
   * Rejects with `EventStoreUnavailable` if an append would fail. The message states why: a full disk, a damaged file.
   */
  writable(): Promise<void>;
  /** Checks the whole log in the background. With `alone`, SQLite also checks its pages, which blocks the process. */
  check(alone?: boolean): Promise<LogReport>;
}
