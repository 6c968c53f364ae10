import type { Snapshot, Snapshots } from '@ponte/event-sourcing';
import { openDatabase } from './database';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS snapshots (stream TEXT PRIMARY KEY, revision INTEGER NOT NULL, shape INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS snapshot_parts (stream TEXT NOT NULL, digest TEXT NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (stream, digest)) STRICT;
`;

/** A snapshot is read once after a start, so its pages are not worth keeping in memory. */
const CACHE_KIB = 1_024;

export interface SqliteSnapshots extends Snapshots {
  close(): Promise<void>;
}

interface Row {
  readonly revision: number;
  readonly shape: number;
  readonly body: string;
}
/** The driver's lists give bytes as a bare `ArrayBuffer`. */
interface PartRow {
  readonly digest: string;
  readonly bytes: ArrayBuffer;
}

/** Snapshots in a file of their own, which may be deleted whenever no process has it open. */
export function openSqliteSnapshots(file: string, durability: 'normal' | 'off' = 'normal'): SqliteSnapshots {
  const db = openDatabase(file, SCHEMA, { durability });
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
  const find = db.prepare('SELECT revision, shape, body FROM snapshots WHERE stream = ?');
  const partsOf = db.prepare('SELECT digest, bytes FROM snapshot_parts WHERE stream = ?');
  const digestsOf = db.prepare('SELECT digest FROM snapshot_parts WHERE stream = ?');
  const put = db.prepare(`
    INSERT INTO snapshots (stream, revision, shape, body) VALUES (?, ?, ?, ?)
    ON CONFLICT (stream) DO UPDATE SET revision = excluded.revision, shape = excluded.shape, body = excluded.body
    WHERE excluded.revision > revision OR excluded.shape <> shape`);
  const addPart = db.prepare('INSERT INTO snapshot_parts (stream, digest, bytes) VALUES (?, ?, ?)');
  const dropPart = db.prepare('DELETE FROM snapshot_parts WHERE stream = ? AND digest = ?');
  const [begin, commit] = [db.prepare('BEGIN IMMEDIATE'), db.prepare('COMMIT')];

  const replace = ({ stream, revision, shape, body, parts }: Snapshot): void => {
    if (put.run(stream, revision, shape, body).changes === 0) return;
    const stored = new Set((digestsOf.all(stream) as PartRow[]).map(({ digest }) => digest));
    for (const [digest, bytes] of parts) {
      // A view, not a copy.
      if (!stored.delete(digest))
        addPart.run(stream, digest, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    }
    for (const digest of stored) dropPart.run(stream, digest);
  };

  return {
    async load(stream) {
      const row = find.get(stream) as Row | undefined;
      if (!row) return undefined;
      const parts = new Map(
        (partsOf.all(stream) as PartRow[]).map(({ digest, bytes }) => [digest, new Uint8Array(bytes)] as const),
      );
      return { stream, revision: row.revision, shape: row.shape, body: row.body, parts };
    },
    async save(snapshot) {
      begin.run();
      try {
        replace(snapshot);
        commit.run();
      } finally {
        if (db.inTransaction) db.exec('ROLLBACK');
      }
    },
    async clear() {
      db.exec('DELETE FROM snapshots; DELETE FROM snapshot_parts');
    },
    async close() {
      db.close();
    },
  };
}
