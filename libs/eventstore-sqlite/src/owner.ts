import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { SqliteDatabase } from './database';
import { BUSY_MS, openDatabase, sqliteCode } from './database';
import { reportingDamage } from './log/log-damage';

/** The log is already open, in another process or in this one. A log has one owner. */
export class EventStoreLocked extends Error {
  override readonly name = 'EventStoreLocked';
  constructor(
    readonly file: string,
    readonly pid: number | undefined,
  ) {
    super(
      `${file} is in use by ${pid === undefined ? 'another process' : `process ${pid}`}; stop it or use another ` +
        'data folder',
    );
  }
}

/**
 * Opens a file as its only owner. The kernel releases the lock when the process ends in any way, so a lock is never
 * stale. The file beside the database only records the owner's process id.
 */
export function openAsOwner(file: string, schema: string, durability: 'full' | 'off'): SqliteDatabase {
  const db = unlessOwned(file, () => openDatabase(file, schema, { durability, exclusive: true }));
  writeFileSync(lockFile(file), `${process.pid}\n`);
  return db;
}

/**
 * Releases the file. The driver keeps a connection, and its lock, open while any of its statements exists, so the lock
 * is released first. SQLite does that only outside of WAL mode.
 */
export function releaseOwnership(file: string, db: SqliteDatabase): void {
  rmSync(lockFile(file), { force: true });
  release(db);
}

/** A file with one owner that has several connections to it. */
export interface OwnedFile {
  readonly db: SqliteDatabase;
  /** Call this when all other connections are closed. */
  release(): void;
}

/**
 * Like {@link openAsOwner}, but the owner may open the file again, for a thread. The lock is then on a second file
 * beside it, and this one has SQLite's usual locks. Opening a file in both ways is still refused, in either order.
 */
export function openSharedAsOwner(file: string, schema: string, durability: 'full' | 'off'): OwnedFile {
  const gate = unlessOwned(file, () => openDatabase(`${file}.owner`, '', { durability: 'off', exclusive: true }));
  try {
    const db = unlessOwned(file, () => openDatabase(file, schema, { durability, busyMs: 0 }));
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    writeFileSync(lockFile(file), `${process.pid}\n`);
    return {
      db,
      release() {
        try {
          releaseOwnership(file, db);
        } finally {
          release(gate);
        }
      },
    };
  } catch (error) {
    release(gate);
    throw error;
  }
}

/**
 * Locks a folder for programs that keep no log in it, with the same lock on a separate file. Throws {@link
 * EventStoreLocked}.
 */
export function holdFolder(file: string): { release(): void } {
  const db = openAsOwner(file, '', 'off');
  return { release: () => releaseOwnership(file, db) };
}

function unlessOwned(file: string, open: () => SqliteDatabase): SqliteDatabase {
  try {
    return reportingDamage(file, open);
  } catch (error) {
    if (sqliteCode(error).startsWith('SQLITE_BUSY') || /database is locked/.test(String(error)))
      throw new EventStoreLocked(file, ownerOf(file));
    throw error;
  }
}

function release(db: SqliteDatabase): void {
  try {
    // No other connection is left, so the rest of the write-ahead log is moved into the file.
    for (const step of ['query_only = OFF', 'journal_mode = DELETE', 'locking_mode = NORMAL'])
      db.prepare(`PRAGMA ${step}`).all();
    db.prepare('SELECT count(*) FROM sqlite_schema').all();
  } finally {
    db.close();
  }
}

const lockFile = (file: string): string => `${file}.lock`;

function ownerOf(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(lockFile(file), 'utf8'));
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
