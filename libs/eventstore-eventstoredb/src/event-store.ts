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
import { EventStoreUnavailable } from '@ponte/event-sourcing';
import { Appends } from './appends';
import type { Connections } from './connection';
import { connect } from './connection';
import { LogTail } from './reading/log-tail';
import type { EventStoreDbLimits, EventStoreDbOptions } from './options';
import { LIMITS } from './options';
import { ReadingSlots } from './reading/reading-slots';
import { comparePositions } from './reading/position';
import { Reads } from './reading/reads';
import type { StoreFault } from './store-faults';
import { StoreFaults } from './store-faults';
import { SharedSubscription } from './reading/shared-subscription';

const DEFAULT_BATCH = 256;
const MAX_BATCH = 4_096;
/** Reads of the leader's end of the log within this time share one result. */
const SHARED_READ_MS = 500;

/** See `openEventStoreDb`. */
export class EventStoreDb implements EventStore {
  readonly soleWriter = false;
  private readonly limits: EventStoreDbLimits;
  private readonly connections: Connections;
  private readonly appends: Appends;
  private readonly reads: Reads;
  private readonly shared: SharedSubscription;
  private readonly slots: ReadingSlots;
  private readonly troubles = new StoreFaults();
  private readonly tails = new Set<LogTail>();
  private lastHeadRead: { readonly at: number; readonly end: Promise<Position | undefined> } | undefined;
  private unnamed = 0;
  private closed = false;

  constructor(private readonly options: EventStoreDbOptions) {
    const { connectionString, connectionName = `ponte ${process.pid}`, logger } = options;
    const limits = (this.limits = { ...LIMITS, ...options.limits });
    this.connections = connect(connectionString, connectionName, { logger, limits });
    this.appends = new Appends(this.connections, limits);
    this.reads = new Reads(this.connections, limits);
    this.slots = new ReadingSlots(limits.catchingUp);
    this.shared = new SharedSubscription({
      clients: this.connections.subscriptions,
      limits,
      logger,
      faults: this.troubles,
      leaderEnd: () => this.leaderEnd(),
      written: () => this.appends.lastWritten(undefined),
    });
  }

  async append(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Promise<Appended> {
    this.assertOpen();
    return this.appends.append(stream, expectedRevision, events);
  }

  async read(stream: string, options: ReadOptions = {}): Promise<Recorded[]> {
    this.assertOpen();
    if (options.limit !== undefined && options.limit <= 0) return [];
    return this.reads.read(stream, options);
  }

  subscribe({ categories, after, batchSize = DEFAULT_BATCH, reader }: LogFilter = {}): LogSubscription {
    this.assertOpen();
    if (categories?.length === 0) throw new TypeError('a subscription needs at least one category');
    const {
      limits,
      shared,
      slots,
      troubles: faults,
      options: { logger, isSkipped },
    } = this;
    const name = reader ?? `reader ${(this.unnamed += 1)} of ${categories?.join(', ') ?? 'everything'}`;
    const tail: LogTail = new LogTail(
      {
        shared,
        slots,
        limits,
        logger,
        faults,
        categories,
        name,
        isSkipped: isSkipped ?? (async () => false),
        leaderEnd: () => this.leaderEnd(),
        written: () => this.appends.lastWritten(categories),
        gone: (gone) => this.tails.delete(gone),
      },
      after,
      Math.min(MAX_BATCH, Math.max(1, batchSize)),
    );
    this.tails.add(tail);
    return tail;
  }

  async newest(options: NewestOptions): Promise<Recorded[]> {
    this.assertOpen();
    return options.limit <= 0 ? [] : this.reads.newest(options);
  }

  async head(): Promise<Position | undefined> {
    this.assertOpen();
    return this.reads.head();
  }

  comparePositions(a: Position, b: Position): number {
    return comparePositions(a, b);
  }

  /** Faults that stop readers of this process until an operator acts. */
  faults(): readonly StoreFault[] {
    return this.troubles.list();
  }

  /** Appends already accepted are answered first; their own time limits bound the wait. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await Promise.all([...this.tails].map((tail) => tail.close()));
    const ended = this.shared.close();
    await this.appends.settled();
    const { appends, reads, subscriptions } = this.connections;
    await Promise.all([ended, ...[appends, reads, subscriptions].map((client) => client.close())]);
  }

  private async leaderEnd(): Promise<Position | undefined> {
    const now = performance.now();
    if (!this.lastHeadRead || now - this.lastHeadRead.at > SHARED_READ_MS)
      this.lastHeadRead = { at: now, end: this.reads.head() };
    return this.lastHeadRead.end;
  }

  private assertOpen(): void {
    if (this.closed) throw new EventStoreUnavailable('the event store is closed');
  }
}
