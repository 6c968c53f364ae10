import type { KeptCheckpoint, OperatorState, ReaderTrouble, ActionRow } from '@ponte/event-sourcing';
import { BEGINNING, actionOf, knownOf } from '@ponte/event-sourcing';
import type { SqliteDatabase } from './database';

export const OPERATOR_SCHEMA = `
  CREATE TABLE IF NOT EXISTS reader_troubles (reader TEXT PRIMARY KEY, trouble TEXT NOT NULL, since TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS operator_actions (
    id TEXT PRIMARY KEY, verb TEXT NOT NULL, subject TEXT NOT NULL, actor TEXT NOT NULL, reason TEXT NOT NULL, asked_at TEXT NOT NULL,
    taken_by TEXT, ended_at TEXT, succeeded INTEGER, detail TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS operator_actions_by_time ON operator_actions (asked_at);
`;

/** What operators see and do, in the file that the readers keep their places in. Another process may have it open. */
export function sqliteOperatorState(db: SqliteDatabase): OperatorState {
  const ask = db.prepare(
    'INSERT INTO operator_actions (id, verb, subject, actor, reason, asked_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const open = db.prepare(
    'SELECT * FROM operator_actions WHERE taken_by IS NULL AND ended_at IS NULL ORDER BY asked_at, id',
  );
  const take = db.prepare(
    'UPDATE operator_actions SET taken_by = ? WHERE id = ? AND taken_by IS NULL AND ended_at IS NULL',
  );
  const end = db.prepare(
    'UPDATE operator_actions SET ended_at = ?, succeeded = ?, detail = ? WHERE id = ? AND ended_at IS NULL',
  );
  const find = db.prepare('SELECT * FROM operator_actions WHERE id = ?');
  const carriedOut = db.prepare(
    'SELECT * FROM operator_actions WHERE verb = ? AND succeeded = 1 ORDER BY asked_at, id',
  );
  const list = db.prepare('SELECT * FROM operator_actions ORDER BY asked_at DESC, id DESC LIMIT ?');
  const checkpoints = db.prepare('SELECT reader, position, fence FROM checkpoints ORDER BY reader');
  const place = db.prepare(`
    INSERT INTO checkpoints (reader, position, fence) VALUES (?, ?, ?)
    ON CONFLICT (reader) DO UPDATE SET position = excluded.position, fence = max(fence, excluded.fence)`);
  const troubles = db.prepare('SELECT reader, trouble, since FROM reader_troubles ORDER BY reader');
  return {
    actions: {
      async ask({ id, verb, subject, actor, reason, askedAt }) {
        ask.run(id, verb, JSON.stringify(subject), actor, reason, askedAt);
      },
      open: async () => (open.all() as ActionRow[]).map(actionOf),
      take: async (id, by) => take.run(by, id).changes > 0,
      async end(id, { succeeded, detail }, at) {
        end.run(at, succeeded ? 1 : 0, detail, id);
      },
      async find(id) {
        const row = find.get(id) as ActionRow | undefined;
        return row && knownOf(row);
      },
      carriedOut: async (verb) => (carriedOut.all(verb) as ActionRow[]).map(knownOf),
      list: async (limit) => (list.all(limit) as ActionRow[]).map(knownOf),
    },
    checkpoints: async () => checkpoints.all() as KeptCheckpoint[],
    async place(reader, position, fence) {
      place.run(reader, position ?? BEGINNING, fence);
    },
    troubles: async () => troubles.all() as ReaderTrouble[],
  };
}
