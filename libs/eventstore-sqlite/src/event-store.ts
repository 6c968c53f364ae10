import { setImmediate as immediately } from 'node:timers/promises';
import type {
  Appended,
  EventStore,
  EventToAppend,
  LogFilter,
  LogSubscription,
  NewestOptions,
  Position,
  ReadOptions,
  Recorded,
} from '@ponte/event-sourcing';
import { EventStoreUnavailable, NO_STREAM } from '@ponte/event-sourcing';
import { LRUCache } from 'lru-cache';
import type { AppendBatch, Known } from './log/append-batch';
import { waiting } from './log/append-batch';
import { assertOneCheckpointer, sizeLimit } from './database';
import type { EventTable, Row } from './log/event-table';
import { EVENT_SCHEMA, eventTable } from './log/event-table';
import { asUnavailable, damaged, GroupCommit } from './log/group-commit';
import { HeadMark } from './log/head-mark';
import type { LogReport } from './log/log-check';
import { checkWholeLog, verifyTail } from './log/log-check';
import type { Checksum, RunningChecksum } from './log/log-checksum';
import { CHECKSUM_SCHEMA, checksumStep } from './log/log-checksum';
import { EventLogDamaged, isDamage, keepWalOf, namingDamage } from './log/log-damage';
import { letGo } from './let-go';
import type { LogWriter } from './log-writer';
import { inlineWriter, threadedWriter } from './log-writer';
import type { OwnedFile } from './owner';
import { newestEvents } from './log/newest-events';
import { openAsOwner, openSharedAsOwner, releaseOwnership } from './owner';
import { Readers } from './readers';
import { PROBE_SCHEMA, WriteProbe } from './write-probe';
import type { Written } from './writer-thread';

export interface SqliteEventStoreOptions {
  readonly file: string;
  /** `full` unless said otherwise; `off` acknowledges before the disk has it, for tests and simulations. */
  readonly durability?: 'full' | 'off';
  /**
   * `thread`: the rows are written and the disk is waited for in a thread of their own, for a process that has other
   * things to do meanwhile. `inline`, unless said otherwise: within the process's only thread, for tools and tests,
   * which do not pay for starting one.
   */
  readonly writes?: 'thread' | 'inline';
  /** The log takes no more than this; without it the disk is the limit. */
  readonly maxBytes?: number;
}

/** Streams whose head is kept in memory, so that checking an expected revision costs no query. */
const HEADS = 16_384;
/** Events that are read without a pause before them. */
const SHORT_READ = 256;
/**
 * The log in one SQLite file, durable in groups: what arrives in one turn of the event loop is one transaction, and is
 * answered when that is on the disk. One process owns the file; a second gets `EventStoreLocked`.
 */
export function openSqliteEventStore(options: SqliteEventStoreOptions): SqliteEventStore {
  const { file, durability = 'full', maxBytes } = options;
  if (options.writes === 'thread') {
    const owned = openSharedAsOwner(file, SCHEMA, durability);
    return verified(file, owned, () => {
      // The thread's connection is the only one that writes and checkpoints from here on.
      for (const pragma of ['wal_autocheckpoint = 0', 'query_only = ON']) owned.db.exec(`PRAGMA ${pragma}`);
      assertOneCheckpointer(file, owned.db);
      return threadedWriter(file, durability, owned.db, maxBytes);
    });
  }
  const db = openAsOwner(file, SCHEMA, durability);
  return verified(file, { db, release: () => releaseOwnership(file, db) }, () => {
    if (maxBytes !== undefined) db.prepare(sizeLimit(db, maxBytes)).get();
    return inlineWriter(db);
  });
}

/** Throws {@link EventLogDamaged} when the log is not what was acknowledged, and lets go of the file then. */
function verified(file: string, owned: OwnedFile, writer: () => LogWriter): SqliteEventStore {
  const mark = new HeadMark(`${file}.head`);
  try {
    const running = namingDamage(file, () => verifyTail(file, owned.db, mark.read()));
    return new SqliteLog(owned, writer(), running, mark);
  } catch (error) {
    mark.close();
    if (error instanceof EventLogDamaged) keepWalOf(file);
    letGo(owned);
    throw error;
  }
}

/**
 * Reads a whole log that cannot be opened as a store, or need not be. The caller must be the only one who has it open.
 */
export async function checkSqliteLog(file: string): Promise<LogReport> {
  const db = openAsOwner(file, SCHEMA, 'full');
  try {
    return await checkWholeLog(db, new HeadMark(`${file}.head`).read(), true);
  } finally {
    letGo({ db, release: () => releaseOwnership(file, db) });
  }
}

const SCHEMA = `${EVENT_SCHEMA}${CHECKSUM_SCHEMA}${PROBE_SCHEMA}`;

/** The embedded event store, and what is asked of it besides. */
export interface SqliteEventStore extends EventStore {
  /**
   * Rejects with {@link EventStoreUnavailable}, whose message says why, when an append would fail: a full disk, a
   * damaged file.
   */
  writable(): Promise<void>;
  /**
   * Reads the whole log, while the process goes on; with `alone` SQLite checks its pages too, and nothing else goes on
   * meanwhile.
   */
  check(alone?: boolean): Promise<LogReport>;
}

