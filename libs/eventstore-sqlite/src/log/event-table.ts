import { setImmediate as immediately } from 'node:timers/promises';
import type { EventToAppend, NewestOptions, Recorded } from '@ponte/event-sourcing';
import { categoryOf } from '@ponte/event-sourcing';
import type { SqliteDatabase } from '../database';
import type { Step } from '../transactions';

/** An event of the log. It is parsed at most once, and only when needed. */
export class StoredEvent {
  private made: Recorded | undefined;
  readonly category: string;

  /** `source` is the row's body or, right after an append, the event itself, which then need not be parsed. */
  constructor(
    readonly position: number,
    private readonly stream: string,
    private readonly revision: number,
    private readonly source: string | EventToAppend,
  ) {
    this.category = categoryOf(stream);
  }

  get event(): Recorded {
    return (this.made ??= recorded(
      typeof this.source === 'string' ? (JSON.parse(this.source) as EventToAppend) : this.source,
      this.stream,
      this.revision,
      this.position,
    ));
  }
}

export interface Row {
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  readonly body: string;
}
export interface NewRow extends Row {
  readonly event: EventToAppend;
}

/**
 * `position` counts the events of all streams from 1, without gaps. The unique index is used to read a stream, and it
 * backs up the check in memory: two events can never have the same revision.
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

/**
 * The stored text of an event, without its place. Throws for data that JSON cannot represent, before it is accepted.
 */
export const bodyOf = ({ id, type, version, data, meta }: EventToAppend): string =>
  JSON.stringify({ id, type, version, data, meta });

const recorded = (
  { id, type, version, data, meta }: EventToAppend,
  stream: string,
  revision: number,
  position: number,
): Recorded => ({ id, stream, revision, position: String(position), type, version, data, meta });

/** Number of rows per insert statement when there are enough rows, because a call costs as much as a row. */
const ROWS_AT_ONCE = 8;
const insertOf = (rows: number): string =>
  `INSERT INTO events (position, stream, revision, body) VALUES ${Array(rows).fill('(?, ?, ?, ?)').join(', ')}`;
const [INSERT_ONE, INSERT_MANY] = [insertOf(1), insertOf(ROWS_AT_ONCE)];

/** The statements that insert rows into the log. */
export function stepsOf(rows: readonly Row[]): Step[] {
  const steps: Step[] = [];
  let at = 0;
  for (; at + ROWS_AT_ONCE <= rows.length; at += ROWS_AT_ONCE)
    steps.push([INSERT_MANY, valuesOf(rows, at, ROWS_AT_ONCE)]);
  for (; at < rows.length; at += 1) steps.push([INSERT_ONE, valuesOf(rows, at, 1)]);
  return steps;
}

function valuesOf(rows: readonly Row[], from: number, count: number): unknown[] {
  const values: unknown[] = [];
  for (let at = from; at < from + count; at += 1) {
    const { position, stream, revision, body } = rows[at] as Row;
    values.push(position, stream, revision, body);
  }
  return values;
}

const namesOf = (categories: Iterable<string>): string => [...categories].map((category) => `,${category}-`).join('');

/** Prepares the statements that read the log. */
export function eventTable(db: SqliteDatabase) {
  const ofStream = db.prepare(
    'SELECT position, stream, revision, body FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?',
  );
  const anyOfStream = db.prepare('SELECT 1 FROM events WHERE stream = ? LIMIT 1');
  // Skipped events are read without their body, which is nearly the whole cost of a row.
  const after = db.prepare(`
    SELECT position, stream, revision,
      CASE WHEN ?1 = '' OR instr(?1, ',' || substr(stream, 1, instr(stream, '-'))) > 0 THEN body ELSE '' END AS body
    FROM events WHERE position > ?2 ORDER BY position LIMIT ?3`);
  const backwards = db.prepare(`
    SELECT position, stream, revision, body FROM events
    WHERE position >= ?2 AND position < ?3 AND instr(?1, ',' || substr(stream, 1, instr(stream, '-'))) > 0
    ORDER BY position DESC LIMIT ?4`);
  const headOfStream = db.prepare('SELECT max(revision) AS head FROM events WHERE stream = ?');
  const greatestOfRange = db.prepare('SELECT max(stream) AS greatest FROM events WHERE stream >= ? AND stream < ?');
  const headOfLog = db.prepare('SELECT max(position) AS head FROM events');
  return {
    /** Far cheaper than an empty {@link EventTable.stream}, because the driver's lists cost more than the query. */
    exists: (stream: string): boolean => anyOfStream.get(stream) !== undefined,
    stream: (stream: string, from: number, limit: number): Recorded[] =>
      (ofStream.all(stream, from, limit) as Row[]).map((row) =>
        recorded(JSON.parse(row.body) as EventToAppend, row.stream, row.revision, row.position),
      ),
    /** Events of other categories have no body. */
    page: (position: number, limit: number, categories?: ReadonlySet<string>): StoredEvent[] =>
      (after.all(categories ? namesOf(categories) : '', position, limit) as Row[]).map(
        (row) => new StoredEvent(row.position, row.stream, row.revision, row.body),
      ),
    /** Events of some categories from position `start` to before `end`, newest first. */
    pageBackwards: (start: number, end: number, limit: number, categories: Iterable<string>): Recorded[] =>
      (backwards.all(namesOf(categories), start, end, limit) as Row[]).map((row) =>
        recorded(JSON.parse(row.body) as EventToAppend, row.stream, row.revision, row.position),
      ),
    /** -1 if the stream does not exist. */
    headOf: (stream: string): number => (headOfStream.get(stream) as { head: number | null }).head ?? -1,
    /** The greatest name of the category's streams; empty if there are none. */
    greatestOf: (category: string): string =>
      (greatestOfRange.get(`${category}-`, `${category}.`) as { greatest: string | null }).greatest ?? '',
    /** 0 if the log is empty. */
    head: (): number => (headOfLog.get() as { head: number | null }).head ?? 0,
  };
}

export type EventTable = ReturnType<typeof eventTable>;

/** Number of positions in one page. */
const NEWEST_PAGE = 4_096;

/** Events from position `start` to before `end`, newest first. */
type PageBackwards = (start: number, end: number, limit: number) => readonly Recorded[];

/** The last events before a position, read page by page, so that other work can run however rare the events are. */
export async function newestEvents(
  page: PageBackwards,
  last: number,
  { limit, before }: NewestOptions,
): Promise<Recorded[]> {
  const found: Recorded[] = [];
  let end = before === undefined ? last + 1 : Math.min(Number(before), last + 1);
  while (found.length < limit && end > 1) {
    const start = Math.max(1, end - NEWEST_PAGE);
    found.push(...page(start, end, limit - found.length));
    end = start;
    await immediately();
  }
  return found;
}
