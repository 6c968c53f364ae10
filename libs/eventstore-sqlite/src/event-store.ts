import { assertOneCheckpointer, sizeLimit } from './database';
import { EVENT_SCHEMA } from './log/event-table';
import type { SqliteEventStore } from './log/checked-event-store';
import { SqliteLog } from './log/sqlite-log';
import type { LogReport } from './log/log-check';
import { checkWholeLog, verifyTail } from './log/log-check';
import { CHECKSUM_SCHEMA, HeadMark, inlineWriter, PROBE_SCHEMA, threadedWriter } from './log/log-writer';
import { EventLogDamaged, keepWalOf, reportingDamage } from './log/log-damage';
import { releaseQuietly, releasedOnFullDisk } from './release-quietly';
import type { LogWriter } from './log/log-writer';
import type { OwnedFile } from './owner';
import { openAsOwner, openSharedAsOwner, releaseOwnership } from './owner';

interface SqliteEventStoreOptions {
  readonly file: string;
  /** Default: `full`. `off` acknowledges events before they are on the disk, for tests and simulations. */
  readonly durability?: 'full' | 'off';
  /**
   * `thread`: rows are written, and the disk is waited for, in a separate thread, for processes with other work to do.
   * `inline` (the default): in the main thread, for tools and tests, which need not start a thread.
   */
  readonly writes?: 'thread' | 'inline';
  /** The largest size of the log. Without it, only the disk limits the size. */
  readonly maxBytes?: number;
  /**
   * Called when the store was closed on a full disk, so that its write-ahead log could not be moved into the file.
   * Nothing is lost: the next open reads it.
   */
  readonly uncheckpointed?: (error: unknown) => void;
}

/**
 * Opens the log in one SQLite file, with group commits: appends that arrive in one turn of the event loop form one
 * transaction and are answered when it is on the disk. One process owns the file; a second one gets `EventStoreLocked`.
 */
export function openSqliteEventStore(options: SqliteEventStoreOptions): SqliteEventStore {
  const { file, durability = 'full', maxBytes, uncheckpointed } = options;
  if (options.writes === 'thread') {
    const owned = releasedOnFullDisk(openSharedAsOwner(file, SCHEMA, durability), uncheckpointed);
    return verified(file, owned, () => {
      // From here on, only the thread's connection writes and checkpoints.
      for (const pragma of ['wal_autocheckpoint = 0', 'query_only = ON']) owned.db.exec(`PRAGMA ${pragma}`);
      assertOneCheckpointer(file, owned.db);
      return threadedWriter(file, durability, owned.db, maxBytes);
    });
  }
  const db = openAsOwner(file, SCHEMA, durability);
  const owned = releasedOnFullDisk({ db, release: () => releaseOwnership(file, db) }, uncheckpointed);
  return verified(file, owned, () => {
    if (maxBytes !== undefined) db.prepare(sizeLimit(db, maxBytes)).get();
    return inlineWriter(db);
  });
}

/** Throws {@link EventLogDamaged} and releases the file if the log differs from what was acknowledged. */
function verified(file: string, owned: OwnedFile, writer: () => LogWriter): SqliteEventStore {
  const mark = new HeadMark(`${file}.head`);
  try {
    const running = reportingDamage(file, () => verifyTail(file, owned.db, mark.read()));
    return new SqliteLog(owned, writer(), running, mark);
  } catch (error) {
    mark.close();
    if (error instanceof EventLogDamaged) keepWalOf(file);
    releaseQuietly(owned);
    throw error;
  }
}

/** Checks a whole log that is not open as a store. The caller must be the only one that has it open. */
export async function checkSqliteLog(file: string): Promise<LogReport> {
  const db = openAsOwner(file, SCHEMA, 'full');
  try {
    return await checkWholeLog(db, new HeadMark(`${file}.head`).read(), true);
  } finally {
    releaseQuietly({ db, release: () => releaseOwnership(file, db) });
  }
}

const SCHEMA = `${EVENT_SCHEMA}${CHECKSUM_SCHEMA}${PROBE_SCHEMA}`;
