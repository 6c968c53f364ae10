import type { EventStore, Recorded } from '@ponte/event-sourcing';
import { upcaster } from '@ponte/event-sourcing';
import { lruCache } from '@ponte/kernel';
import type { PublicationHistory } from '../publication/publication.domain';
import { NO_HISTORY, historyAfter } from '../publication/publication.domain';
import type { SourceEvent } from '../publication/published-events.domain';
import { SOURCE_EVENTS } from '../publication/published-events.domain';

/** The number of resources whose history is kept in memory. */
const HISTORIES = 20_000;

const known = new Set(SOURCE_EVENTS.map(({ type }) => type));
const current = upcaster(SOURCE_EVENTS);

/**
 * The event in its current version, or undefined when this build neither publishes its type nor needs it for a history.
 */
export const sourceEvent = (event: Recorded): Recorded<SourceEvent> | undefined =>
  known.has(event.type) ? current<SourceEvent>(event) : undefined;

/** The stream of a resource could not be read as far as needed. Unlike a failed fold, this may pass by itself. */
export class HistoryNotRead extends Error {
  override readonly name = 'HistoryNotRead';
}

/** What each resource has published, folded from its own stream. */
export class PublicationHistories {
  private readonly histories = lruCache<string, PublicationHistory>(HISTORIES);

  constructor(private readonly store: Pick<EventStore, 'read'>) {}

  /** The history before this event in its stream. The history including the event is cached for the next one. */
  async before(event: Recorded<SourceEvent>): Promise<PublicationHistory> {
    const held = event.revision === 0 ? NO_HISTORY : this.histories.get(event.stream);
    const before = held?.revision === event.revision - 1 ? held : await this.fold(event.stream, event.revision);
    this.histories.set(event.stream, historyAfter(before, event));
    return before;
  }

  /** Used after a restart, or when a slice is processed again. */
  private async fold(stream: string, count: number): Promise<PublicationHistory> {
    const folded = (await this.earlier(stream, count)).reduce((history, recorded) => {
      const fact = sourceEvent(recorded);
      return fact ? historyAfter(history, fact) : { ...history, revision: recorded.revision };
    }, NO_HISTORY);
    if (folded.revision !== count - 1)
      throw new HistoryNotRead(`${stream} ends at revision ${folded.revision}, but revision ${count} was delivered`);
    return folded;
  }

  private async earlier(stream: string, count: number): Promise<readonly Recorded[]> {
    try {
      return await this.store.read(stream, { limit: count });
    } catch (cause) {
      throw new HistoryNotRead(`${stream} cannot be read`, { cause });
    }
  }
}
