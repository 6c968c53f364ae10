import { setImmediate as immediately } from 'node:timers/promises';
import type { LogFilter, LogSlice, LogSubscription, Position } from '@ponte/event-sourcing';
import type { StoredEvent } from './event-table';

/** What a subscription reads from. */
export interface LogSource {
  head(): number;
  /** Recent events from memory, undefined when the place is too far back. */
  recent(position: number, limit: number): readonly StoredEvent[] | undefined;
  page(position: number, limit: number): readonly StoredEvent[];
}

const DEFAULT_BATCH = 256;
const MAX_BATCH = 4_096;

/** One reader of the log: pages from the table until it is near the head, then fed from memory at each commit. */
export class LogTail implements LogSubscription {
  private position: number;
  private readonly limit: number;
  private readonly wanted: ReadonlySet<string> | undefined;
  private wakeUp: (() => void) | undefined;
  private closed = false;

  constructor(private readonly source: LogSource, filter: LogFilter, private readonly gone: (tail: LogTail) => void) {
    this.position = filter.after === undefined ? 0 : place(filter.after);
    this.limit = Math.min(MAX_BATCH, Math.max(1, filter.batchSize ?? DEFAULT_BATCH));
    this.wanted = filter.categories && new Set(filter.categories);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<LogSlice, void, undefined> {
    try {
      while (!this.closed) {
        const slice = await this.next();
        if (this.closed) return;
        if (slice) yield slice;
        else await new Promise<void>((resolve) => { this.wakeUp = resolve; });
      }
    } finally {
      this.end();
    }
  }

  /** Something was committed, or the end has come. */
  wake(): void {
    this.wakeUp?.();
    this.wakeUp = undefined;
  }

  end(): void {
    this.closed = true;
    this.wake();
    this.gone(this);
  }

  async close(): Promise<void> {
    this.end();
  }

  private async next(): Promise<LogSlice | undefined> {
    if (this.position >= this.source.head()) return undefined;
    let read = this.source.recent(this.position, this.limit);
    if (!read) {
      // A long catch-up lets timers and sockets have their turn between pages.
      await immediately();
      if (this.closed) return undefined;
      read = this.source.page(this.position, this.limit);
    }
    const last = read.at(-1);
    if (!last) return undefined;
    this.position = last.position;
    const kept = this.wanted ? read.filter((stored) => this.wanted?.has(stored.category)) : read;
    return { events: kept.map((stored) => stored.event), position: String(this.position), caughtUp: this.position >= this.source.head() };
  }
}

/** Positions of this log are decimal counts; anything else came from another log, and reading on from it would skip or repeat. */
function place(position: Position): number {
  const count = /^\d{1,15}$/.test(position) ? Number(position) : Number.NaN;
  if (!Number.isSafeInteger(count)) throw new TypeError('a position of another event store');
  return count;
}
