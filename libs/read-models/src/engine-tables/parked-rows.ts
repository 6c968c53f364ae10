import type { Discard, ParkedEvent, ParkedReason, Recorded } from '@ponte/event-sourcing';
import type { QueryExecutorProvider } from 'kysely';
import { sql } from 'kysely';

/** Columns of `parked` and `parked_notes` that tell why an event is parked. */
interface NotedRow {
  readonly stream: string;
  readonly reason: string;
  readonly missing_from: number | string | null;
  readonly failed_because: string | null;
  readonly failed_at: string | null;
  readonly failures: number | null;
}

/** A row of `parked`. */
export interface ParkedRow extends NotedRow {
  readonly consumer: string;
  readonly body: string;
  readonly parked_at: string;
}

/** A row of `parked` with the one of `discarded` that belongs to it. */
export interface DiscardedRow extends ParkedRow, Pick<Discard, 'actor' | 'why'> {
  readonly discarded_at: string;
}

interface ReasonRow extends NotedRow {
  readonly event: string;
  readonly revision: number | string;
}

const noted = (row: NotedRow): Omit<ParkedReason, 'event'> => ({
  key: row.stream,
  reason: row.reason,
  ...(row.missing_from === null ? {} : { missingFrom: Number(row.missing_from) }),
  ...(row.failed_because === null || row.failed_at === null
    ? {}
    : { failedAgain: { reason: row.failed_because, at: row.failed_at, times: row.failures ?? 1 } }),
});

export const parkedEvent = (row: ParkedRow): ParkedEvent => ({
  ...noted(row),
  group: row.consumer,
  event: JSON.parse(row.body) as Recorded,
  parkedAt: row.parked_at,
});

/** Columns of a {@link NotedRow}. What was learned of an event after it was parked is in `parked_notes`. */
const notedColumns = sql`p.stream, p.reason, n.missing_from, n.failed_because, n.failed_at, n.failures`;
/** Columns of a {@link ParkedRow}. */
export const columns = sql`p.consumer, p.body, p.parked_at, ${notedColumns}`;
export const parkedWithNotes = sql`parked p LEFT JOIN parked_notes n ON n.consumer = p.consumer AND n.event = p.event`;

/** Condition on the row `p` of `parked`. A discarded event keeps its row, so that discarding is one statement. */
export const isDiscarded = sql`EXISTS (SELECT 1 FROM discarded d WHERE d.consumer = p.consumer AND d.event = p.event)`;

/** One page for `ParkedEvents.reasons`. After a restore of the log, two events of a stream may have one revision. */
export async function reasonsAfter(
  db: QueryExecutorProvider,
  group: string,
  limit: number,
  after?: ParkedReason,
): Promise<readonly ParkedReason[]> {
  const isAfter = after
    ? sql`AND (p.stream, p.revision, p.event) > (${after.key}, ${after.event.revision}, ${after.event.id})`
    : sql``;
  const { rows } = await sql<ReasonRow>`
    SELECT p.event, p.revision, ${notedColumns} FROM ${parkedWithNotes}
    WHERE p.consumer = ${group} AND NOT ${isDiscarded} ${isAfter}
    ORDER BY p.stream, p.revision, p.event LIMIT ${limit}`.execute(db);
  return rows.map((row) => ({ ...noted(row), event: { id: row.event, revision: Number(row.revision) } }));
}
