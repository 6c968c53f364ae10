import type { EventStore, LogFilter, LogSlice, Recorded } from '@ponte/event-sourcing';
import { freshId } from '../recorded';

export interface StoreUnderTest {
  readonly store: EventStore;
  /** Closes the store and opens what it kept again. */
  reopen(): Promise<EventStore>;
  /** Ends whatever is open and removes it. */
  cleanUp(): Promise<void>;
}

/** Category and stream names that nothing else uses, so that the suite may run against a server that others use too. */
export const names = () => {
  const category = `kind${freshId()}`;
  return { category, stream: `${category}-${freshId()}` };
};
export const ids = (events: readonly { id: string }[]) => events.map((event) => event.id);

/** Reads until `enough` is content with what has come, then closes. */
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
