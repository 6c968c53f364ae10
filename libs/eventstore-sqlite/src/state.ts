import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { ReaderState } from '@ponte/read-models';
import { createReaderTables } from '@ponte/read-models';
import type { CheckpointRole } from './database';
import { openDatabase } from './database';
import { createLocalLease } from './local-lease';
import { kyselyOver } from './prepared';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS checkpoints (
    reader TEXT PRIMARY KEY, position TEXT NOT NULL, fence INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS leases (name TEXT PRIMARY KEY, fence INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS parked (
    place INTEGER PRIMARY KEY,
    consumer TEXT NOT NULL,
    stream TEXT NOT NULL,
    revision INTEGER NOT NULL,
    event TEXT NOT NULL,
    body TEXT NOT NULL,
    reason TEXT NOT NULL,
    parked_at TEXT NOT NULL,
    UNIQUE (consumer, event)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS parked_by_stream ON parked (consumer, stream, revision);
  CREATE TABLE IF NOT EXISTS discarded (
    consumer TEXT NOT NULL, event TEXT NOT NULL, actor TEXT NOT NULL, why TEXT NOT NULL, discarded_at TEXT NOT NULL,
    PRIMARY KEY (consumer, event)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS parked_notes (
    consumer TEXT NOT NULL, event TEXT NOT NULL, missing_from INTEGER, failed_because TEXT, failed_at TEXT,
    failures INTEGER, PRIMARY KEY (consumer, event)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS parked_removals (
    consumer TEXT NOT NULL, event TEXT NOT NULL, PRIMARY KEY (consumer, event)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS reader_troubles (
    reader TEXT PRIMARY KEY, trouble TEXT NOT NULL, since TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS operator_actions (
    id TEXT PRIMARY KEY, verb TEXT NOT NULL, subject TEXT NOT NULL, actor TEXT NOT NULL, reason TEXT NOT NULL,
    asked_at TEXT NOT NULL, taken_by TEXT, ended_at TEXT, succeeded INTEGER, detail TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS operator_actions_by_time ON operator_actions (asked_at);
`;

/**
 * The state of the readers of the log. A transaction does not wait for the disk. A power failure
 * may lose the newest writes, but never a write before one that is kept. So a reader may fall back, and no checkpoint
 * outlives a parked event that it has passed. Another process, such as an operator's, may have the file open.
 */
export function openSqliteState(
  file: string,
  durability: 'normal' | 'off' = 'normal',
  role: CheckpointRole = 'checkpoints',
): ReaderState {
  const db = openDatabase(file, SCHEMA, { durability, checkpoints: role });
  const tables = kyselyOver(db);
  return {
    ...createReaderTables(tables, (work) => tables.transaction().execute(work)),
    lease: createLocalLease(fences(tables)),
    close: async () => {
      db.close();
    },
  };
}

/** Statements of one connection belong to the transaction that is open on it, so Kysely must run this one too. */
const fences =
  (tables: Kysely<unknown>) =>
  async (name: string): Promise<number> => {
    const { rows } = await sql<{ readonly fence: number }>`
      INSERT INTO leases (name, fence) VALUES (${name}, 1)
      ON CONFLICT (name) DO UPDATE SET fence = fence + 1 RETURNING fence`.execute(tables);
    const [row] = rows;
    if (!row) throw new Error(`the lease ${name} got no number`);
    return row.fence;
  };
