import { setImmediate as immediately } from 'node:timers/promises';
import type {
  Appended,
  EventToAppend,
  LogFilter,
  LogSubscription,
  NewestOptions,
  Position,
  ReadOptions,
  Recorded,
} from '@ponte/event-sourcing';
import { EventStoreUnavailable, NO_STREAM } from '@ponte/event-sourcing';
import { lruCache } from '@ponte/kernel';
import type { AppendBatch, Known } from './append-batch';
import { waiting } from './append-batch';
import type { SqliteEventStore } from './checked-event-store';
import type { EventTable, Row } from './event-table';
import { eventTable, newestEvents } from './event-table';
import { asUnavailable, damaged, GroupCommit } from './group-commit';
import type { LogReport } from './log-check';
import { checkWholeLog } from './log-check';
import type { Checksum, HeadMark, RunningChecksum, LogWriter } from './log-writer';
import { checksumStep, WriteProbe } from './log-writer';
import { isDamage } from './log-damage';
import type { OwnedFile } from '../owner';
import { NewStreams } from './new-streams';
import { Readers } from './readers';
import type { Written } from '../writer-thread';

/** Number of streams whose head is kept in memory, so that checking an expected revision needs no query. */
const HEADS = 16_384;
/** Up to this many events are read without yielding to the event loop first. */
const SHORT_READ = 256;

/** The event log in one SQLite file; see `openSqliteEventStore`. */
export class SqliteLog implements SqliteEventStore {
  readonly soleWriter = true;
  private readonly table: EventTable;
  private readonly heads = lruCache<string, number>(HEADS);
  private readonly newStreams: NewStreams;
  private readonly readers = new Readers();
  private readonly groups: GroupCommit;
  /** The end of the log as published to readers. */
  private last: number;
  private closing: Promise<void> | undefined;

  /** Checksums to be stored with the next events. */
  private readonly dueChecksums: Checksum[] = [];
  private readonly probe: WriteProbe;

  constructor(
    private readonly owned: OwnedFile,
    writer: LogWriter,
    private readonly running: RunningChecksum,
    private readonly mark: HeadMark,
  ) {
    const table = (this.table = eventTable(owned.db));
    this.newStreams = new NewStreams(table);
    this.last = table.head();
    const known: Known = {
      head: () => this.last,
      headInMemory: (stream) => this.heads.get(stream),
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
    // Yields before each page, so that timers and sockets can run while a long stream is read.
    if (options.from && (options.limit ?? Infinity) > SHORT_READ) await immediately();
    return this.reading(() => {
      // Most reads are the first read of a stream that is about to be created.
      const head = this.heads.get(stream);
      if (head === NO_STREAM || (head === undefined && this.newStreams.isNew(stream))) return [];
      const only = head === 0 && !options.from ? this.newStreams.firstOf(stream) : undefined;
      if (only) return [only].slice(0, options.limit);
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
      // The table may be ahead of what was published, and an event must not be read before it is published. Positions
      // have no gaps, so the limit follows from the last published position.
      page: (position, limit, categories) =>
        this.reading(() => this.table.page(position, Math.max(0, Math.min(limit, this.last - position)), categories)),
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

  /** Waiting appends are written and answered first. */
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
    this.newStreams.begin(rows);
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
      this.newStreams.keep(row);
      const checksum = this.running.add(row);
      if (checksum) this.dueChecksums.push(checksum);
    }
    if (batch.rows.length > 0) this.mark.write(this.running.current);
    this.last += batch.rows.length;
  }

  private headOf(stream: string): number {
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
