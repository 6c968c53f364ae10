import type { Appended, EventToAppend, Recorded } from '@ponte/event-sourcing';
import { categoryOf, WrongExpectedRevision } from '@ponte/event-sourcing';

/** The simplest possible log, as a reference for other stores. Events are stored as JSON, as on a disk. */
export class MemoryLog {
  private readonly entries: {
    readonly stream: string;
    readonly category: string;
    readonly revision: number;
    readonly id: string;
    readonly json: string;
  }[] = [];
  /** For each stream the indices of its entries. */
  private readonly streams = new Map<string, number[]>();

  get length(): number {
    return this.entries.length;
  }

  append(stream: string, expected: number, events: readonly EventToAppend[]): Appended {
    const places = this.streams.get(stream) ?? [];
    const head = places.length - 1;
    if (head === expected) {
      // All events are serialized before the first is stored, so that an append is all or nothing.
      const written = events.map((event, at) => ({
        stream,
        category: categoryOf(stream),
        revision: expected + 1 + at,
        id: event.id,
        json: JSON.stringify(event),
      }));
      for (const entry of written) places.push(this.entries.push(entry) - 1);
      this.streams.set(stream, places);
    } else {
      const there = places.slice(expected + 1, expected + 1 + events.length).map((at) => this.entries[at]?.id);
      const same = expected < head && events.every((event, at) => there[at] === event.id);
      if (!same) throw new WrongExpectedRevision(stream, expected, head);
    }
    const revision = expected + events.length;
    return { revision, position: String((places[revision] as number) + 1) };
  }

  /** The events of a stream from revision `from`, before revision `end`. */
  stream(stream: string, from: number, end?: number): Recorded[] {
    return (this.streams.get(stream) ?? []).slice(from, end).map((at) => this.at(at));
  }

  /**
   * The events of these categories, or of all, from index `from`, before index `end`; positions are indices plus one.
   * Only these are parsed, because a long log has many readers that want few of its events.
   */
  slice(from: number, end: number, categories?: readonly string[]): Recorded[] {
    return this.entries
      .slice(from, end)
      .flatMap(({ category }, at) => (categories && !categories.includes(category) ? [] : [this.at(from + at)]));
  }

  /** The last events of these categories before index `end`, newest first. */
  newest(end: number, categories: readonly string[], limit: number): Recorded[] {
    const found: Recorded[] = [];
    for (let at = Math.min(end, this.length) - 1; at >= 0 && found.length < limit; at -= 1)
      if (categories.includes(this.entries[at]?.category ?? '')) found.push(this.at(at));
    return found;
  }

  private at(index: number): Recorded {
    const entry = this.entries[index];
    if (!entry) throw new RangeError('beyond the log');
    const { stream, revision, json } = entry;
    return { ...(JSON.parse(json) as EventToAppend), stream, revision, position: String(index + 1) };
  }
}
