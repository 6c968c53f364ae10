import type { Snapshots } from '@ponte/event-sourcing';
import { loadSnapshot, saveSnapshot } from '@ponte/read-models';
import { openDatabase } from './database';
import { kyselyOver } from './prepared';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS snapshots (
    stream TEXT PRIMARY KEY, revision INTEGER NOT NULL, shape INTEGER NOT NULL, body TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS snapshot_parts (
    stream TEXT NOT NULL, digest TEXT NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (stream, digest)
  ) STRICT;
`;

/** A snapshot is read once after a start, so a large page cache would be useless. */
const CACHE_KIB = 1_024;

interface SqliteSnapshots extends Snapshots {
  close(): Promise<void>;
}

/** Opens snapshots in a separate file, which may be deleted while no process has it open. */
export function openSqliteSnapshots(file: string, durability: 'normal' | 'off' = 'normal'): SqliteSnapshots {
  const database = openDatabase(file, SCHEMA, { durability });
  database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
  const db = kyselyOver(database);
  return {
    load: (stream) => loadSnapshot(db, stream),
    save: (snapshot) => db.transaction().execute((trx) => saveSnapshot(trx, snapshot)),
    async close() {
      database.close();
    },
  };
}
