import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EdgeState, IdempotencyStart } from '@ponte/event-sourcing';
import { LocalBuckets } from '@ponte/concurrency';
import { openDatabase } from './database';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS nonces (key_id TEXT NOT NULL, nonce TEXT NOT NULL, until_ms INTEGER NOT NULL,
    PRIMARY KEY (key_id, nonce)) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS nonces_by_end ON nonces (until_ms);
  CREATE TABLE IF NOT EXISTS idempotency (
    scope TEXT PRIMARY KEY,
    body_hash TEXT NOT NULL,
    fence INTEGER NOT NULL,
    until_ms INTEGER NOT NULL,
    status INTEGER,
    body TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS idempotency_by_end ON idempotency (until_ms);
`;

/** Rows that one statement deletes: the process answers nothing meanwhile, however many have expired. */
const SWEPT_AT_ONCE = 100;
const sweepOf = (table: string, key: string): string => `
  DELETE FROM ${table} WHERE (${key}) IN (
    SELECT ${key} FROM ${table} WHERE until_ms < ? ORDER BY until_ms LIMIT ${SWEPT_AT_ONCE})`;

interface KeyRow {
  readonly body_hash: string;
  readonly fence: number;
  readonly until_ms: number;
  readonly status: number | null;
  readonly body: string | null;
}

interface SqliteEdgeState extends EdgeState {
  close(): Promise<void>;
}

/**
 * The gateway's shared state in one file. It may lose the latest writes in a power failure: a lost nonce was used only
 * moments before, and money is protected by ids derived from the idempotency key, however late a repetition is.
 */
export function openSqliteEdgeState(file: string, durability: 'full' | 'normal' | 'off' = 'normal'): SqliteEdgeState {
  const db = openDatabase(file, SCHEMA, { durability });
  const nonce = db.prepare('INSERT INTO nonces (key_id, nonce, until_ms) VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  // Only one process at a time uses the file, so the process that held these claims has ended. Only the same request
  // may continue one, because its commands have the same ids.
  const deadClaims = new Set(
    (db.prepare('SELECT scope FROM idempotency WHERE status IS NULL').all() as { scope: string }[]).map(
      ({ scope }) => scope,
    ),
  );
  const held = db.prepare('SELECT body_hash, fence, until_ms, status, body FROM idempotency WHERE scope = ?');
  // The fence starts at the time of the claim, so that it increases even if the row was swept in between.
  const claim = db.prepare(`
    INSERT INTO idempotency (scope, body_hash, fence, until_ms) VALUES (?, ?, ?, ?)
    ON CONFLICT (scope) DO UPDATE SET
      body_hash = excluded.body_hash, fence = max(fence + 1, excluded.fence), until_ms = excluded.until_ms,
        status = NULL, body = NULL
    RETURNING fence`);
  const finish = db.prepare(
    'UPDATE idempotency SET status = ?, body = ?, until_ms = ? WHERE scope = ? AND fence = ? AND status IS NULL',
  );
  const abandon = db.prepare('DELETE FROM idempotency WHERE scope = ? AND fence = ? AND status IS NULL');
  const sweeps = [db.prepare(sweepOf('nonces', 'key_id, nonce')), db.prepare(sweepOf('idempotency', 'scope'))];
  let isOpen = true;
  return {
    async rememberNonce(keyId, value, untilMs) {
      return nonce.run(keyId, value, untilMs).changes > 0;
    },
    async begin({ scope, bodyHash, nowMs, lockMs }): Promise<IdempotencyStart> {
      const row = held.get(scope) as KeyRow | undefined;
      if (row && row.until_ms > nowMs) {
        if (row.body_hash !== bodyHash) return { kind: 'other-body' };
        if (row.status !== null && row.body !== null) return { kind: 'done', status: row.status, body: row.body };
        if (!deadClaims.has(scope)) return { kind: 'in-progress' };
      }
      deadClaims.delete(scope);
      const [claimed] = claim.all(scope, bodyHash, nowMs, nowMs + lockMs) as { fence: number }[];
      if (!claimed) throw new Error('an idempotency claim returned no fencing number');
      return { kind: 'started', fence: claimed.fence };
    },
    async finish(scope, fence, answer, expiresAtMs) {
      return finish.run(answer.status, answer.body, expiresAtMs, scope, fence).changes > 0;
    },
    async abandon(scope, fence) {
      abandon.run(scope, fence);
    },
    takeToken: new LocalBuckets().take,
    async sweep(nowMs) {
      for (const sweep of sweeps) while (isOpen && sweep.run(nowMs).changes === SWEPT_AT_ONCE) await nextTurn();
    },
    async close() {
      isOpen = false;
      db.close();
    },
  };
}
