import type { ParkedEvents, Recorded } from '@ponte/event-sourcing';
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

/** Parked events, for SQLite and PostgreSQL. */
export const createParkedEvents = (db: QueryExecutorProvider): ParkedEvents => ({
  async add({ group, key, event, reason, parkedAt }) {
    await sql`
      INSERT INTO parked (consumer, stream, revision, event, body, reason, parked_at)
      VALUES (${group}, ${key}, ${event.revision}, ${event.id}, ${JSON.stringify(event)}, ${reason}, ${parkedAt})
      ON CONFLICT (consumer, event) DO NOTHING`.execute(db);
  },
  async list(group, key) {
    const ofGroup = group === undefined ? sql`` : sql`AND consumer = ${group}`;
    const ofKey = key === undefined ? sql`` : sql`AND stream = ${key}`;
    const { rows } = await sql<ParkedRow>`
      SELECT consumer, stream, body, reason, parked_at FROM parked
      WHERE true ${ofGroup} ${ofKey} ORDER BY stream, revision, consumer`.execute(db);
    return rows.map((row) => ({
      group: row.consumer,
      key: row.stream,
      event: JSON.parse(row.body) as Recorded,
      reason: row.reason,
      parkedAt: row.parked_at,
    }));
  },
  async remove(group, eventId) {
    await sql`DELETE FROM parked WHERE consumer = ${group} AND event = ${eventId}`.execute(db);
  },
  async keys(group) {
    const { rows } = await sql<{
      stream: string;
    }>`SELECT DISTINCT stream FROM parked WHERE consumer = ${group}`.execute(db);
    return new Set(rows.map(({ stream }) => stream));
  },
});
