import type { Backlogs } from '@ponte/event-sourcing';
import { BACKLOG_COUNTS_MS } from '@ponte/event-sourcing';
import { migrate } from '../migrations';
import type { Postgres } from '../postgres';
import { SHARED_TABLES } from '../tables';

/** The schema that all services share. */
export const SHARED_SCHEMA = 'ponte_shared';

/** Backlogs are reported every second, so a failed report is not retried. */
const PATIENCE_MS = 0;

/**
 * Backlogs reported by processes, timed by the database's clock. The row of a process that died is deleted by the next
 * report of another one.
 */
export async function openPostgresBacklogs(
  postgres: Postgres,
  process: string,
  schema = SHARED_SCHEMA,
): Promise<Backlogs> {
  await migrate(postgres, schema, SHARED_TABLES);
  const counts = `interval '${BACKLOG_COUNTS_MS} milliseconds'`;
  const upsert = `
    WITH gone AS (DELETE FROM ${schema}.backlogs WHERE process <> $1 AND reported_at < now() - interval '1 minute')
    INSERT INTO ${schema}.backlogs (process, reader, behind_ms, reported_at) VALUES ($1, $2, $3, now())
    ON CONFLICT (process) DO UPDATE SET reader = excluded.reader, behind_ms = excluded.behind_ms,
      reported_at = excluded.reported_at`;
  const worst = `SELECT reader, behind_ms AS "behindMs" FROM ${schema}.backlogs WHERE reported_at > now() - ${counts} ORDER BY behind_ms DESC, reader LIMIT 1`;
  return {
    async report(backlog) {
      if (backlog) await postgres.query(upsert, [process, backlog.reader, Math.round(backlog.behindMs)], PATIENCE_MS);
      else await postgres.query(`DELETE FROM ${schema}.backlogs WHERE process = $1`, [process], PATIENCE_MS);
    },
    async worst() {
      const [row] = await postgres.query<{ reader: string; behindMs: number }>(worst, [], PATIENCE_MS);
      return row ?? null;
    },
  };
}
