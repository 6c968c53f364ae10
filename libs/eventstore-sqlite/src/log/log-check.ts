import { setImmediate as immediately } from 'node:timers/promises';
import type { SqliteDatabase } from '../database';
import type { Row } from './event-table';
import type { Checksum } from './log-writer';
import { checksumStep, RunningChecksum } from './log-writer';
import { EventLogDamaged, isDamage } from './log-damage';

/** Number of stored checksums before the last one that are verified at each start: ten thousand events, about 30 ms. */
const TAIL_CHECKSUMS = 10;
const PAGE = 1_000;
const MAX_FAULTS = 20;

/** The result of checking a whole log. */
export interface LogReport {
  readonly events: number;
  readonly streams: number;
  /** The first {@link MAX_FAULTS} faults; empty if the log is undamaged. */
  readonly faults: readonly string[];
}

interface Gap {
  readonly stream: string;
  readonly events: number;
  readonly head: number;
}

/** The statements of both checks. */
function reading(db: SqliteDatabase) {
  const rows = db.prepare(
    'SELECT position, stream, revision, body FROM events WHERE position > ? ORDER BY position LIMIT ?',
  );
  const checksums = db.prepare(
    'SELECT position, digest FROM log_checksums WHERE position > ? ORDER BY position LIMIT ?',
  );
  const newest = db.prepare('SELECT position, digest FROM log_checksums ORDER BY position DESC LIMIT ?');
  const head = db.prepare('SELECT max(position) AS head FROM events');
  return {
    page: (after: number): Row[] => rows.all(after, PAGE) as Row[],
    checksumsAfter: (position: number, limit = -1): Checksum[] => checksums.all(position, limit) as Checksum[],
    newest: (): Checksum[] => (newest.all(TAIL_CHECKSUMS + 1) as Checksum[]).reverse(),
    head: (): number => (head.get() as { head: number | null }).head ?? 0,
    /** One pass over the index of streams, about 0.3 s per million events. */
    gap: (): Gap | undefined =>
      db
        .prepare(
          `
      SELECT stream, count(*) AS events, max(revision) AS head FROM events GROUP BY stream
        HAVING count(*) <> max(revision) + 1 LIMIT 1`,
        )
        .get() as Gap | undefined,
    count: (): number => (db.prepare('SELECT count(*) AS count FROM events').get() as { count: number }).count,
  };
}

const cutOff = (head: number, reported: number): string =>
  `it ends at position ${head}, but events up to position ${reported} were acknowledged; the end of the log or of its "-wal" file is missing`;

/**
 * The check at every start: the log ends where it was acknowledged to end, no position and no revision of a stream is
 * missing, and the checksums of its end are correct. Returns the checksum to continue with; throws {@link
 * EventLogDamaged}.
 */
export function verifyTail(file: string, db: SqliteDatabase, mark: Checksum | undefined): RunningChecksum {
  const { page, newest, head: readHead, gap, count } = reading(db);
  const damaged = (what: string): never => {
    throw new EventLogDamaged(file, what);
  };
  const head = readHead();
  const known = newest();
  const [start = begin(db, head), ...due] = known;
  const reported = Math.max(mark?.position ?? 0, known.at(-1)?.position ?? 0);
  if (reported > head) return damaged(cutOff(head, reported));
  const events = count();
  if (events !== head) return damaged(`${head - events} of ${head} events are missing`);
  const found = gap();
  if (found) return damaged(`stream ${found.stream} has ${found.events} events, but is at revision ${found.head}`);
  const running = new RunningChecksum(start);
  // After a power failure the mark may be older than the checksums and then adds nothing.
  if (mark && mark.position > start.position) due.push(mark);
  due.sort((a, b) => a.position - b.position);
  while (running.position < head) {
    const rows = page(running.position);
    if (rows.length === 0) return damaged(`events after position ${running.position} cannot be read`);
    for (const row of rows) {
      const stored = running.add(row) ?? (due[0]?.position === row.position ? running.current : undefined);
      for (; due[0]?.position === row.position; due.shift())
        if (due[0].digest !== stored?.digest) return damaged(changed(start.position, row.position));
    }
  }
  return running;
}

const changed = (from: number, to: number): string =>
  `an event between positions ${from + 1} and ${to} was changed (wrong checksum)`;

/** Stores the first checksum of a log. */
function begin(db: SqliteDatabase, head: number): Checksum {
  const first = { position: head, digest: '' };
  const [sql, values] = checksumStep(first);
  db.prepare(sql).run(...values);
  return first;
}

/**
 * Checks the whole log and continues after damaged places. With `alone`, the thread may be blocked, so SQLite checks
 * its pages too.
 */
export async function checkWholeLog(
  db: SqliteDatabase,
  mark: Checksum | undefined,
  alone: boolean,
): Promise<LogReport> {
  const faults: string[] = [];
  const revisions = new Map<string, number>();
  let position = 0;
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!isDamage(error)) throw error;
      faults.push(`after position ${position}: ${error instanceof Error ? error.message : 'damaged'}`);
    }
  };
  if (alone) attempt(() => faults.push(...pageFaults(db)));
  const { page, checksumsAfter, head } = reading(db);
  let running: RunningChecksum | undefined;
  let last = 0;
  attempt(() => {
    last = head();
    const [first] = checksumsAfter(-1, 1);
    running = new RunningChecksum(first ?? { position: 0, digest: '' });
  });
  for (let read = true; read && faults.length < MAX_FAULTS;) {
    read = false;
    attempt(() => {
      const rows = page(position);
      const due = new Map(checksumsAfter(position, PAGE + 1).map((one) => [one.position, one.digest]));
      if (mark) due.set(mark.position, mark.digest);
      for (const row of rows) {
        faults.push(...faultsOf(row, position, revisions));
        position = row.position;
        if (!running || position <= running.position) continue;
        const digest = running.add(row)?.digest ?? (due.has(position) ? running.current.digest : undefined);
        const stored = due.get(position);
        if (stored === undefined || stored === digest) continue;
        faults.push(changed(Math.max(0, position - PAGE), position));
        running = new RunningChecksum({ position, digest: stored });
      }
      read = rows.length > 0;
    });
    await immediately();
  }
  const reported = Math.max(mark?.position ?? 0, checksumsOrNone(checksumsAfter));
  if (reported > last) faults.push(cutOff(last, reported));
  return { events: last, streams: revisions.size, faults: faults.slice(0, MAX_FAULTS) };
}

function checksumsOrNone(after: (position: number) => Checksum[]): number {
  try {
    return after(-1).at(-1)?.position ?? 0;
  } catch {
    return 0;
  }
}

function faultsOf({ position, stream, revision, body }: Row, before: number, revisions: Map<string, number>): string[] {
  const faults: string[] = [];
  if (position !== before + 1) faults.push(`positions ${before + 1} to ${position - 1} are missing`);
  const expected = (revisions.get(stream) ?? -1) + 1;
  if (revision !== expected)
    faults.push(`stream ${stream} has revision ${revision} at position ${position} instead of ${expected}`);
  revisions.set(stream, revision);
  try {
    JSON.parse(body);
  } catch {
    faults.push(`the event at position ${position} cannot be read`);
  }
  return faults;
}

function pageFaults(db: SqliteDatabase): string[] {
  const rows = db.prepare(`PRAGMA integrity_check(${MAX_FAULTS})`).all() as { integrity_check: string }[];
  return rows.map(({ integrity_check: text }) => text).filter((text) => text !== 'ok');
}
