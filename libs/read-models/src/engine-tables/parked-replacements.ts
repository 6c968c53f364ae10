import type { ParkedEvent } from '@ponte/event-sourcing';
import type { QueryExecutorProvider } from 'kysely';
import { sql } from 'kysely';
import { keep, removeNote } from './parked-discards';
import { isDiscarded, marksGap } from './parked-rows';

/** As `ParkedEvents.replace`, in a transaction. False if no event with this id is parked or discarded. */
export async function replaceParked(
  trx: QueryExecutorProvider,
  { group, key, event, reason, parkedAt, missingFrom }: ParkedEvent,
): Promise<boolean> {
  await keep(trx, group, event.id);
  // Locks the row, so that what is read of it below is what is replaced.
  const { numAffectedRows: locked = 0n } = await sql`
    UPDATE parked SET parked_at = parked_at WHERE consumer = ${group} AND event = ${event.id}`.execute(trx);
  if (locked === 0n) return false;
  const { rows } = await sql<{ from: number | string | null }>`
    SELECT CASE WHEN ${marksGap(sql`p`)} THEN COALESCE(n.missing_from, 0) END AS "from"
    FROM parked p LEFT JOIN parked_notes n ON n.consumer = p.consumer AND n.event = p.event
    WHERE p.consumer = ${group} AND p.event = ${event.id} AND p.revision <> ${event.revision}
      AND NOT ${isDiscarded}`.execute(trx);
  const [former] = rows;
  if (!former) return true;
  await sql`
    UPDATE parked SET stream = ${key}, revision = ${event.revision}, body = ${JSON.stringify(event)},
      reason = ${reason}, parked_at = ${parkedAt}
    WHERE consumer = ${group} AND event = ${event.id}`.execute(trx);
  await removeNote(trx, group, event.id);
  const from = Math.min(missingFrom ?? Infinity, former.from === null ? Infinity : Number(former.from));
  if (from < event.revision)
    await sql`
      INSERT INTO parked_notes (consumer, event, missing_from) VALUES (${group}, ${event.id}, ${from})`.execute(trx);
  return true;
}