class SqliteLog implements SqliteEventStore {
  readonly soleWriter = true;
  private readonly table: EventTable;
  private readonly heads = new LRUCache<string, number>({ max: HEADS });
  private readonly readers = new Readers();
  private readonly groups: GroupCommit;
  /** The end of the log as published to readers. */
  private last: number;
  private closing: Promise<void> | undefined;

  /** Checksums that are to be stored with the next events. */
  private readonly dueChecksums: Checksum[] = [];
  private readonly probe: WriteProbe;

  constructor(
    private readonly owned: OwnedFile,
    writer: LogWriter,
    private readonly running: RunningChecksum,
    private readonly mark: HeadMark,
  ) {
    const table = (this.table = eventTable(owned.db));
    this.last = table.head();
    const known: Known = {
      head: () => this.last,
      headOf: (stream) => this.headOf(stream),
      run: (stream, from, limit) => table.stream(stream, from, limit),
    };
    this.probe = new WriteProbe(writer, () => this.groups.stoppedBy);
    this.groups = new GroupCommit({
      writer: { write: (rows, written) => this.write(writer, rows, written), close: () => writer.close() },
      known,
      kept: (batch) => this.took(batch),
      answered: (batch) => {
        if (batch.rows.length > 0) this.readers.add(batch.rows, this.last);
      },
      forget: () => this.heads.clear(),
    });
  }

  append(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Promise<Appended> {
    return new Promise<Appended>((kept, failed) => {
      if (events.length === 0) throw new TypeError('an append needs at least one event');
      this.assertOpen();
      this.groups.add(waiting(stream, expectedRevision, events, kept, failed));
    });
  }

  async read(stream: string, options: ReadOptions = {}): Promise<Recorded[]> {
    // Long streams are read in pages, so that timers and sockets can run in between.
    if (options.from && (options.limit ?? Infinity) > SHORT_READ) await immediately();
    return this.reading(() => {
      // Most reads are the first look at a stream that is about to begin.
      if (this.heads.get(stream) === NO_STREAM) return [];
      if (!options.from && !this.table.exists(stream)) {
        this.heads.set(stream, NO_STREAM);
        return [];
      }
      const events = this.table.stream(stream, options.from ?? 0, options.limit ?? -1);
      if (!options.from && events.length < (options.limit ?? Infinity)) this.heads.set(stream, events.length - 1);
      return events;
    });
  }

  subscribe(filter: LogFilter = {}): LogSubscription {
    this.assertOpen();
    return this.readers.subscribe(filter, {
      head: () => this.last,
      // The table may be ahead of what was published: an event must not be read before it is published. Positions have
      // no gaps.
      page: (position, limit, wanted) =>
        this.reading(() => this.table.page(position, Math.max(0, Math.min(limit, this.last - position)), wanted)),
    });
  }

  newest(options: NewestOptions): Promise<Recorded[]> {
    const page = (...at: [number, number, number]) =>
      this.reading(() => this.table.pageBackwards(...at, options.categories));
    return newestEvents(page, this.last, options);
  }

  async head(): Promise<Position | undefined> {
    this.assertOpen();
    return this.last === 0 ? undefined : String(this.last);
  }

  comparePositions(a: Position, b: Position): number {
    return Number(a) - Number(b);
  }

  /** What waits is written and answered first. */
  close(): Promise<void> {
    return (this.closing ??= this.end());
  }

  writable(): Promise<void> {
    this.assertOpen();
    return this.probe.writable();
  }

  check(alone = false): Promise<LogReport> {
    this.assertOpen();
    return checkWholeLog(this.owned.db, this.mark.read(), alone);
  }

  private async end(): Promise<void> {
    await this.groups.close();
    this.readers.end();
    this.mark.close();
    this.owned.release();
  }

  private write(writer: LogWriter, rows: readonly Row[], written: Written): void {
    const due = this.dueChecksums.length;
    writer.write(
      rows,
      (outcome) => {
        const failed = 'committing' in outcome;
        if (!failed) this.dueChecksums.splice(0, due);
        this.probe.saw(failed ? outcome : undefined);
        written(outcome);
      },
      this.dueChecksums.map(checksumStep),
    );
  }

  private took(batch: AppendBatch): void {
    for (const row of batch.rows) {
      this.heads.set(row.stream, row.revision);
      const checksum = this.running.add(row);
      if (checksum) this.dueChecksums.push(checksum);
    }
    if (batch.rows.length > 0) this.mark.write(this.running.current);
    this.last += batch.rows.length;
  }

  private headOf(stream: string): number {
    const held = this.heads.get(stream);
    if (held !== undefined) return held;
    const head = this.table.headOf(stream);
    this.heads.set(stream, head);
    return head;
  }

  private reading<T>(read: () => T): T {
    this.assertOpen();
    try {
      return read();
    } catch (error) {
      if (isDamage(error)) this.groups.stop(damaged(error));
      throw asUnavailable(error);
    }
  }

  /** A store that stopped writing can still be read. */
  private assertOpen(): void {
    if (this.closing) throw new EventStoreUnavailable('the event store is closed');
  }
}
