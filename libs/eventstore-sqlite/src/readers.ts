import type { LogFilter, LogSubscription } from '@ponte/event-sourcing';
import type { NewRow } from './log/event-table';
import type { LogSource } from './log/log-tail';
import { LogTail } from './log/log-tail';
import type { RecentRun } from './log/recent-events';
import { RecentEvents } from './log/recent-events';

/**
 * How far behind a reader's checkpoint may stay when nothing in the log is for it: so much is looked at again after a
 * crash.
 */
const TELL_EVERY_MS = 500;

/** The readers of one log, and what is kept in memory for them. */
export class Readers {
  private readonly tails = new Set<LogTail>();
  private readonly recentEvents = new RecentEvents();
  /** Whether some reader wants a category; learned again whenever the readers change. */
  private readonly wanted = new Map<string, boolean>();
  private telling: NodeJS.Timeout | undefined;

  subscribe(filter: LogFilter, source: Pick<LogSource, 'head' | 'page'>): LogSubscription {
    const recent = (position: number, limit: number, wanted: ReadonlySet<string> | undefined): RecentRun | undefined =>
      this.recentEvents.after(position, limit, wanted);
    const tail = new LogTail({ ...source, recent }, filter, (gone) => {
      this.tails.delete(gone);
      this.wanted.clear();
    });
    this.tails.add(tail);
    this.wanted.clear();
    return tail;
  }

  /** Takes in what was committed, the log ending at `head` now. */
  add(rows: readonly NewRow[], head: number): void {
    const categories = this.recentEvents.add(rows, this.isWanted);
    // Waking every reader at every commit would cost more than the commit.
    let telling = false;
    for (const tail of this.tails) telling = tail.grown(head, categories) || telling;
    if (telling) this.telling ??= setTimeout(() => this.tell(), TELL_EVERY_MS).unref();
  }

  end(): void {
    clearTimeout(this.telling);
    for (const tail of [...this.tails]) tail.end();
  }

  private tell(): void {
    this.telling = undefined;
    for (const tail of this.tails) tail.tell();
  }

  private readonly isWanted = (category: string): boolean => {
    const known = this.wanted.get(category);
    if (known !== undefined) return known;
    let wanted = false;
    for (const tail of this.tails) wanted ||= !tail.wanted || tail.wanted.has(category);
    this.wanted.set(category, wanted);
    return wanted;
  };
}
