import type { StoredEvent } from './event-table';

/** Events kept in memory for readers at the head of the log; about 8 MB of bodies at 500 bytes each, twice that at the peak. */
const CAPACITY = 8_192;

/** The last committed events. Positions have no gaps, so a place is found by subtraction. */
export class RecentEvents {
  private events: StoredEvent[] = [];

  add(rows: readonly StoredEvent[]): void {
    for (const row of rows) this.events.push(row);
    if (this.events.length > 2 * CAPACITY) this.events = this.events.slice(-CAPACITY);
  }

  /** The events after a position, or undefined when some of them are no longer here. */
  after(position: number, limit: number): readonly StoredEvent[] | undefined {
    const first = this.events[0]?.position;
    if (first === undefined || position + 1 < first) return undefined;
    const at = position + 1 - first;
    return this.events.slice(at, at + limit);
  }
}
