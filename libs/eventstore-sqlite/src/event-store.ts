import { assertOneCheckpointer, sizeLimit } from './database';
import { EVENT_SCHEMA } from './log/event-table';
import type { SqliteEventStore } from './log/checked-event-store';
import { SqliteLog } from './log/sqlite-log';
import type { LogReport } from './log/log-check';
import { checkWholeLog, verifyTail } from './log/log-check';
import { CHECKSUM_SCHEMA, HeadMark } from './log/log-checksum';
import { EventLogDamaged, keepWalOf, namingDamage } from './log/log-damage';
import { letGo } from './let-go';
import type { LogWriter } from './log/log-writer';
import { inlineWriter, PROBE_SCHEMA, threadedWriter } from './log/log-writer';
import type { OwnedFile } from './owner';
import { openAsOwner, openSharedAsOwner, releaseOwnership } from './owner';

export interface SqliteEventStoreOptions {
  readonly file: string;
  /** `full` unless said otherwise; `off` acknowledges before the disk has it, for tests and simulations. */
  readonly durability?: 'full' | 'off';
  /**
   * `thread`: the rows are written and the disk is waited for in a thread of their own, for a process that has other
   * things to do meanwhile. `inline`, unless said otherwise: within the process's only thread, for tools and tests,
   * which do not pay for starting one.
   */
  readonly writes?: 'thread' | 'inline';
  /** The log takes no more than this; without it the disk is the limit. */
  readonly maxBytes?: number;
}

/**
 * The log in one SQLite file, durable in groups: what arrives in one turn of the event loop is one transaction, and is
 * answered when that is on the disk. One process owns the file; a second gets `EventStoreLocked`.
 */
export function openSqliteEventStore(options: SqliteEventStoreOptions): SqliteEventStore {
  const { file, durability = 'full', maxBytes } = options;
  if (options.writes === 'thread') {
    const owned = openSharedAsOwner(file, SCHEMA, durability);
    return verified(file, owned, () => {
      // The thread's connection is the only one that writes and checkpoints from here on.
      for (const pragma of ['wal_autocheckpoint = 0', 'query_only = ON']) owned.db.exec(`PRAGMA ${pragma}`);
      assertOneCheckpointer(file, owned.db);
      return threadedWriter(file, durability, owned.db, maxBytes);
    });
  }
  const db = openAsOwner(file, SCHEMA, durability);
  return verified(file, { db, release: () => releaseOwnership(file, db) }, () => {
    if (maxBytes !== undefined) db.prepare(sizeLimit(db, maxBytes)).get();
    return inlineWriter(db);
  });
}

/** Throws {@link EventLogDamaged} when the log is not what was acknowledged, and lets go of the file then. */
function verified(file: string, owned: OwnedFile, writer: () => LogWriter): SqliteEventStore {
  const mark = new HeadMark(`${file}.head`);
  try {
    const running = namingDamage(file, () => verifyTail(file, owned.db, mark.read()));
    return new SqliteLog(owned, writer(), running, mark);
  } catch (error) {
    mark.close();
    if (error instanceof EventLogDamaged) keepWalOf(file);
    letGo(owned);
    throw error;
  }
}

/**
 * Reads a whole log that cannot be opened as a store, or need not be. The caller must be the only one who has it open.
 */
export async function checkSqliteLog(file: string): Promise<LogReport> {
  const db = openAsOwner(file, SCHEMA, 'full');
  try {
    return await checkWholeLog(db, new HeadMark(`${file}.head`).read(), true);
  } finally {
    letGo({ db, release: () => releaseOwnership(file, db) });
  }
}

const SCHEMA = `${EVENT_SCHEMA}${CHECKSUM_SCHEMA}${PROBE_SCHEMA}`;
