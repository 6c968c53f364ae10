import { setImmediate as immediately } from 'node:timers/promises';
import type { LogFilter, LogSlice, LogSubscription, Position } from '@ponte/event-sourcing';
import { PositionBeyondLog } from '@ponte/event-sourcing';
import type { StoredEvent } from './event-table';

/** A part of the log: the events that the reader wants, and the position where the part ends. */
export interface RecentRun {
  readonly events: readonly StoredEvent[];
  readonly position: number;
}

/** The log as a subscription reads it. */
export interface LogSource {
  head(): number;
  /** Recent events from memory; undefined if the position is too far back. */
  recent(position: number, limit: number, categories: ReadonlySet<string> | undefined): RecentRun | undefined;
  /** Events of other categories may have no body. */
  page(position: number, limit: number, categories: ReadonlySet<string> | undefined): readonly StoredEvent[];
}

const DEFAULT_BATCH = 256;
const MAX_BATCH = 4_096;

/**
 * One reader of the log. It reads pages from the table until it is near the head, then gets events from memory at each
 * commit that has some for it. Other commits only advance its position; the consumer is notified of that at the next
 * {@link LogTail.notify}.
 */
export class LogTail implements LogSubscription {
  private position: number;
  private readonly limit: number;
  /** Categories; undefined means all. */
  readonly categories: ReadonlySet<string> | undefined;
  private wakeUp: (() => void) | undefined;
  private closed = false;
  /** The position has advanced without a slice. */
  private passed = false;
  private isNotified = false;

  constructor(
    private readonly source: LogSource,
    filter: LogFilter,
    private readonly gone: (tail: LogTail) => void,
  ) {
    this.position = filter.after === undefined ? 0 : place(filter.after);
    this.limit = Math.min(MAX_BATCH, Math.max(1, filter.batchSize ?? DEFAULT_BATCH));
    this.categories = filter.categories && new Set(filter.categories);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<LogSlice, void, undefined> {
    try {
      // Waiting until the log reaches the position would skip the events up to it.
      const head = this.source.head();
      if (!this.closed && this.position > head)
        throw new PositionBeyondLog(String(this.position), head === 0 ? undefined : String(head));
      while (!this.closed) {
        const slice = await this.next();
        if (this.closed) return;
        if (slice) yield slice;
        else
          await new Promise<void>((resolve) => {
            this.wakeUp = resolve;
          });
      }
    } finally {
      this.end();
    }
  }

  /**
   * Called after a commit with events of these categories; the log now ends at `head`. True if there is something to
   * {@link notify}.
   */
  grown(head: number, categories: ReadonlySet<string>): boolean {
    // A consumer that is busy reads the events when it requests the next slice.
    if (!this.wakeUp) return this.passed;
    if (this.readsAny(categories)) this.wake();
    else {
      this.position = head;
      this.passed = true;
    }
    return this.passed;
  }

  /** Delivers an empty slice if the position has advanced, so that the consumer's checkpoint advances too. */
  notify(): void {
    if (!this.passed || !this.wakeUp) return;
    this.isNotified = true;
    this.wake();
  }

  end(): void {
    this.closed = true;
    this.wake();
    this.gone(this);
  }

  async close(): Promise<void> {
    this.end();
  }

  private wake(): void {
    this.wakeUp?.();
    this.wakeUp = undefined;
  }

  private readsAny(categories: ReadonlySet<string>): boolean {
    if (!this.categories) return true;
    for (const category of categories) if (this.categories.has(category)) return true;
    return false;
  }

  private async next(): Promise<LogSlice | undefined> {
    const { isNotified } = this;
    this.isNotified = false;
    if (this.position >= this.source.head()) {
      if (!isNotified) return undefined;
      this.passed = false;
      return { events: [], position: String(this.position), caughtUp: true };
    }
    const run = this.source.recent(this.position, this.limit, this.categories) ?? (await this.run());
    if (!run) return undefined;
    this.position = run.position;
    this.passed = false;
    return {
      events: run.events.map((stored) => stored.event),
      position: String(this.position),
      caughtUp: this.position >= this.source.head(),
    };
  }

  /** Reads from the table. */
  private async run(): Promise<RecentRun | undefined> {
    // Lets timers and sockets run between the pages of a long catch-up.
    await immediately();
    if (this.closed) return undefined;
    const read = this.source.page(this.position, this.limit, this.categories);
    const last = read.at(-1);
    return (
      last && {
        events: this.categories ? read.filter((stored) => this.categories?.has(stored.category)) : read,
        position: last.position,
      }
    );
  }
}

/**
 * Parses a position of this log, which is a decimal number. Any other text belongs to another log, and reading from it
 * would skip or repeat events.
 */
function place(position: Position): number {
  const count = /^\d{1,15}$/.test(position) ? Number(position) : Number.NaN;
  if (!Number.isSafeInteger(count)) throw new TypeError('this is a position of another event store');
  return count;
}
