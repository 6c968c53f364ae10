import type { ParkedCount, ParkedEvent, ParkedEvents, ParkedPlace } from '@ponte/event-sourcing';
import type { QueryExecutorProvider, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import {
  discardFirst,
  discardTogether,
  keep,
  keepParked,
  noteRemoval,
  removeNote,
  removeNoted,
} from './parked-discards';
import { replaceParked } from './parked-replacements';
import type { DiscardedRow, ParkedRow } from './parked-rows';
import {
  columns,
  eventsAfter,
  isAwaited,
  isDiscarded,
  parkedEvent,
  parkedWithNotes,
  reasonsAfter,
} from './parked-rows';

const matches = (group?: string, key?: string) => {
  const ofGroup = group === undefined ? sql`` : sql`AND p.consumer = ${group}`;
  return key === undefined ? ofGroup : sql`${ofGroup} AND p.stream = ${key}`;
};

/** The revision of the parked event of a key, besides one, that comes first in an order. */
const otherRevision = (group: string, key: string, eventId: string, order: RawBuilder<unknown>) => sql`(
  SELECT p.revision FROM parked p WHERE p.consumer = ${group} AND p.stream = ${key} AND p.event <> ${eventId}
    AND NOT ${isDiscarded} ORDER BY p.revision ${order} LIMIT 1)`;

interface PlaceRow extends Partial<ParkedRow> {
  readonly is_discarded: number | string | null;
  readonly first_other: number | string | null;
  readonly last_other: number | string | null;
}

async function placeOf(db: QueryExecutorProvider, group: string, key: string, eventId: string): Promise<ParkedPlace> {
  const { rows } = await sql<PlaceRow>`
    SELECT own.*, o.first_other, o.last_other
    FROM (SELECT ${otherRevision(group, key, eventId, sql`ASC`)} AS first_other,
      ${otherRevision(group, key, eventId, sql`DESC`)} AS last_other) o
    LEFT JOIN (SELECT ${columns}, CASE WHEN ${isDiscarded} THEN 1 ELSE 0 END AS is_discarded FROM ${parkedWithNotes}
      WHERE p.consumer = ${group} AND p.event = ${eventId} AND p.stream = ${key}) own ON true`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a query without a condition returned no row');
  const wasDiscarded = Number(row.is_discarded ?? 0) === 1;
  return {
    ...(isParkedRow(row) && !wasDiscarded ? { own: parkedEvent(row) } : {}),
    isDiscarded: wasDiscarded,
    ...(row.first_other === null ? {} : { others: { first: Number(row.first_other), last: Number(row.last_other) } }),
  };
}

interface CountRow extends Pick<ParkedRow, 'consumer'> {
  readonly events: number | string;
  readonly streams: number | string;
  readonly oldest: string;
}

async function countsOf(db: QueryExecutorProvider): Promise<readonly ParkedCount[]> {
  const { rows } = await sql<CountRow>`
    SELECT p.consumer, count(*) AS events, count(DISTINCT p.stream) AS streams, min(p.parked_at) AS oldest
    FROM parked p WHERE NOT ${isDiscarded} GROUP BY p.consumer ORDER BY p.consumer`.execute(db);
  return rows.map(({ consumer, events, streams, oldest }) => ({
    ...{ group: consumer, events: Number(events), streams: Number(streams), oldestAt: oldest },
  }));
}

const isParkedRow = (row: PlaceRow): row is PlaceRow & ParkedRow => row.body !== null && row.body !== undefined;

/** Runs statements on `trx` as one transaction. It may repeat `work`. */
export type RunTransaction = (work: (trx: QueryExecutorProvider) => Promise<void>) => Promise<void>;

async function insert(
  trx: QueryExecutorProvider,
  { group, key, event, reason, parkedAt, missingFrom }: ParkedEvent,
): Promise<void> {
  await keep(trx, group, event.id);
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO parked (consumer, stream, revision, event, body, reason, parked_at)
    VALUES (${group}, ${key}, ${event.revision}, ${event.id}, ${JSON.stringify(event)}, ${reason}, ${parkedAt})
    ON CONFLICT (consumer, event) DO NOTHING`.execute(trx);
  // Former versions removed a parked event and its note one after the other, and a crash in between left the note.
  if (numAffectedRows > 0n) await removeNote(trx, group, event.id);
  if (missingFrom === undefined) return;
  await sql`
    INSERT INTO parked_notes (consumer, event, missing_from) VALUES (${group}, ${event.id}, ${missingFrom})
    ON CONFLICT (consumer, event) DO UPDATE SET missing_from =
      CASE WHEN parked_notes.missing_from < excluded.missing_from THEN parked_notes.missing_from
        ELSE excluded.missing_from END`.execute(trx);
}

async function removeParked(trx: QueryExecutorProvider, group: string, eventId: string): Promise<void> {
  await keep(trx, group, eventId);
  await sql`DELETE FROM parked WHERE consumer = ${group} AND event = ${eventId}`.execute(trx);
  // An operator may have discarded the event while it was handled.
  await sql`DELETE FROM discarded WHERE consumer = ${group} AND event = ${eventId}`.execute(trx);
  await removeNote(trx, group, eventId);
}

/** Parked events, for SQLite and PostgreSQL. */
export const createParkedEvents = (db: QueryExecutorProvider, transaction: RunTransaction): ParkedEvents => ({
  add: (parked) => transaction((trx) => insert(trx, parked)),
  async keep(group, eventId) {
    let isParked = false;
    await transaction(async (trx) => {
      isParked = await keepParked(trx, group, eventId);
    });
    return isParked;
  },
  replace: (parked) =>
    transaction(async (trx) => {
      if (!(await replaceParked(trx, parked))) await insert(trx, parked);
    }),
  async list(group, key) {
    const { rows } = await sql<ParkedRow>`
      SELECT ${columns} FROM ${parkedWithNotes}
      WHERE NOT ${isDiscarded} ${matches(group, key)} ORDER BY p.stream, p.revision, p.consumer`.execute(db);
    return rows.map(parkedEvent);
  },
  reasons: (...page) => reasonsAfter(db, ...page),
  page: (group, key, limit, after) => eventsAfter(db, group, limit, after, key),
  isAwaited: (...event) => isAwaited(db, ...event),
  place: (group, key, eventId) => placeOf(db, group, key, eventId),
  async failedAgain(group, eventId, { reason, at }) {
    await sql`
      INSERT INTO parked_notes (consumer, event, failed_because, failed_at, failures)
      SELECT p.consumer, p.event, CAST(${reason} AS text), CAST(${at} AS text), 1 FROM parked p
      WHERE p.consumer = ${group} AND p.event = ${eventId}
      ON CONFLICT (consumer, event) DO UPDATE SET failed_because = excluded.failed_because,
        failed_at = excluded.failed_at, failures = COALESCE(parked_notes.failures, 0) + 1`.execute(db);
  },
  async gapFilled(group, eventId) {
    await sql`
      INSERT INTO parked_notes (consumer, event, missing_from)
      SELECT p.consumer, p.event, p.revision FROM parked p WHERE p.consumer = ${group} AND p.event = ${eventId}
      ON CONFLICT (consumer, event) DO UPDATE SET missing_from = excluded.missing_from`.execute(db);
  },
  remove: (group, eventId) => transaction((trx) => removeParked(trx, group, eventId)),
  counts: () => countsOf(db),
  async keys(group) {
    const { rows } = await sql<{ stream: string }>`
      SELECT DISTINCT stream FROM parked p WHERE NOT ${isDiscarded} ${matches(group)}`.execute(db);
    return new Set(rows.map(({ stream }) => stream));
  },
  discard: (group, eventId, discard) => transaction((trx) => discardFirst(trx, group, eventId, discard)),
  async removeUndone(group, eventId, revision, isInLog) {
    await transaction(async (trx) => void (await noteRemoval(trx, group, eventId, revision)));
    if (!(await isInLog())) await transaction((trx) => removeNoted(trx, group, eventId, revision));
  },
  async discardTogether(group, key, eventIds, discard) {
    let discarded: ReadonlySet<string> = new Set();
    if (eventIds.length === 0) return discarded;
    await transaction(async (trx) => {
      discarded = await discardTogether(trx, group, key, eventIds, discard);
    });
    return discarded;
  },
  async discarded(group, key) {
    const { rows } = await sql<DiscardedRow>`
      SELECT ${columns}, x.actor, x.why, x.discarded_at
      FROM ${parkedWithNotes} JOIN discarded x ON x.consumer = p.consumer AND x.event = p.event
      WHERE true ${matches(group, key)} ORDER BY p.stream, p.revision, p.consumer`.execute(db);
    return rows.map((row) => ({
      ...parkedEvent(row),
      actor: row.actor,
      why: row.why,
      discardedAt: row.discarded_at,
    }));
  },
});
