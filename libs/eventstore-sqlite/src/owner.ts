import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { SqliteDatabase } from './database';
import { BUSY_MS, openDatabase, sqliteCode } from './database';
import { namingDamage } from './log/log-damage';

/** Another process (or this one, a second time) has the log open. One log has one owner. */
export class EventStoreLocked extends Error {
  override readonly name = 'EventStoreLocked';
  constructor(
    readonly file: string,
    readonly pid: number | undefined,
  ) {
    super(
      `${file} is in use by ${pid === undefined ? 'another process' : `process ${pid}`}; stop it or use another data folder`,
    );
  }
}

/**
 * Opens a file as its only owner. The kernel keeps the lock and drops it with the process, however that ends, so no
 * lock is ever stale; the file beside the database only says who holds it.
 */
export function openAsOwner(file: string, schema: string, durability: 'full' | 'off'): SqliteDatabase {
  const db = unlessOwned(file, () => openDatabase(file, schema, { durability, exclusive: true }));
  writeFileSync(lockFile(file), `${process.pid}\n`);
  return db;
}

/**
 * The driver keeps a connection for as long as a statement of it lives, and with it the lock; so the lock is given back
 * first, which SQLite does only outside of WAL mode.
 */
export function releaseOwnership(file: string, db: SqliteDatabase): void {
  rmSync(lockFile(file), { force: true });
  release(db);
}

/** A file with one owner, who has several connections to it. */
export interface OwnedFile {
  readonly db: SqliteDatabase;
  /** Once all other connections are closed. */
  release(): void;
}

/**
 * As {@link openAsOwner}, where the owner opens the file once more, for a thread of its own: the lock is then that of a
 * file beside it, and this one has SQLite's usual locks. Opening the same file with {@link openAsOwner} is still
 * refused, and the reverse too.
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
 * Holds a folder for programs that keep no log in it: the same lock, on a file of its own. Throws
 * {@link EventStoreLocked}.
 */
export function holdFolder(file: string): { release(): void } {
  const db = openAsOwner(file, '', 'off');
  return { release: () => releaseOwnership(file, db) };
}

function unlessOwned(file: string, open: () => SqliteDatabase): SqliteDatabase {
  try {
    return namingDamage(file, open);
  } catch (error) {
    if (sqliteCode(error).startsWith('SQLITE_BUSY') || /database is locked/.test(String(error)))
      throw new EventStoreLocked(file, ownerOf(file));
    throw error;
  }
}

function release(db: SqliteDatabase): void {
  try {
    // Alone with the file by now: what is left of the write-ahead log goes into it.
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
