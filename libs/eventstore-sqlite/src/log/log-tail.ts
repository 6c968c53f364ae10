import { setImmediate as immediately } from 'node:timers/promises';
import type { LogFilter, LogSlice, LogSubscription, Position } from '@ponte/event-sourcing';
import { PositionBeyondLog } from '@ponte/event-sourcing';
import type { StoredEvent } from './event-table';

/** A part of the log: what the reader wants of it, and where it ends. */
export interface RecentRun {
  readonly events: readonly StoredEvent[];
  readonly position: number;
}

/** What a subscription reads from. */
export interface LogSource {
  head(): number;
  /** Recent events from memory, undefined when the place is too far back. */
  recent(position: number, limit: number, wanted: ReadonlySet<string> | undefined): RecentRun | undefined;
  /** What is not wanted may come without its body. */
  page(position: number, limit: number, wanted: ReadonlySet<string> | undefined): readonly StoredEvent[];
}

const DEFAULT_BATCH = 256;
const MAX_BATCH = 4_096;

/**
 * One reader of the log: pages from the table until it is near the head, then fed from memory at each commit that has
 * something for it. The others it passes over without waking its consumer, who hears of the new place at the next
 * {@link LogTail.tell}.
 */
export class LogTail implements LogSubscription {
  private position: number;
  private readonly limit: number;
  /** Categories; undefined means all. */
  readonly wanted: ReadonlySet<string> | undefined;
  private wakeUp: (() => void) | undefined;
  private closed = false;
  /** The place moved on without a slice. */
  private passed = false;
  private telling = false;

  constructor(
    private readonly source: LogSource,
    filter: LogFilter,
    private readonly gone: (tail: LogTail) => void,
  ) {
    this.position = filter.after === undefined ? 0 : place(filter.after);
    this.limit = Math.min(MAX_BATCH, Math.max(1, filter.batchSize ?? DEFAULT_BATCH));
    this.wanted = filter.categories && new Set(filter.categories);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<LogSlice, void, undefined> {
    try {
      // Waiting there until the log has come so far would skip what it comes through.
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
   * Events of these categories were committed and the log ends at `head`. True when there is something to {@link tell}.
   */
  grown(head: number, categories: ReadonlySet<string>): boolean {
    // A consumer that is at work finds the events when it asks for more.
    if (!this.wakeUp) return this.passed;
    if (this.wants(categories)) this.wake();
    else {
      this.position = head;
      this.passed = true;
    }
    return this.passed;
  }

  /** An empty slice for a consumer whose place has moved on, so that its checkpoint does too. */
  tell(): void {
    if (!this.passed || !this.wakeUp) return;
    this.telling = true;
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

  private wants(categories: ReadonlySet<string>): boolean {
    if (!this.wanted) return true;
    for (const category of categories) if (this.wanted.has(category)) return true;
    return false;
  }

  private async next(): Promise<LogSlice | undefined> {
    const { telling } = this;
    this.telling = false;
    if (this.position >= this.source.head()) {
      if (!telling) return undefined;
      this.passed = false;
      return { events: [], position: String(this.position), caughtUp: true };
    }
    const run = this.source.recent(this.position, this.limit, this.wanted) ?? (await this.run());
    if (!run) return undefined;
    this.position = run.position;
    this.passed = false;
    return {
      events: run.events.map((stored) => stored.event),
      position: String(this.position),
      caughtUp: this.position >= this.source.head(),
    };
  }

  /** From the table. */
  private async run(): Promise<RecentRun | undefined> {
    // A long catch-up lets timers and sockets have their turn between pages.
    await immediately();
    if (this.closed) return undefined;
    const read = this.source.page(this.position, this.limit, this.wanted);
    const last = read.at(-1);
    return (
      last && {
        events: this.wanted ? read.filter((stored) => this.wanted?.has(stored.category)) : read,
        position: last.position,
      }
    );
  }
}

/**
 * Positions of this log are decimal counts; anything else came from another log, and reading on from it would skip or
 * repeat.
 */
function place(position: Position): number {
  const count = /^\d{1,15}$/.test(position) ? Number(position) : Number.NaN;
  if (!Number.isSafeInteger(count)) throw new TypeError('this is a position of another event store');
  return count;
}
