import type { Appended, EventStore, EventToAppend, LogFilter, LogSubscription, Position, ReadOptions, Recorded } from '@ponte/event-sourcing';
import { AppendOutcomeUnknown, EventStoreUnavailable, NO_STREAM, RecentMap } from '@ponte/event-sourcing';
import type { Known, Waiting } from './append-batch';
import { AppendBatch, waiting } from './append-batch';
import type { SqliteDatabase } from './database';
import { limitSize, sqliteCode } from './database';
import type { EventTable } from './event-table';
import { EVENT_SCHEMA, eventTable } from './event-table';
import { openAsOwner, releaseOwnership } from './owner';
import { Readers } from './readers';

export interface SqliteEventStoreOptions {
  readonly file: string;
  /** `full` unless said otherwise; `off` acknowledges before the disk has it, for tests and simulations. */
  readonly durability?: 'full' | 'off';
  /** The log takes no more than this; without it the disk is the limit. */
  readonly maxBytes?: number;
}

/** Streams whose head is kept in memory, so that a check costs no query. */
const HEADS = 16_384;
/** Appends in one transaction: bounds how long the first of them waits for the last. */
const MAX_GROUP = 2_048;
/** Appends that may wait; beyond it the disk cannot keep up and the caller is told at once. */
const MAX_WAITING = 50_000;

/**
 * The log in one SQLite file, durable in groups: what arrives in one turn of the event loop is one transaction, and is
 * answered when that is on the disk. One process owns the file; a second gets `EventStoreLocked`.
 */
export function openSqliteEventStore(options: SqliteEventStoreOptions): EventStore {
  const db = openAsOwner(options.file, EVENT_SCHEMA, options.durability ?? 'full');
  if (options.maxBytes !== undefined) limitSize(db, options.maxBytes);
  return new SqliteEventStore(options.file, db);
}

class SqliteEventStore implements EventStore {
  readonly soleWriter = true;
  private readonly table: EventTable;
  private readonly heads = new RecentMap<string, number>(HEADS);
  private readonly readers = new Readers();
  private readonly known: Known;
  private queue: Waiting[] = [];
  private last: number;
  private scheduled = false;
  /** Why no more is accepted. */
  private stopped: EventStoreUnavailable | undefined;
  private closing = false;

  constructor(private readonly file: string, private readonly db: SqliteDatabase) {
    this.table = eventTable(db);
    this.last = this.table.head();
    const { table } = this;
    this.known = { head: 0, knownHead: (stream) => this.heads.get(stream), headOf: (stream) => this.headOf(stream), run: (stream, from, limit) => table.stream(stream, from, limit) };
  }

