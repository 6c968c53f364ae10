import type { EventStore, LogFilter, LogSlice, Recorded } from '@ponte/event-sourcing';
import { freshId } from '../recorded';

export interface StoreUnderTest {
  readonly store: EventStore;
  /** Closes the store and reopens it with the same data. */
  reopen(): Promise<EventStore>;
  /** Closes everything and removes the data. */
  cleanUp(): Promise<void>;
}

/** Unique category and stream names, so that the suite can run on a shared server. */
export const names = () => {
  const category = `kind${freshId()}`;
  return { category, stream: `${category}-${freshId()}` };
};
export const ids = (events: readonly { id: string }[]) => events.map((event) => event.id);

/** Reads until `enough` returns true, then closes the subscription. */
export async function collect(
  store: EventStore,
  filter: LogFilter,
  enough: (events: readonly Recorded[], slice: LogSlice) => boolean,
): Promise<Recorded[]> {
  const events: Recorded[] = [];
  for await (const slice of store.subscribe(filter)) {
    events.push(...slice.events);
    if (enough(events, slice)) break;
  }
  return events;
}
