import type { Discard } from '@ponte/event-sourcing';
import { PARKED_LEFT_OUT } from '@ponte/event-sourcing';
import type { QueryExecutorProvider, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { isDiscarded, marksGap, parkedWithNotes } from './parked-rows';

/** Condition on the row `one` of `parked`: no parked event of its key is earlier. */
const isFirst = sql`NOT EXISTS (
  SELECT 1 FROM parked p WHERE p.consumer = one.consumer AND p.stream = one.stream
    AND p.revision < one.revision AND NOT ${isDiscarded})`;

/**
 * Condition on the row `one` of `parked`, to which `n` of `parked_notes` is joined: it marks no gap, or a later parked
 * event of its key can mark it.
 */
const leavesGapMarked = sql`(NOT ${marksGap(sql`one`)} OR EXISTS (
  SELECT 1 FROM parked p WHERE p.consumer = one.consumer AND p.stream = one.stream AND p.revision > one.revision
    AND p.reason <> ${PARKED_LEFT_OUT} AND NOT ${isDiscarded}))`;

/**
 * The next parked event of the key then marks the gap that a parked event marks, if `may` is true of the latter (the
 * row `one`). A gap of unknown beginning begins with the stream. An event that an operator leaves out marks none: it is
 * missing itself.
 */
async function leaveGap(
  db: QueryExecutorProvider,
  group: string,
  eventId: string,
  may: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    INSERT INTO parked_notes (consumer, event, missing_from)
    SELECT p.consumer, p.event, COALESCE(n.missing_from, 0) FROM parked p
    JOIN parked one ON one.consumer = p.consumer AND one.stream = p.stream AND one.revision < p.revision
    LEFT JOIN parked_notes n ON n.consumer = one.consumer AND n.event = one.event
    WHERE one.consumer = ${group} AND one.event = ${eventId}
      AND p.reason <> ${PARKED_LEFT_OUT} AND NOT ${isDiscarded}
      AND ${marksGap(sql`one`)}
      AND NOT EXISTS (SELECT 1 FROM discarded d WHERE d.consumer = one.consumer AND d.event = one.event)
      AND ${may}
    ORDER BY p.revision LIMIT 1
    ON CONFLICT (consumer, event) DO UPDATE SET missing_from =
      CASE WHEN parked_notes.missing_from < excluded.missing_from THEN parked_notes.missing_from
        ELSE excluded.missing_from END`.execute(db);
}

/** As `ParkedEvents.discard`, in a transaction. */
export async function discardFirst(
  trx: QueryExecutorProvider,
  group: string,
  eventId: string,
  { actor, why, discardedAt }: Discard,
): Promise<void> {
  await leaveGap(trx, group, eventId, isFirst);
  await sql`
    INSERT INTO discarded (consumer, event, actor, why, discarded_at)
    SELECT one.consumer, one.event, CAST(${actor} AS text), CAST(${why} AS text), CAST(${discardedAt} AS text)
    FROM parked one LEFT JOIN parked_notes n ON n.consumer = one.consumer AND n.event = one.event
    WHERE one.consumer = ${group} AND one.event = ${eventId} AND ${isFirst} AND ${leavesGapMarked}
    ON CONFLICT (consumer, event) DO NOTHING`.execute(trx);
}

/** Notes that a parked event is being removed, as one that the log does not have. {@link keep} withdraws the note. */
export const noteRemoval = (trx: QueryExecutorProvider, group: string, eventId: string, revision: number) =>
  sql`
    INSERT INTO parked_removals (consumer, event)
    SELECT p.consumer, p.event FROM parked p
    WHERE p.consumer = ${group} AND p.event = ${eventId} AND p.revision = ${revision} AND NOT ${isDiscarded}
    ON CONFLICT (consumer, event) DO NOTHING`.execute(trx);

/**
 * Withdraws the note of {@link noteRemoval}; false if it does not exist. Every transaction that parks, replaces or
 * removes an event begins with this, so that of two at once the second waits for the first.
 */
export async function keep(trx: QueryExecutorProvider, group: string, eventId: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM parked_removals WHERE consumer = ${group} AND event = ${eventId}`.execute(trx);
  return numAffectedRows > 0n;
}

/** As `ParkedEvents.keep`, in a transaction. */
export async function keepParked(trx: QueryExecutorProvider, group: string, eventId: string): Promise<boolean> {
  await keep(trx, group, eventId);
  const { rows } = await sql`SELECT 1 AS found FROM parked WHERE consumer = ${group} AND event = ${eventId}`.execute(
    trx,
  );
  return rows.length > 0;
}

/** As `ParkedEvents.removeUndone`, in a transaction, if the note of {@link noteRemoval} is still there. */
export async function removeNoted(
  trx: QueryExecutorProvider,
  group: string,
  eventId: string,
  revision: number,
): Promise<void> {
  if (!(await keep(trx, group, eventId))) return;
  await leaveGap(trx, group, eventId, sql`one.revision = ${revision}`);
  // PostgreSQL repeats only the outer conditions on a row that was replaced while this statement waited for it.
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM parked WHERE consumer = ${group} AND revision = ${revision} AND event IN (
      SELECT one.event FROM parked one LEFT JOIN parked_notes n ON n.consumer = one.consumer AND n.event = one.event
      WHERE one.consumer = ${group} AND one.event = ${eventId} AND ${leavesGapMarked}
        AND NOT EXISTS (SELECT 1 FROM discarded d WHERE d.consumer = one.consumer AND d.event = one.event))`.execute(
    trx,
  );
  if (numAffectedRows > 0n) await removeNote(trx, group, eventId);
}

export const removeNote = (trx: QueryExecutorProvider, group: string, eventId: string) =>
  sql`DELETE FROM parked_notes WHERE consumer = ${group} AND event = ${eventId}`.execute(trx);

/**
 * As `ParkedEvents.discardTogether`, in a transaction. The revision up to which events may be discarded is looked up
 * once, because that look passes all events of the key that were discarded before.
 */
export async function discardTogether(
  trx: QueryExecutorProvider,
  group: string,
  key: string,
  eventIds: readonly string[],
  { actor, why, discardedAt }: Discard,
): Promise<ReadonlySet<string>> {
  const ids = sql.join(eventIds);
  await sql`
    INSERT INTO discarded (consumer, event, actor, why, discarded_at)
    SELECT one.consumer, one.event, CAST(${actor} AS text), CAST(${why} AS text), CAST(${discardedAt} AS text)
    FROM parked one LEFT JOIN parked_notes n ON n.consumer = one.consumer AND n.event = one.event
    WHERE one.consumer = ${group} AND one.stream = ${key} AND one.event IN (${ids}) AND NOT ${marksGap(sql`one`)}
      AND one.revision <= COALESCE((
        SELECT MIN(p.revision) FROM ${parkedWithNotes} WHERE p.consumer = ${group} AND p.stream = ${key}
          AND (p.event NOT IN (${ids}) OR ${marksGap(sql`p`)}) AND NOT ${isDiscarded}), one.revision)
    ON CONFLICT (consumer, event) DO NOTHING`.execute(trx);
  const { rows } = await sql<{ event: string }>`
    SELECT p.event FROM parked p WHERE p.consumer = ${group} AND p.stream = ${key} AND p.event IN (${ids})
      AND ${isDiscarded}`.execute(trx);
  return new Set(rows.map(({ event }) => event));
}