  append(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Promise<Appended> {
    return new Promise<Appended>((kept, failed) => {
      if (events.length === 0) throw new TypeError('an append needs at least one event');
      this.assertOpen();
      if (this.queue.length >= MAX_WAITING) throw new EventStoreUnavailable('too many appends are waiting for the disk');
      this.queue.push(waiting(stream, expectedRevision, events, kept, failed));
      this.schedule();
    });
  }

  async read(stream: string, options: ReadOptions = {}): Promise<Recorded[]> {
    return this.reading(() => {
      // Most reads are the first look at a stream that is about to begin.
      if (this.heads.get(stream) === NO_STREAM) return [];
      if (!options.from && !this.table.exists(stream)) {
        this.heads.set(stream, NO_STREAM);
        return [];
      }
      const events = this.table.stream(stream, options.from ?? 0, options.limit ?? -1);
      if (options.limit === undefined && !options.from) this.heads.set(stream, events.length - 1);
      return events;
    });
  }

  subscribe(filter: LogFilter = {}): LogSubscription {
    this.assertReadable();
    return this.readers.subscribe(filter, {
      head: () => this.last,
      page: (position, limit) => this.reading(() => this.table.page(position, limit)),
    });
  }

  async head(): Promise<Position | undefined> {
    this.assertReadable();
    return this.last === 0 ? undefined : String(this.last);
  }

  comparePositions(a: Position, b: Position): number { return Number(a) - Number(b); }

  /** What waits is written and answered first. */
  async close(): Promise<void> {
    if (this.closing) return;
    this.closing = true;
    while (this.queue.length > 0) this.commitWaiting();
    this.stopped ??= new EventStoreUnavailable('the event store is closed');
    this.readers.end();
    releaseOwnership(this.file, this.db);
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    // A second turn of the loop: what the sockets brought meanwhile joins the group. Alone, a turn costs next to nothing.
    setImmediate(() => setImmediate(() => {
      this.scheduled = false;
      this.commitWaiting();
      if (this.queue.length > 0) this.schedule();
    }));
  }

  private commitWaiting(): void {
    if (this.queue.length === 0) return;
    const group = this.queue.splice(0, MAX_GROUP);
    const batch = this.write(group);
    if (!batch) return;
    for (const [stream, head] of batch.heads) this.heads.set(stream, head);
    this.last += batch.rows.length;
    batch.answer();
    if (batch.rows.length > 0) this.readers.add(batch.rows, this.last);
  }

  /** Undefined when nothing was kept; then everybody in the group has been told. */
  private write(group: readonly Waiting[]): AppendBatch | undefined {
    let committing = false;
    try {
      if (this.stopped) throw this.stopped;
      const batch = this.insert(group);
      if (batch.rows.length === 0) return batch;
      committing = true;
      this.table.commit();
      return batch;
    } catch (error) {
      this.fail(group, error, committing && sqliteCode(error) !== 'SQLITE_FULL');
      return undefined;
    }
  }

  /** Judges a group and puts what is accepted into a transaction, which stays open when there is any. */
  private insert(group: readonly Waiting[]): AppendBatch {
    const batch = new AppendBatch({ ...this.known, head: this.last }, group);
    if (batch.rows.length === 0) return batch;
    this.table.begin();
    try {
      this.table.insert(batch.rows);
      return batch;
    } catch (error) {
      if (batch.believedNew.length === 0 || !sqliteCode(error).startsWith('SQLITE_CONSTRAINT')) throw error;
      this.table.rollback();
      for (const stream of batch.believedNew) this.headOf(stream);
      return this.insert(group);
    }
  }

  /**
   * A failure before the commit kept nothing. One of the commit itself may have reached the disk and may come back after
   * a crash: nothing more is written on top of it until the file has been opened, and so recovered, again.
   */
  private fail(group: readonly Waiting[], error: unknown, unknown: boolean): void {
    try {
      this.table.rollback();
    } catch (stuck) {
      this.stopped ??= new EventStoreUnavailable('the event store stopped after a failed write; restart it', { cause: stuck });
    }
    if (unknown) this.stopped ??= new EventStoreUnavailable('the event store stopped after a failed commit; restart it', { cause: error });
    this.heads.clear();
    for (const { stream, failed } of group) {
      failed(unknown ? new AppendOutcomeUnknown(stream, { cause: error }) : asUnavailable(error));
    }
  }

  private headOf(stream: string): number {
    const held = this.heads.get(stream);
    if (held !== undefined) return held;
    const head = this.table.headOf(stream);
    this.heads.set(stream, head);
    return head;
  }

  private reading<T>(read: () => T): T {
    this.assertReadable();
    try {
      return read();
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  private assertOpen(): void {
    if (this.closing) throw new EventStoreUnavailable('the event store is closed');
    if (this.stopped) throw this.stopped;
  }

  /** A store that stopped writing can still be read. */
  private assertReadable(): void {
    if (this.closing) throw new EventStoreUnavailable('the event store is closed');
  }
}

const asUnavailable = (error: unknown): EventStoreUnavailable =>
  error instanceof EventStoreUnavailable ? error : new EventStoreUnavailable('the event store cannot read or write its file', { cause: error });
