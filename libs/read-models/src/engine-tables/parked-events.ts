import type { Discard, ParkedEvent, ParkedEvents, Recorded } from '@ponte/event-sourcing';
import type { QueryExecutorProvider } from 'kysely';
import { sql } from 'kysely';

/** A row of `parked`. */
interface ParkedRow {
  readonly consumer: string;
  readonly stream: string;
  readonly body: string;
  readonly reason: string;
  readonly parked_at: string;
}

/** A row of `parked` with the one of `discarded` that belongs to it. */
interface DiscardedRow extends ParkedRow, Pick<Discard, 'actor' | 'why'> {
  readonly discarded_at: string;
}

const parkedEvent = (row: ParkedRow): ParkedEvent => ({
  group: row.consumer,
  key: row.stream,
  event: JSON.parse(row.body) as Recorded,
  reason: row.reason,
  parkedAt: row.parked_at,
});

/** Condition on the row `p` of `parked`. A discarded event keeps its row, so that discarding is one statement. */
const isDiscarded = sql`EXISTS (SELECT 1 FROM discarded d WHERE d.consumer = p.consumer AND d.event = p.event)`;

const matches = (group?: string, key?: string) => {
  const ofGroup = group === undefined ? sql`` : sql`AND p.consumer = ${group}`;
  return key === undefined ? ofGroup : sql`${ofGroup} AND p.stream = ${key}`;
};

/** Parked events, for SQLite and PostgreSQL. */
export const createParkedEvents = (db: QueryExecutorProvider): ParkedEvents => ({
  async add({ group, key, event, reason, parkedAt }) {
    await sql`
      INSERT INTO parked (consumer, stream, revision, event, body, reason, parked_at)
      VALUES (${group}, ${key}, ${event.revision}, ${event.id}, ${JSON.stringify(event)}, ${reason}, ${parkedAt})
      ON CONFLICT (consumer, event) DO NOTHING`.execute(db);
  },
  async list(group, key) {
    const { rows } = await sql<ParkedRow>`
      SELECT consumer, stream, body, reason, parked_at FROM parked p
      WHERE NOT ${isDiscarded} ${matches(group, key)} ORDER BY stream, revision, consumer`.execute(db);
    return rows.map(parkedEvent);
  },
  async remove(group, eventId) {
    await sql`DELETE FROM parked WHERE consumer = ${group} AND event = ${eventId}`.execute(db);
    // An operator may have discarded the event while it was handled.
    await sql`DELETE FROM discarded WHERE consumer = ${group} AND event = ${eventId}`.execute(db);
  },
  async keys(group) {
    const { rows } = await sql<{ stream: string }>`
      SELECT DISTINCT stream FROM parked p WHERE NOT ${isDiscarded} ${matches(group)}`.execute(db);
    return new Set(rows.map(({ stream }) => stream));
  },
  async discard(group, eventId, { actor, why, discardedAt }) {
    await sql`
      INSERT INTO discarded (consumer, event, actor, why, discarded_at)
      SELECT one.consumer, one.event, CAST(${actor} AS text), CAST(${why} AS text), CAST(${discardedAt} AS text)
      FROM parked one
      WHERE one.consumer = ${group} AND one.event = ${eventId} AND NOT EXISTS (
        SELECT 1 FROM parked p WHERE p.consumer = one.consumer AND p.stream = one.stream
          AND p.revision < one.revision AND NOT ${isDiscarded})
      ON CONFLICT (consumer, event) DO NOTHING`.execute(db);
  },
  async discarded(group, key) {
    const { rows } = await sql<DiscardedRow>`
      SELECT p.consumer, p.stream, p.body, p.reason, p.parked_at, x.actor, x.why, x.discarded_at
      FROM parked p JOIN discarded x ON x.consumer = p.consumer AND x.event = p.event
      WHERE true ${matches(group, key)} ORDER BY p.stream, p.revision, p.consumer`.execute(db);
    return rows.map((row) => ({
      ...parkedEvent(row),
      actor: row.actor,
      why: row.why,
      discardedAt: row.discarded_at,
    }));
  },
});
