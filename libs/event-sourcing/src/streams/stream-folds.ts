import type { LRUCache } from 'lru-cache';
import { lruCache } from '@ponte/kernel';
import type { Decider } from '../decider';
import type { DomainEvent, Recorded } from '../event';
import { idOf, streamName } from '../event';
import type { EventStore } from '../ports/event-store';
import type { Loaded } from '../outcome';
import { upcaster } from './cached-stream';
import { pagesOf } from './stream-cache';

/** The members of a decider that folding needs. */
type Folding<S, E extends DomainEvent> = Pick<Decider<never, S, E>, 'category' | 'initial' | 'events' | 'evolve'>;

/** The number of streams kept in memory. A stream's events are close together in the log, so few are read again. */
const DEFAULT_CAPACITY = 8_000;

/**
 * The states of many streams of one category, folded from the log as it is read. {@link Aggregates} reads each stream
 * from the store; this class uses the events that its reader already has, and reads only streams that it has forgotten.
 */
export class StreamFolds<S, E extends DomainEvent> {
  private readonly states: LRUCache<string, Loaded<S>>;
  private readonly current: ReturnType<typeof upcaster>;

  constructor(
    private readonly folding: Folding<S, E>,
    private readonly store: Pick<EventStore, 'read'>,
    capacity = DEFAULT_CAPACITY,
  ) {
    this.states = lruCache(capacity);
    this.current = upcaster(folding.events);
  }

  /**
   * Adds a batch of events of the log and returns the new state of each changed stream, by id. Events of other
   * categories are ignored.
   */
  async add(events: readonly Recorded[]): Promise<ReadonlyMap<string, Loaded<S>>> {
    const changed = new Map<string, Loaded<S>>();
    const prefix = streamName(this.folding.category, '');
    for (const event of events) {
      if (!event.stream.startsWith(prefix)) continue;
      const id = idOf(event.stream);
      const before = changed.get(id) ?? this.before(id, event) ?? (await this.read(id, event.revision));
      if (event.revision <= before.revision) continue;
      const after = {
        state: this.folding.evolve(before.state, this.current<E>(event) as unknown as E),
        revision: event.revision,
      };
      this.states.set(id, after);
      changed.set(id, after);
    }
    return changed;
  }

  /** The state of one stream: as of the events added so far if it is cached, else as read from the store. */
  async of(id: string): Promise<Loaded<S>> {
    return this.states.get(id) ?? this.read(id);
  }

  private before(id: string, { revision }: Recorded): Loaded<S> | undefined {
    const known = this.states.get(id);
    if (known && known.revision >= revision - 1) return known;
    return revision === 0 ? { state: this.folding.initial, revision: -1 } : undefined;
  }

  private async read(id: string, limit?: number): Promise<Loaded<S>> {
    // Not cached: it may be ahead of the events added so far, and later calls would then ignore those events as known.
    let { initial: state } = this.folding;
    let revision = -1;
    for await (const page of pagesOf(this.store, streamName(this.folding.category, id), 0, limit)) {
      for (const event of page) state = this.folding.evolve(state, this.current<E>(event) as unknown as E);
      revision = page.at(-1)?.revision ?? revision;
    }
    return { state, revision };
  }
}
