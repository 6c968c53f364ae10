import type { Discard, ParkedEvent, ParkedReason, Recorded } from '@ponte/event-sourcing';
import { PARKED_AFTER_GAP, PARKED_LEFT_OUT } from '@ponte/event-sourcing';
import type { QueryExecutorProvider, RawBuilder } from 'kysely';
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

/**
 * Condition on a row of `parked`, to which `n` of `parked_notes` is joined: it marks a gap, as far as is known not
 * filled. As `gapBefore`.
 */
export const marksGap = (row: RawBuilder<unknown>) =>
  sql`COALESCE(n.missing_from < ${row}.revision, ${row}.reason = ${PARKED_AFTER_GAP})`;

/** Within one stream, only the condition on the revision lets SQLite begin in the index at the page. */
const isAfter = ({ key, event: { id, revision } }: ParkedReason, isOneStream: boolean) =>
  sql`AND (p.stream, p.revision, p.event) > (${key}, ${revision}, ${id})
    ${isOneStream ? sql`AND p.revision >= ${revision}` : sql``}`;

/** A page of rows that are not discarded. After a restore of the log, two events of a stream may have one revision. */
const pageAfter = (group: string, limit: number, after?: ParkedReason, key?: string) => sql`
  FROM ${parkedWithNotes} WHERE p.consumer = ${group} AND NOT ${isDiscarded}
    ${key === undefined ? sql`` : sql`AND p.stream = ${key}`}
    ${after ? isAfter(after, key !== undefined) : sql``}
  ORDER BY p.stream, p.revision, p.event LIMIT ${limit}`;

/** As `ParkedEvents.reasons`. */
export async function reasonsAfter(
  db: QueryExecutorProvider,
  ...page: Parameters<typeof pageAfter>
): Promise<readonly ParkedReason[]> {
  const { rows } = await sql<ReasonRow>`SELECT p.event, p.revision, ${notedColumns} ${pageAfter(...page)}`.execute(db);
  return rows.map((row) => ({ ...noted(row), event: { id: row.event, revision: Number(row.revision) } }));
}

/** As `ParkedEvents.page`. */
export async function eventsAfter(
  db: QueryExecutorProvider,
  ...page: Parameters<typeof pageAfter>
): Promise<readonly ParkedEvent[]> {
  const { rows } = await sql<ParkedRow>`SELECT ${columns} ${pageAfter(...page)}`.execute(db);
  return rows.map(parkedEvent);
}

/** As `ParkedEvents.isAwaited`. */
export async function isAwaited(
  db: QueryExecutorProvider,
  group: string,
  key: string,
  { id, revision }: ParkedReason['event'],
): Promise<boolean> {
  const { rows } = await sql`
    SELECT p.revision FROM ${parkedWithNotes}
    WHERE p.consumer = ${group} AND p.stream = ${key} AND p.revision >= ${revision} AND NOT ${isDiscarded}
      AND ((p.revision > ${revision} AND ${marksGap(sql`p`)} AND COALESCE(n.missing_from, 0) <= ${revision})
        OR (p.event = ${id} AND p.reason = ${PARKED_LEFT_OUT} AND n.missing_from IS NULL))
    ORDER BY p.revision LIMIT 1`.execute(db);
  return rows.length > 0;
}
