import type { Appended, EventStore, EventToAppend, LogFilter, LogSlice } from '@ponte/event-sourcing';
import type { LogSubscription, NewestOptions, Position, ReadOptions, Recorded } from '@ponte/event-sourcing';
import { categoryOf, WrongExpectedRevision } from '@ponte/event-sourcing';

const SLICE = 256;

/**
 * A reference event store that costs almost nothing: it keeps event objects without copying, serializing or writing
 * them, and an append resolves at once. It shows what a cluster could do if storing events were free. For benchmarks
 * only.
 */
export class WeightlessStore implements EventStore {
  readonly soleWriter = true;
  private readonly log: Recorded[] = [];
  private readonly streams = new Map<string, Recorded[]>();
  private readonly wakes = new Set<() => void>();
  private waking = false;
  private closed = false;

  async append(stream: string, expected: number, events: readonly EventToAppend[]): Promise<Appended> {
    const kept = this.streams.get(stream) ?? [];
    const head = kept.length - 1;
    if (head !== expected) {
      const there = kept.slice(expected + 1, expected + 1 + events.length);
      if (there.length < events.length || there.some(({ id }, at) => id !== events[at]?.id))
        throw new WrongExpectedRevision(stream, expected, head);
    } else {
      if (head === -1) this.streams.set(stream, kept);
      for (const { id, type, version, data, meta } of events) {
        const recorded = {
          id,
          stream,
          revision: kept.length,
          position: String(this.log.length + 1),
          type,
          version,
          data,
          meta,
        };
        kept.push(recorded);
        this.log.push(recorded);
      }
      this.wakeSoon();
    }
    const last = kept[expected + events.length] as Recorded;
    return { revision: last.revision, position: last.position };
  }

  async read(stream: string, { from = 0, limit }: ReadOptions = {}): Promise<Recorded[]> {
    return (this.streams.get(stream) ?? []).slice(from, limit === undefined ? undefined : from + limit);
  }

  subscribe(filter: LogFilter = {}): LogSubscription {
    const end = new AbortController();
    const slices = this.slices(filter, end.signal);
    return {
      [Symbol.asyncIterator]: () => slices,
      close: async () => {
        end.abort();
        this.wake();
      },
    };
  }

  async newest({ categories, limit, before }: NewestOptions): Promise<Recorded[]> {
    const events = this.log.slice(0, before === undefined ? undefined : Number(before) - 1);
    return events
      .filter(({ stream }) => categories.includes(categoryOf(stream)))
      .slice(-limit)
      .reverse();
  }

  async head(): Promise<Position | undefined> {
    return this.log.at(-1)?.position;
  }

  comparePositions(a: Position, b: Position): number {
    return Number(a) - Number(b);
  }

  async close(): Promise<void> {
    this.closed = true;
    this.wake();
  }

  /** Wakes subscribers once per turn of the event loop, as a store with group commit does. */
  private wakeSoon(): void {
    if (this.waking) return;
    this.waking = true;
    setImmediate(() => {
      this.waking = false;
      this.wake();
    });
  }

  private wake(): void {
    for (const wake of this.wakes) wake();
    this.wakes.clear();
  }

  private async *slices(
    { categories, after, batchSize = SLICE }: LogFilter,
    end: AbortSignal,
  ): AsyncGenerator<LogSlice, void, undefined> {
    const wanted = categories && new Set(categories);
    let from = Number(after ?? 0);
    while (!this.closed && !end.aborted) {
      const read = this.log.slice(from, from + batchSize);
      if (read.length === 0) {
        await new Promise<void>((resolve) => {
          this.wakes.add(resolve);
        });
        continue;
      }
      from += read.length;
      const events = wanted ? read.filter(({ stream }) => wanted.has(categoryOf(stream))) : read;
      yield { events, position: String(from), caughtUp: from === this.log.length };
    }
  }
}
