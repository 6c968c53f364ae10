import Database from 'libsql';

export type SqliteDatabase = InstanceType<typeof Database>;

interface SqliteOptions {
  /**
   * `full`: a commit waits for the disk, so nothing acknowledged is lost in a power failure. `normal`: the latest
   * commits may be lost then, but the file stays consistent. `off`: nothing waits for the disk; for tests.
   */
  readonly durability: 'full' | 'normal' | 'off';
  /** Keeps every other connection, of this process or another, from using the file while it is open. */
  readonly exclusive?: boolean;
  /**
   * How long a statement waits while others lock the file, in milliseconds. Default: {@link BUSY_MS}, or 0 for an
   * exclusive connection.
   */
  readonly busyMs?: number;
  /**
   * Whether this connection checkpoints, that is, moves pages from the write-ahead log into the file. Only the writing
   * connection of a file may. Default: it does. See {@link assertOneCheckpointer}.
   */
  readonly checkpoints?: CheckpointRole;
}

export type CheckpointRole = 'checkpoints' | 'never';

const SYNCHRONOUS = { full: 'FULL', normal: 'NORMAL', off: 'OFF' } as const;
/**
 * Number of pages in the write-ahead log before a checkpoint. A lower number causes more frequent long pauses, a higher
 * one a slower start.
 */
const CHECKPOINT_PAGES = 16_000;
/**
 * Size of the page cache. SQLite's default of 2 MiB does not hold the indices of a day's work, whose keys are random.
 * Looking up a stream or a row would then read pages from the file again, and the statements of an order would cost
 * twice as much CPU time.
 */
const CACHE_KIB = 32 * 1024;
/** How long a statement waits while another process, such as a backup, locks the file, in milliseconds. */
export const BUSY_MS = 2_000;

/** Opens a file in WAL mode and creates the tables of `schema` where they do not exist. */
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

/** The pragmas that must be set on each connection. */
export const connectionPragmas = (
  durability: SqliteOptions['durability'],
  role: CheckpointRole = 'checkpoints',
): readonly string[] => [
  `PRAGMA synchronous = ${SYNCHRONOUS[durability]}`,
  `PRAGMA wal_autocheckpoint = ${role === 'never' ? 0 : CHECKPOINT_PAGES}`,
  `PRAGMA cache_size = -${CACHE_KIB}`,
];

/** The first SQLite release without the bug; see {@link assertOneCheckpointer}. */
const FIRST_SOUND = [3, 51, 3] as const;

/**
 * SQLite up to 3.51.2 (the driver includes 3.45.1) can lose pages when one connection checkpoints while another commits
 * and resets the write-ahead log (sqlite.org/wal.html, "The WAL-Reset Bug"). It cannot happen if one connection does
 * all the writing and checkpointing. Throws if `other`, a connection besides the writer, could do either. Does nothing
 * for later SQLite releases.
 */
export function assertOneCheckpointer(file: string, other: SqliteDatabase): void {
  const { version } = other.prepare('SELECT sqlite_version() AS version').get() as { version: string };
  if (isSound(version)) return;
  const { wal_autocheckpoint: pages } = other.prepare('PRAGMA wal_autocheckpoint').get() as {
    wal_autocheckpoint: number;
  };
  const { query_only: readsOnly } = other.prepare('PRAGMA query_only').get() as { query_only: number };
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

/** A pragma that limits the size of the connection's file to this many bytes. */
export function sizeLimit(db: SqliteDatabase, maxBytes: number): string {
  const { page_size: pageSize } = db.prepare('PRAGMA page_size').get() as { page_size: number };
  return `PRAGMA max_page_count = ${Math.max(1, Math.floor(maxBytes / pageSize))}`;
}

/** SQLite's error code, such as `SQLITE_BUSY`; empty if the error is not from SQLite. */
export function sqliteCode(error: unknown): string {
  const code: unknown = error instanceof Error ? (error as Error & { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}
