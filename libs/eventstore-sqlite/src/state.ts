import type { Checkpoints, Lease, OperatorState, ParkedEvent, Recorded, ParkedEvents } from '@ponte/event-sourcing';
import type { CheckpointRole, SqliteDatabase } from './database';
import { openDatabase } from './database';
import { createLocalLease } from './local-lease';
import { OPERATOR_SCHEMA, sqliteOperatorState } from './operator-state';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS checkpoints (reader TEXT PRIMARY KEY, position TEXT NOT NULL, fence INTEGER NOT NULL) STRICT, WITHOUT ROWID;
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
`;

export interface SqliteState {
  readonly checkpoints: Checkpoints;
  readonly parkedEvents: ParkedEvents;
  readonly lease: Lease;
  readonly operator: OperatorState;
  close(): Promise<void>;
}

/**
 * What readers of the log keep: places, parked events, leases. Written without waiting for the disk: when the power
 * goes the newest writes may go, oldest kept first, so a reader falls back and no checkpoint outlives a parked event it
 * has passed.
 */
export function openSqliteState(
  file: string,
  durability: 'normal' | 'off' = 'normal',
  role: CheckpointRole = 'checkpoints',
): SqliteState {
  const db = openDatabase(file, `${SCHEMA}${OPERATOR_SCHEMA}`, { durability, checkpoints: role });
  return {
    checkpoints: checkpoints(db),
    parkedEvents: parkedEvents(db),
    lease: createLocalLease(fences(db)),
    operator: sqliteOperatorState(db),
    close: async () => {
      db.close();
    },
  };
}

function checkpoints(db: SqliteDatabase): Checkpoints {
  const load = db.prepare('SELECT position FROM checkpoints WHERE reader = ?');
  const save = db.prepare(`
    INSERT INTO checkpoints (reader, position, fence) VALUES (?, ?, ?)
    ON CONFLICT (reader) DO UPDATE SET position = excluded.position, fence = excluded.fence WHERE excluded.fence >= fence`);
  const ill = db.prepare(
    'INSERT INTO reader_troubles (reader, trouble, since) VALUES (?, ?, ?) ON CONFLICT (reader) DO UPDATE SET trouble = excluded.trouble',
  );
  const well = db.prepare('DELETE FROM reader_troubles WHERE reader = ?');
  return {
    load: async (reader) => (load.get(reader) as { position: string } | undefined)?.position || undefined,
    save: async (reader, position, fence = 0) => save.run(reader, position, fence).changes > 0,
    trouble: async (reader, trouble, at) => {
      if (trouble === null) well.run(reader);
      else ill.run(reader, trouble, at);
    },
  };
}

function fences(db: SqliteDatabase): (name: string) => number {
  const next = db.prepare(
    'INSERT INTO leases (name, fence) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET fence = fence + 1 RETURNING fence',
  );
  return (name) => (next.all(name)[0] as { fence: number }).fence;
}

interface ParkedRow {
  readonly consumer: string;
  readonly stream: string;
  readonly body: string;
  readonly reason: string;
  readonly parked_at: string;
}

function parkedEvents(db: SqliteDatabase): ParkedEvents {
  const add = db.prepare(`
    INSERT INTO parked (consumer, stream, revision, event, body, reason, parked_at) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (consumer, event) DO NOTHING`);
  const list = db.prepare(
    'SELECT * FROM parked WHERE (? IS NULL OR consumer = ?) AND (? IS NULL OR stream = ?) ORDER BY stream, revision',
  );
  const remove = db.prepare('DELETE FROM parked WHERE consumer = ? AND event = ?');
  const keys = db.prepare('SELECT DISTINCT stream FROM parked WHERE consumer = ?');
  return {
    async add({ group, key, event, reason, parkedAt }) {
      add.run(group, key, event.revision, event.id, JSON.stringify(event), reason, parkedAt);
    },
    async list(group, key) {
      const [consumer, stream] = [group ?? null, key ?? null];
      return (list.all(consumer, consumer, stream, stream) as ParkedRow[]).map(asParked);
    },
    async remove(group, eventId) {
      remove.run(group, eventId);
    },
    async keys(group) {
      return new Set((keys.all(group) as { stream: string }[]).map((row) => row.stream));
    },
  };
}

const asParked = (row: ParkedRow): ParkedEvent => ({
  group: row.consumer,
  key: row.stream,
  event: JSON.parse(row.body) as Recorded,
  reason: row.reason,
  parkedAt: row.parked_at,
});
