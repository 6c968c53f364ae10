import type { ParkedEvent, ParkedEvents, Recorded } from '@ponte/event-sourcing';
import type { Postgres } from '../postgres';

const ADD = `
  INSERT INTO parked (consumer, stream, revision, event, body, reason, parked_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (consumer, event) DO NOTHING`;
const LIST = `
  SELECT consumer, stream, body, reason, parked_at FROM parked
  WHERE ($1::text IS NULL OR consumer = $1) AND ($2::text IS NULL OR stream = $2) ORDER BY stream, revision, consumer`;
const REMOVE = 'DELETE FROM parked WHERE consumer = $1 AND event = $2';
const KEYS = 'SELECT DISTINCT stream FROM parked WHERE consumer = $1';

interface Row {
  readonly consumer: string;
  readonly stream: string;
  readonly body: string;
  readonly reason: string;
  readonly parked_at: string;
}

export const postgresParkedEvents = (postgres: Postgres): ParkedEvents => ({
  async add({ group, key, event, reason, parkedAt }) {
    await postgres.query(ADD, [group, key, event.revision, event.id, JSON.stringify(event), reason, parkedAt]);
  },
  list: async (group, key) => (await postgres.query<Row>(LIST, [group ?? null, key ?? null])).map(asParked),
  async remove(group, eventId) {
    await postgres.query(REMOVE, [group, eventId]);
  },
  keys: async (group) => new Set((await postgres.query<{ stream: string }>(KEYS, [group])).map(({ stream }) => stream)),
});

const asParked = (row: Row): ParkedEvent => ({
  group: row.consumer,
  key: row.stream,
  event: JSON.parse(row.body) as Recorded,
  reason: row.reason,
  parkedAt: row.parked_at,
});
