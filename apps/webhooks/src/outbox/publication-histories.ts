import { LRUCache } from 'lru-cache';
import type { EventStore, Recorded } from '@ponte/event-sourcing';
import { upcaster } from '@ponte/event-sourcing';
import type { PublicationHistory } from '../publication/publication-history.domain';
import type { SourceEvent } from '../publication/published-events.domain';
import { NO_HISTORY, SOURCE_EVENTS, historyAfter } from '../publication/publication-history.domain';

/** The number of resources whose history is kept in memory. */
const HISTORIES = 20_000;

const known = new Set(SOURCE_EVENTS.map(({ type }) => type));
const current = upcaster(SOURCE_EVENTS);

/**
 * The event in its current version, or undefined when this build neither publishes its type nor needs it for a history.
 */
export const sourceEvent = (event: Recorded): Recorded<SourceEvent> | undefined =>
  known.has(event.type) ? current<SourceEvent>(event) : undefined;

/** What each resource has published, folded from its own stream. */
export class PublicationHistories {
  private readonly histories = new LRUCache<string, PublicationHistory>({ max: HISTORIES });

  constructor(private readonly store: EventStore) {}

  /** The history before this event in its stream. The history including the event is cached for the next one. */
  async before(event: Recorded<SourceEvent>): Promise<PublicationHistory> {
    const held = event.revision === 0 ? NO_HISTORY : this.histories.get(event.stream);
    const before = held?.revision === event.revision - 1 ? held : await this.fold(event.stream, event.revision);
    this.histories.set(event.stream, historyAfter(before, event));
    return before;
  }

  /** Used after a restart, or when a slice is processed again. */
  private async fold(stream: string, count: number): Promise<PublicationHistory> {
    const earlier = await this.store.read(stream, { limit: count });
    const folded = earlier.reduce((history, recorded) => {
      const fact = sourceEvent(recorded);
      return fact ? historyAfter(history, fact) : { ...history, revision: recorded.revision };
    }, NO_HISTORY);
    if (folded.revision !== count - 1)
      throw new Error(`${stream} ends at revision ${folded.revision}, but revision ${count} was delivered`);
    return folded;
  }
}
