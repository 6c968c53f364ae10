import { randomUUID } from 'node:crypto';
import type { EdgeState, IdempotencyClaim, IdempotencyStart } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';
import { PostgresBuckets } from './buckets';
import { migrate } from '../migrations';
import type { Postgres } from '../postgres';
import { Presence } from './presence';
import { ENGINE_TABLES } from '../tables';

/** `taker` distinguishes a repetition of this statement after a lost answer from another request. */
const NONCE = `
  INSERT INTO nonces (key_id, nonce, until_ms, taker) VALUES ($1, $2, $3, $4)
  ON CONFLICT (key_id, nonce) DO UPDATE SET until_ms = nonces.until_ms WHERE nonces.taker = excluded.taker
    RETURNING 1 AS taken`;
/**
 * The process that holds a claim has ended: the advisory lock that it keeps while it lives can be taken. The lock is
 * shared, so that concurrent checks do not block each other.
 */
const GONE =
  "strpos(held.taker, '/') > 0 " +
  "AND pg_try_advisory_xact_lock_shared(hashtextextended(split_part(held.taker, '/', 1), 0))";
/** The fence starts at the time of the claim, so that it increases even if the row was swept in between. */
const BEGIN = `
  WITH claimed AS (
    INSERT INTO idempotency AS held (scope, body_hash, fence, until_ms, taker) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (scope) DO UPDATE SET
      body_hash = excluded.body_hash, fence = greatest(held.fence + 1, excluded.fence), until_ms = excluded.until_ms,
        taker = excluded.taker,
      status = NULL, body = NULL
    WHERE held.until_ms <= $3 OR held.taker = excluded.taker
      OR (held.status IS NULL AND held.body_hash = excluded.body_hash AND ${GONE})
    RETURNING fence
  )
  SELECT true AS mine, fence, NULL AS body_hash, NULL::integer AS status, NULL AS body FROM claimed
  UNION ALL
  SELECT false, fence, body_hash, status, body FROM idempotency
  WHERE scope = $1 AND until_ms > $3 AND NOT EXISTS (SELECT 1 FROM claimed)`;
const FINISH = `
  UPDATE idempotency SET status = $3, body = $4, until_ms = $5
  WHERE scope = $1 AND fence = $2 AND (status IS NULL OR (status = $3 AND body = $4)) RETURNING 1 AS kept`;
const ABANDON = 'DELETE FROM idempotency WHERE scope = $1 AND fence = $2 AND status IS NULL';
/** Rows that one statement sweeps, so that its duration does not depend on how many have expired meanwhile. */
export const SWEPT_AT_ONCE = 10_000;
/** Skips rows that another replica sweeps or renews now. A key may be used again between the two reads of its row. */
const sweepOf = (table: string, key: string): string => `
  WITH gone AS (
    DELETE FROM ${table} WHERE until_ms < $1 AND (${key}) IN (
      SELECT ${key} FROM ${table} WHERE until_ms < $1 ORDER BY until_ms LIMIT ${SWEPT_AT_ONCE} FOR UPDATE SKIP LOCKED)
    RETURNING 1
  )
  SELECT count(*)::integer AS gone FROM gone`;
const SWEEPS = [sweepOf('nonces', 'key_id, nonce'), sweepOf('idempotency', 'scope')];

/**
 * Attempts of a claim that neither creates its row nor finds another's, because a concurrent request has just created
 * or deleted it.
 */
const MAX_ATTEMPTS = 10;

interface KeyRow {
  readonly mine: boolean;
  readonly fence: number;
  readonly body_hash: string | null;
  readonly status: number | null;
  readonly body: string | null;
}

interface PostgresEdgeState extends EdgeState {
  close(): Promise<void>;
}

/**
 * The state that the replicas of the gateway share, and the buckets of those of the ledger. With `instance`, the same
 * request with the same key may take over a claim as soon as the process that holds it has ended in any way. Without
 * it, claims lapse after their time.
 */
export async function openPostgresEdgeState(postgres: Postgres, instance?: string): Promise<PostgresEdgeState> {
  await migrate(postgres, postgres.options.schema, ENGINE_TABLES);
  const buckets = new PostgresBuckets(postgres);
  const presence = instance === undefined ? undefined : await Presence.open(postgres, instance);
  const taker = (): string => (presence ? `${presence.run}/${randomUUID()}` : randomUUID());
  return {
    rememberNonce: async (keyId, nonce, untilMs) =>
      (await postgres.query(NONCE, [keyId, nonce, untilMs, randomUUID()])).length > 0,
    begin: (claim) => begin(postgres, claim, taker()),
    finish: async (scope, fence, { status, body }, expiresAtMs) =>
      (await postgres.query(FINISH, [scope, fence, status, body, expiresAtMs])).length > 0,
    async abandon(scope, fence) {
      await postgres.query(ABANDON, [scope, fence]);
    },
    takeToken: (request) => buckets.take(request),
    async sweep(nowMs) {
      for (const statement of SWEEPS) await sweepAll(postgres, statement, nowMs);
      await buckets.sweep(nowMs);
    },
    close: async () => {
      await presence?.close();
    },
  };
}

async function sweepAll(postgres: Postgres, statement: string, nowMs: number): Promise<void> {
  for (let gone = SWEPT_AT_ONCE; gone >= SWEPT_AT_ONCE;)
    gone = (await postgres.query<{ gone: number }>(statement, [nowMs]))[0]?.gone ?? 0;
}

async function begin(
  postgres: Postgres,
  { scope, bodyHash, nowMs, lockMs }: IdempotencyClaim,
  taker: string,
): Promise<IdempotencyStart> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const [row] = await postgres.query<KeyRow>(BEGIN, [scope, bodyHash, nowMs, nowMs + lockMs, taker]);
    if (!row) continue;
    if (row.mine) return { kind: 'started', fence: row.fence };
    if (row.body_hash !== bodyHash) return { kind: 'other-body' };
    return row.status === null || row.body === null
      ? { kind: 'in-progress' }
      : { kind: 'done', status: row.status, body: row.body };
  }
  throw new Unavailable(
    'service-unavailable',
    'an idempotency key is used by too many requests at once; it is safe to retry',
  );
}
