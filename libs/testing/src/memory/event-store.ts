import { setImmediate as immediately } from 'node:timers/promises';
import type { Appended, EventStore, EventToAppend, LogFilter, LogSubscription } from '@ponte/event-sourcing';
import type { NewestOptions, Position, ReadOptions, Recorded } from '@ponte/event-sourcing';
import { AppendOutcomeUnknown, EventStoreUnavailable, PositionBeyondLog } from '@ponte/event-sourcing';
import { Faults } from './faults';
import { MemoryLog } from './log';

interface MemoryEventStoreOptions {
  /** See `EventStore.soleWriter`; true by default. */
  readonly soleWriter?: boolean;
  /** The log of another store, to reopen it. */
  readonly log?: MemoryLog;
}

const DEFAULT_BATCH = 256;

/** Simulates the end of the process that uses the store. Such a process would see neither replies nor errors. */
class ProcessCrashed extends Error {
  override readonly name = 'ProcessCrashed';
}

/** An event store in memory with simulated faults. */
export class MemoryEventStore implements EventStore {
  readonly soleWriter: boolean;
  readonly faults = new Faults();
  readonly log: MemoryLog;
  private queue: Promise<void> = Promise.resolve();
  private readonly wakes = new Set<() => void>();
  private state: 'open' | 'closed' | 'crashed' = 'open';

  constructor(options: MemoryEventStoreOptions = {}) {
    this.soleWriter = options.soleWriter ?? true;
    this.log = options.log ?? new MemoryLog();
  }

  async append(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Promise<Appended> {
    if (events.length === 0) throw new TypeError('an append needs at least one event');
    this.assertAlive();
    // Copied now, so that later changes of the caller have no effect.
    const copies = JSON.parse(JSON.stringify(events)) as EventToAppend[];
    const work = (): Promise<Appended> => this.perform(stream, expectedRevision, copies);
    if (!this.soleWriter) return immediately().then(work);
    const appended = this.queue.then(() => immediately()).then(work);
    this.queue = appended.then(
      () => undefined,
      () => undefined,
    );
    return appended;
  }

  async read(stream: string, { from = 0, limit }: ReadOptions = {}): Promise<Recorded[]> {
    this.assertAlive();
    return this.log.stream(stream, from, limit === undefined ? undefined : from + limit);
  }

  subscribe(filter: LogFilter = {}): LogSubscription {
    this.assertAlive();
    const end = new AbortController();
    const close = async (): Promise<void> => {
      end.abort();
      this.wake();
    };
    const slices = this.slices(filter, end.signal);
    return { [Symbol.asyncIterator]: () => slices, close };
  }

  async newest({ categories, limit, before }: NewestOptions): Promise<Recorded[]> {
    this.assertAlive();
    return this.log.newest(before === undefined ? this.log.length : Number(before) - 1, categories, limit);
  }

  async head(): Promise<Position | undefined> {
    this.assertAlive();
    return this.log.length === 0 ? undefined : String(this.log.length);
  }

  comparePositions(a: Position, b: Position): number {
    return Number(a) - Number(b);
  }

  async close(): Promise<void> {
    await this.queue;
    if (this.state === 'open') this.state = 'closed';
    this.wake();
  }

  private async perform(stream: string, expected: number, events: readonly EventToAppend[]): Promise<Appended> {
    const fault = this.faults.take(stream, events);
    if (fault) await fault.released;
    this.assertAlive();
    if (fault?.kind === 'refuse') throw new EventStoreUnavailable();
    if (fault?.kind === 'drop') throw new AppendOutcomeUnknown(stream);
    const appended = this.log.append(stream, expected, events);
    if (fault?.kind === 'crash-after-append') this.state = 'crashed';
    this.wake();
    if (fault?.kind === 'crash-after-append') this.assertAlive();
    if (fault?.kind === 'lose-reply') throw new AppendOutcomeUnknown(stream);
    return appended;
  }

  private async *slices({ categories, after, batchSize = DEFAULT_BATCH }: LogFilter, end: AbortSignal) {
    let from = after === undefined ? 0 : Number(after);
    if (from > this.log.length) throw new PositionBeyondLog(String(from), await this.head());
    while (!end.aborted && this.state === 'open') {
      const to = Math.min(from + batchSize, this.log.length);
      if (to === from) {
        await this.woken();
        continue;
      }
      const events = this.log.slice(from, to, categories);
      from = to;
      yield { events, position: String(from), caughtUp: from === this.log.length };
    }
  }

  private woken(): Promise<void> {
    return new Promise((resolve) => {
      this.wakes.add(resolve);
    });
  }

  private wake(): void {
    for (const wake of this.wakes) wake();
    this.wakes.clear();
  }

  private assertAlive(): void {
    if (this.state === 'closed') throw new EventStoreUnavailable('the event store is closed');
    if (this.state === 'crashed') throw new ProcessCrashed('this process is gone; open the log again');
  }
}
