import { BACKWARDS, END } from '@eventstore/db-client';
import type {
  Appended, EventStore, EventToAppend, LogFilter, LogSubscription, Position, ReadOptions, Recorded,
} from '@ponte/event-sourcing';
import { categoryOf, EventStoreUnavailable, NO_STREAM, Turns } from '@ponte/event-sourcing';
import { AppendLine } from './append-line';
import type { EventOnWire } from './append-wire';
import type { Connections } from './connection';
import { connect, disconnect } from './connection';
import { appendFailure, isStreamNotFound, readFailure } from './failures';
import { Gate } from './gate';
import { LogTail } from './log-tail';
import type { EventStoreDbLimits, EventStoreDbOptions } from './options';
import { LIMITS } from './options';
import { comparePositions, toPosition } from './position';
import { eventsOf } from './reading';
import { toRecorded, toWire } from './recorded';

/** An append with less time left than this is not sent: it would hardly be answered, and then nobody would know. */
const MIN_SEND_MS = 20;
const DEFAULT_BATCH = 256;
const MAX_BATCH = 4_096;

/** See `openEventStoreDb`. */
export class EventStoreDb implements EventStore {
  readonly soleWriter = false;
  private readonly limits: EventStoreDbLimits;
  private readonly connections: Connections;
  private readonly line: AppendLine;
  /** Appends of this process to one stream go one by one: calls on the wire may overtake each other. */
  private readonly turns = new Turns();
  private readonly gate: Gate;
  private readonly pending = new Set<Promise<unknown>>();
  private readonly tails = new Set<LogTail>();
  /** For each category the place of the last event that this store wrote. */
  private readonly written = new Map<string, Position>();
  private closed = false;

  constructor(private readonly options: EventStoreDbOptions) {
    this.limits = { ...LIMITS, ...options.limits };
    this.gate = new Gate(this.limits.inFlight);
    this.connections = connect(options.connectionString, options.connectionName ?? `ponte ${process.pid}`);
    this.line = new AppendLine(this.connections.appends);
  }

  async append(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Promise<Appended> {
    if (events.length === 0) throw new TypeError('an append needs at least one event');
    if (!Number.isSafeInteger(expectedRevision) || expectedRevision < NO_STREAM) throw new RangeError('an expected revision is NO_STREAM or a revision');
    this.assertOpen();
    if (this.pending.size >= this.limits.waiting) throw new EventStoreUnavailable('too many appends are waiting for the event store');
    const data = events.map(toWire);
    const deadline = performance.now() + this.limits.appendMs;
    const send = (): Promise<Appended> => this.gate.pass(() => this.send(stream, expectedRevision, data, deadline));
    const appending = this.turns.take(stream, send);
    const settled = appending.then(() => undefined, () => undefined);
    this.pending.add(settled);
    void settled.then(() => this.pending.delete(settled));
    return appending;
  }

  async read(stream: string, { from = 0, limit }: ReadOptions = {}): Promise<Recorded[]> {
    this.assertOpen();
    if (limit !== undefined && limit <= 0) return [];
    try {
      const reading = this.connections.reads.readStream(stream, { fromRevision: BigInt(from), ...(limit !== undefined && { maxCount: limit }) });
      const events: Recorded[] = [];
      for await (const { event } of eventsOf(reading, this.limits.readMs)) if (event) events.push(toRecorded(event));
      return events;
    } catch (error) {
      if (isStreamNotFound(error)) return [];
      throw readFailure(error);
    }
  }

  subscribe({ categories, after, batchSize = DEFAULT_BATCH }: LogFilter = {}): LogSubscription {
    this.assertOpen();
    if (categories?.length === 0) throw new TypeError('a subscription without any category would get nothing');
    const { limits, connections, options: { logger } } = this;
    const tail: LogTail = new LogTail({
      client: connections.subscriptions, reads: connections.reads, logger, resubscribeMs: limits.resubscribeMs, categories, limits,
      written: () => this.lastWritten(categories),
      gone: (gone) => this.tails.delete(gone),
    }, after, Math.min(MAX_BATCH, Math.max(1, batchSize)));
    this.tails.add(tail);
    return tail;
  }

  async head(): Promise<Position | undefined> {
    this.assertOpen();
    try {
      const reading = this.connections.reads.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 });
      for await (const { event } of eventsOf(reading, this.limits.readMs)) if (event) return toPosition(event.position);
      return undefined;
    } catch (error) {
      throw readFailure(error);
    }
  }

  comparePositions(a: Position, b: Position): number { return comparePositions(a, b); }

  /** Appends that were accepted are answered first; their own time-outs bound the wait. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await Promise.all([...this.tails].map((tail) => tail.close()));
    await Promise.all(this.pending);
    await disconnect(this.connections);
  }

  private async send(stream: string, expected: number, events: readonly EventOnWire[], deadline: number): Promise<Appended> {
    const left = Math.floor(deadline - performance.now());
    if (left < MIN_SEND_MS) throw new EventStoreUnavailable('the append waited too long for its turn');
    try {
      const revision = expected === NO_STREAM ? undefined : expected;
      const kept = await this.line.append({ stream, revision, events, until: Date.now() + left }, left);
      const appended = { revision: kept.revision, position: toPosition(kept.position) };
      this.note(stream, appended.position);
      return appended;
    } catch (error) {
      throw appendFailure(stream, expected, error);
    }
  }

  private note(stream: string, position: Position): void {
    const category = categoryOf(stream);
    const before = this.written.get(category);
    if (before === undefined || comparePositions(before, position) < 0) this.written.set(category, position);
  }

  private lastWritten(categories: readonly string[] | undefined): Position | undefined {
    let last: Position | undefined;
    for (const category of categories ?? this.written.keys()) {
      const position = this.written.get(category);
      if (position !== undefined && (last === undefined || comparePositions(last, position) < 0)) last = position;
    }
    return last;
  }

  private assertOpen(): void {
    if (this.closed) throw new EventStoreUnavailable('the event store is closed');
  }
}
