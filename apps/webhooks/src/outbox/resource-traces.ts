import { LRUCache } from 'lru-cache';
import type { EventStore, Recorded } from '@ponte/event-sourcing';
import { upcaster } from '@ponte/event-sourcing';
import type { ResourceTrace, SourceFact } from '../domain/publication/resource-trace';
import { NO_TRACE, SOURCE_EVENTS, traceAfter } from '../domain/publication/resource-trace';

/** Resources whose trace is kept in memory: those that move now. */
const TRACES = 20_000;

const known = new Set(SOURCE_EVENTS.map(({ type }) => type));
const current = upcaster(SOURCE_EVENTS);

/** The event in its current version, or undefined when it is of no type that this build publishes or learns from. */
export const sourceFact = (event: Recorded): Recorded<SourceFact> | undefined =>
  known.has(event.type) ? current<SourceFact>(event) : undefined;

/** What each resource has published, from its own stream. */
export class ResourceTraces {
  private readonly traces = new LRUCache<string, ResourceTrace>({ max: TRACES });

  constructor(private readonly store: EventStore) {}

  /** The trace of the events before this one in its stream; remembers the one that includes it. */
  async before(event: Recorded<SourceFact>): Promise<ResourceTrace> {
    const held = event.revision === 0 ? NO_TRACE : this.traces.get(event.stream);
    const before = held?.revision === event.revision - 1 ? held : await this.fold(event.stream, event.revision);
    this.traces.set(event.stream, traceAfter(before, event));
    return before;
  }

  /** After a restart, or when a slice comes a second time. */
  private async fold(stream: string, count: number): Promise<ResourceTrace> {
    const earlier = await this.store.read(stream, { limit: count });
    const folded = earlier.reduce((trace, recorded) => {
      const fact = sourceFact(recorded);
      return fact ? traceAfter(trace, fact) : { ...trace, revision: recorded.revision };
    }, NO_TRACE);
    if (folded.revision !== count - 1) throw new Error(`${stream} ends at ${folded.revision}, but revision ${count} was delivered`);
    return folded;
  }
}
