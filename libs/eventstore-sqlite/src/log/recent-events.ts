import type { NewRow } from './event-table';
import { StoredEvent } from './event-table';

/**
 * Events that readers at the head of the log find in memory; about 8 MB of bodies at 500 bytes each, twice that at the
 * peak.
 */
const CAPACITY = 8_192;

/** A part of the log: what the reader wants of it, and where it ends. */
export interface RecentRun {
  readonly events: readonly StoredEvent[];
  readonly position: number;
}

/**
 * The last committed events. Positions have no gaps, so a place is found by subtraction. Of an event that no reader
 * wanted when it was committed only the category is kept: what stays in memory is copied by the garbage collector, at a
 * cost.
 */
export class RecentEvents {
  private entries: (StoredEvent | string)[] = [];
  /** Position of the first entry. */
  private first = 1;

  /** Answers the categories that were added. */
  add(rows: readonly NewRow[], isWanted: (category: string) => boolean): ReadonlySet<string> {
    const categories = new Set<string>();
    if (this.entries.length === 0) this.first = rows[0]?.position ?? this.first;
    for (const { position, stream, revision, event } of rows) {
      const stored = new StoredEvent(position, stream, revision, event);
      categories.add(stored.category);
      this.entries.push(isWanted(stored.category) ? stored : stored.category);
    }
    this.forget();
    return categories;
  }

  private forget(): void {
    if (this.entries.length <= 2 * CAPACITY) return;
    this.first += this.entries.length - CAPACITY;
    this.entries = this.entries.slice(-CAPACITY);
  }

  /** The events of these categories (undefined: all) after a position, or undefined when they are not all here. */
  after(position: number, limit: number, wanted: ReadonlySet<string> | undefined): RecentRun | undefined {
    const from = position + 1 - this.first;
    if (from < 0 || this.entries.length === 0) return undefined;
    const to = Math.min(from + limit, this.entries.length);
    const events: StoredEvent[] = [];
    for (let at = from; at < to; at += 1) {
      const entry = this.entries[at] as StoredEvent | string;
      if (typeof entry !== 'string') {
        if (!wanted || wanted.has(entry.category)) events.push(entry);
      } else if (!wanted || wanted.has(entry)) return undefined;
    }
    return { events, position: this.first + to - 1 };
  }
}
