import Database from 'libsql';

export type SqliteDatabase = InstanceType<typeof Database>;

export interface SqliteOptions {
  /**
   * `full`: a commit waits for the disk, nothing acknowledged is lost when the power goes. `normal`: the last moments
   * may be lost then, never the file's consistency. `off`: nothing waits for the disk; for tests.
   */
  readonly durability: 'full' | 'normal' | 'off';
  /** Keeps every other connection, of this process or another, out of the file for as long as it is open. */
  readonly exclusive?: boolean;
  /** How long a statement waits for others to let go of the file; by default {@link BUSY_MS}, and not at all for the only connection. */
  readonly busyMs?: number;
}

const SYNCHRONOUS = { full: 'FULL', normal: 'NORMAL', off: 'OFF' } as const;
/** Pages in the write-ahead log before it is folded into the file: fewer makes long pauses frequent, more a slow start. */
const CHECKPOINT_PAGES = 16_000;
/**
 * Pages of a file that stay in memory at the most. SQLite's own 2 MiB do not hold the indices of a day's work, whose keys are random: then
 * each look for a stream, and each row, reads pages from the file again, and an order's statements cost twice as much CPU.
 */
const CACHE_KIB = 32 * 1024;
/** How long a statement waits for another process, such as a backup, to let go of the file. */
export const BUSY_MS = 2_000;

/** Opens a file in WAL mode and makes the tables of `schema` where they are absent. */
export function openDatabase(file: string, schema: string, options: SqliteOptions): SqliteDatabase {
  const db = new Database(file, { timeout: options.busyMs ?? (options.exclusive ? 0 : BUSY_MS) });
  try {
    if (options.exclusive) db.exec('PRAGMA locking_mode = EXCLUSIVE');
    db.exec('PRAGMA journal_mode = WAL');
    for (const pragma of connectionPragmas(options.durability)) db.exec(pragma);
    db.exec(schema);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** What each connection to a file is told anew. */
export const connectionPragmas = (durability: SqliteOptions['durability']): readonly string[] => [
  `PRAGMA synchronous = ${SYNCHRONOUS[durability]}`, `PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`, `PRAGMA cache_size = -${CACHE_KIB}`,
];

/** Lets a connection make its file grow to so many bytes and no further. */
export function sizeLimit(db: SqliteDatabase, maxBytes: number): string {
  const { page_size: pageSize } = db.prepare('PRAGMA page_size').get() as { page_size: number };
  return `PRAGMA max_page_count = ${Math.max(1, Math.floor(maxBytes / pageSize))}`;
}

/** SQLite's own name of what went wrong, such as `SQLITE_BUSY`; empty when the error is not SQLite's. */
export function sqliteCode(error: unknown): string {
  const code: unknown = error instanceof Error ? (error as Error & { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}
