import type { LogFilter, LogSubscription } from '@ponte/event-sourcing';
import type { NewRow } from './event-table';
import { StoredEvent } from './event-table';
import type { LogSource, RecentRun } from './log-tail';
import { LogTail } from './log-tail';

/**
 * How long a reader's checkpoint may stay behind while the log has no events for it, in milliseconds. After a crash,
 * that part is read again.
 */
const NOTIFY_EVERY_MS = 500;

/** The readers of one log, and the recent events kept for them. */
export class Readers {
  private readonly tails = new Set<LogTail>();
  private readonly recentEvents = new RecentEvents();
  /** Whether some reader reads a category. Cleared whenever the readers change. */
  private readonly known = new Map<string, boolean>();
  private notifyTimer: NodeJS.Timeout | undefined;

  subscribe(filter: LogFilter, source: Pick<LogSource, 'head' | 'page'>): LogSubscription {
    const recent = (
      position: number,
      limit: number,
      categories: ReadonlySet<string> | undefined,
    ): RecentRun | undefined => this.recentEvents.after(position, limit, categories);
    const tail = new LogTail({ ...source, recent }, filter, (gone) => {
      this.tails.delete(gone);
      this.known.clear();
    });
    this.tails.add(tail);
    this.known.clear();
    return tail;
  }

  /** Publishes committed rows; the log now ends at `head`. */
  add(rows: readonly NewRow[], head: number): void {
    const categories = this.recentEvents.add(rows, this.isRead);
    // Readers without events in this commit are not woken at once: that would cost more than the commit.
    let mustNotify = false;
    for (const tail of this.tails) mustNotify = tail.grown(head, categories) || mustNotify;
    if (mustNotify) this.notifyTimer ??= setTimeout(() => this.notify(), NOTIFY_EVERY_MS).unref();
  }

  end(): void {
    clearTimeout(this.notifyTimer);
    for (const tail of [...this.tails]) tail.end();
  }

  private notify(): void {
    this.notifyTimer = undefined;
    for (const tail of this.tails) tail.notify();
  }

  private readonly isRead = (category: string): boolean => {
    const known = this.known.get(category);
    if (known !== undefined) return known;
    let isRead = false;
    for (const tail of this.tails) isRead ||= !tail.categories || tail.categories.has(category);
    this.known.set(category, isRead);
    return isRead;
  };
}

/** Number of recent events in memory for readers at the head: about 8 MB (500 bytes each), up to twice that. */
const CAPACITY = 8_192;

/**
 * The latest committed events. Positions have no gaps, so an entry is found by subtraction. For an event that no reader
 * wanted when it was committed, only the category is kept: the garbage collector copies everything that stays in
 * memory, at a cost.
 */
class RecentEvents {
  private entries: (StoredEvent | string)[] = [];
  /** Position of the first entry. */
  private first = 1;

  /** Returns the categories of the added events. */
  add(rows: readonly NewRow[], isRead: (category: string) => boolean): ReadonlySet<string> {
    const categories = new Set<string>();
    if (this.entries.length === 0) this.first = rows[0]?.position ?? this.first;
    for (const { position, stream, revision, event } of rows) {
      const stored = new StoredEvent(position, stream, revision, event);
      categories.add(stored.category);
      this.entries.push(isRead(stored.category) ? stored : stored.category);
    }
    this.forget();
    return categories;
  }

  private forget(): void {
    if (this.entries.length <= 2 * CAPACITY) return;
    this.first += this.entries.length - CAPACITY;
    this.entries = this.entries.slice(-CAPACITY);
  }

  /** The events of these categories (undefined: all) after a position; undefined if some of them are not in memory. */
  after(position: number, limit: number, categories: ReadonlySet<string> | undefined): RecentRun | undefined {
    const from = position + 1 - this.first;
    if (from < 0 || this.entries.length === 0) return undefined;
    const to = Math.min(from + limit, this.entries.length);
    const events: StoredEvent[] = [];
    for (let at = from; at < to; at += 1) {
      const entry = this.entries[at] as StoredEvent | string;
      if (typeof entry !== 'string') {
        if (!categories || categories.has(entry.category)) events.push(entry);
      } else if (!categories || categories.has(entry)) return undefined;
    }
    return { events, position: this.first + to - 1 };
  }
}
