import type { EventToAppend, Recorded } from '@ponte/event-sourcing';
import { categoryOf } from '@ponte/event-sourcing';
import type { SqliteDatabase } from './database';

/** An event of the log; put together at most once, and only when somebody wants it. */
export class StoredEvent {
  private made: Recorded | undefined;
  readonly category: string;

  /** `source` is the row's body, or the event itself where it was just appended: then nobody has to parse it again. */
  constructor(
    readonly position: number, private readonly stream: string, private readonly revision: number, private readonly source: string | EventToAppend,
  ) {
    this.category = categoryOf(stream);
  }

  get event(): Recorded {
    return (this.made ??= recorded(typeof this.source === 'string' ? JSON.parse(this.source) as EventToAppend : this.source, this.stream, this.revision, this.position));
  }
}

export interface Row { readonly position: number; readonly stream: string; readonly revision: number; readonly body: string }
/** A row on its way into the table. */
export interface NewRow extends Row { readonly event: EventToAppend }

/**
 * `position` counts the events of all streams from 1, without gaps. The unique index serves the reading of a stream and
 * is the belt under the check in memory: two events can never stand at one revision.
 */
export const EVENT_SCHEMA = `
  CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    revision INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS events_of_stream ON events (stream, revision);
`;

/** What is stored of an event besides its place. Anything that JSON cannot say throws here, before it is accepted. */
export const bodyOf = ({ id, type, version, data, meta }: EventToAppend): string => JSON.stringify({ id, type, version, data, meta });

function valuesOf(rows: readonly Row[], from: number, count: number): unknown[] {
  const values: unknown[] = [];
  for (let at = from; at < from + count; at += 1) {
    const { position, stream, revision, body } = rows[at] as Row;
    values.push(position, stream, revision, body);
  }
  return values;
}

const recorded = ({ id, type, version, data, meta }: EventToAppend, stream: string, revision: number, position: number): Recorded =>
  ({ id, stream, revision, position: String(position), type, version, data, meta });

/** Rows that go in by one call where there are so many: the call costs as much as the row. */
const ROWS_AT_ONCE = 8;

/** The statements of the log, each prepared once. */
export function eventTable(db: SqliteDatabase) {
  const insertOf = (rows: number) => db.prepare(`INSERT INTO events (position, stream, revision, body) VALUES ${Array(rows).fill('(?, ?, ?, ?)').join(', ')}`);
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const insertOne = insertOf(1);
  const insertMany = insertOf(ROWS_AT_ONCE);
  const ofStream = db.prepare('SELECT position, stream, revision, body FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?');
  const anyOfStream = db.prepare('SELECT 1 FROM events WHERE stream = ? LIMIT 1');
  const after = db.prepare('SELECT position, stream, revision, body FROM events WHERE position > ? ORDER BY position LIMIT ?');
  const headOfStream = db.prepare('SELECT max(revision) AS head FROM events WHERE stream = ?');
  const headOfLog = db.prepare('SELECT max(position) AS head FROM events');
  return {
    begin: (): void => void begin.run(),
    commit: (): void => void commit.run(),
    rollback: (): void => { if (db.inTransaction) db.exec('ROLLBACK'); },
    insert: (rows: readonly Row[]): void => {
      let at = 0;
      for (; at + ROWS_AT_ONCE <= rows.length; at += ROWS_AT_ONCE) insertMany.run(valuesOf(rows, at, ROWS_AT_ONCE));
      for (; at < rows.length; at += 1) insertOne.run(valuesOf(rows, at, 1));
    },
    /** Far cheaper than an empty {@link EventTable.stream}: the driver's lists cost more than the look. */
    exists: (stream: string): boolean => anyOfStream.get(stream) !== undefined,
    stream: (stream: string, from: number, limit: number): Recorded[] =>
      (ofStream.all(stream, from, limit) as Row[]).map((row) => recorded(JSON.parse(row.body) as EventToAppend, row.stream, row.revision, row.position)),
    page: (position: number, limit: number): StoredEvent[] =>
      (after.all(position, limit) as Row[]).map((row) => new StoredEvent(row.position, row.stream, row.revision, row.body)),
    /** -1 when the stream does not exist. */
    headOf: (stream: string): number => (headOfStream.get(stream) as { head: number | null }).head ?? -1,
    /** 0 when the log is empty. */
    head: (): number => (headOfLog.get() as { head: number | null }).head ?? 0,
  };
}

export type EventTable = ReturnType<typeof eventTable>;
