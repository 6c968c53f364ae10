import type { EventStore } from '@ponte/event-sourcing';
import type { LogReport } from './log-check';

/** The embedded event store, and what only it can do. */
export interface SqliteEventStore extends EventStore {
  /**
   * Rejects with `EventStoreUnavailable`, whose message says why, when an append would fail: a full disk, a
   * damaged file.
   */
  writable(): Promise<void>;
  /**
   * Reads the whole log, while the process goes on; with `alone` SQLite checks its pages too, and nothing else goes on
   * meanwhile.
   */
  check(alone?: boolean): Promise<LogReport>;
}
