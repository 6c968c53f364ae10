import { LRUCache } from 'lru-cache';
import type { Decider } from '../decider';
import type { DomainEvent, Recorded } from '../event';
import { idOf, streamName } from '../event';
import type { EventStore } from '../ports/event-store';
import type { Loaded } from '../outcome';
import { pagesOf } from './stream-pages';
import { upcaster } from '../upcasting';

/** What a fold needs of a decider. */
type Folding<S, E extends DomainEvent> = Pick<Decider<never, S, E>, 'category' | 'initial' | 'events' | 'evolve'>;

/**
 * Streams kept in memory: those that move now. The events of one lie close together in the log, so few are ever read
 * again.
 */
const DEFAULT_CAPACITY = 8_000;

/**
 * The states of many streams of one kind, folded from the log as it passes by. Where {@link Aggregates} reads each
 * stream for itself, this uses the events that its reader has in hand anyway, and goes to the store only for a stream
 * that it has forgotten.
 */
export class StreamFolds<S, E extends DomainEvent> {
  private readonly states: LRUCache<string, Loaded<S>>;
  private readonly current: ReturnType<typeof upcaster>;

  constructor(
    private readonly folding: Folding<S, E>,
    private readonly store: Pick<EventStore, 'read'>,
    capacity = DEFAULT_CAPACITY,
  ) {
    this.states = new LRUCache({ max: capacity });
    this.current = upcaster(folding.events);
  }

  /**
   * Takes in a run of the log; answers by id what became of each stream in it. Events of other categories are passed
   * over.
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

  /** The state of one stream as far as it was taken in, or else as the store has it. */
  async of(id: string): Promise<Loaded<S>> {
    return this.states.get(id) ?? this.read(id);
  }

  private before(id: string, { revision }: Recorded): Loaded<S> | undefined {
    const known = this.states.get(id);
    if (known && known.revision >= revision - 1) return known;
    return revision === 0 ? { state: this.folding.initial, revision: -1 } : undefined;
  }

  private async read(id: string, limit?: number): Promise<Loaded<S>> {
    // Not kept: it may be ahead of what was taken in, whose events are still to come and must not pass for known.
    let { initial: state } = this.folding;
    let revision = -1;
    for await (const page of pagesOf(this.store, streamName(this.folding.category, id), 0, limit)) {
      for (const event of page) state = this.folding.evolve(state, this.current<E>(event) as unknown as E);
      revision = page.at(-1)?.revision ?? revision;
    }
    return { state, revision };
  }
}
