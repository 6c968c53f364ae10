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
  /**
   * How long a statement waits for others to let go of the file; by default {@link BUSY_MS}, and not at all for the
   * only connection.
   */
  readonly busyMs?: number;
  /**
   * Whether this connection moves pages from the write-ahead log into the file: one connection of a file does, the one
   * that writes. It does unless said otherwise; see {@link assertOneCheckpointer}.
   */
  readonly checkpoints?: CheckpointRole;
}

export type CheckpointRole = 'checkpoints' | 'never';

const SYNCHRONOUS = { full: 'FULL', normal: 'NORMAL', off: 'OFF' } as const;
/**
 * Pages in the write-ahead log before it is folded into the file: fewer makes long pauses frequent, more a slow start.
 */
const CHECKPOINT_PAGES = 16_000;
/**
 * Pages of a file that stay in memory at the most. SQLite's own 2 MiB do not hold the indices of a day's work, whose
 * keys are random: then each look for a stream, and each row, reads pages from the file again, and an order's
 * statements cost twice as much CPU.
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
    for (const pragma of connectionPragmas(options.durability, options.checkpoints)) db.exec(pragma);
    db.exec(schema);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The pragmas that each connection has to set again. */
export const connectionPragmas = (
  durability: SqliteOptions['durability'],
  role: CheckpointRole = 'checkpoints',
): readonly string[] => [
  `PRAGMA synchronous = ${SYNCHRONOUS[durability]}`,
  `PRAGMA wal_autocheckpoint = ${role === 'never' ? 0 : CHECKPOINT_PAGES}`,
  `PRAGMA cache_size = -${CACHE_KIB}`,
];

/** SQLite releases without the bug; see {@link assertOneCheckpointer}. */
const FIRST_SOUND = [3, 51, 3] as const;

/**
 * SQLite up to 3.51.2 (the driver brings 3.45.1) can lose pages when one connection checkpoints while another one
 * commits and resets the write-ahead log (sqlite.org/wal.html, "The WAL-Reset Bug"). It cannot happen where the only
 * connection that checkpoints is the only one that writes. This throws when a connection beside the writer could do
 * either. Affected or not, a release that is newer needs no such care.
 */
export function assertOneCheckpointer(file: string, beside: SqliteDatabase): void {
  const { version } = beside.prepare('SELECT sqlite_version() AS version').get() as { version: string };
  if (isSound(version)) return;
  const { wal_autocheckpoint: pages } = beside.prepare('PRAGMA wal_autocheckpoint').get() as {
    wal_autocheckpoint: number;
  };
  const { query_only: readsOnly } = beside.prepare('PRAGMA query_only').get() as { query_only: number };
  if (pages !== 0 || readsOnly !== 1)
    throw new Error(
      `${file}: SQLite ${version} allows only one connection to write and checkpoint, but another one could do so too`,
    );
}

function isSound(version: string): boolean {
  const parts = version.split('.').map(Number);
  const at = FIRST_SOUND.findIndex((least, place) => least !== (parts[place] ?? 0));
  return at < 0 || (parts[at] ?? 0) > (FIRST_SOUND[at] ?? 0);
}

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
