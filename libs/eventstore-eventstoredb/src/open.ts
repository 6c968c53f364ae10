import type { EventStore } from '@ponte/event-sourcing';
import type { EventStoreDbOptions } from './options';
import type { StoreFault } from './store-faults';

export interface EventStoreDbStore extends EventStore {
  /** What keeps readers of this process from going on until someone acts; empty when all is well. */
  faults(): readonly StoreFault[];
}

/**
 * The log in EventStoreDB or KurrentDB, 24.10 or later. Connects when it is first used. Rejects when the connection
 * string is not one. The client is loaded only here: an embedded process does without it.
 */
export async function openEventStoreDb(options: EventStoreDbOptions): Promise<EventStoreDbStore> {
  const { EventStoreDb } = await import('./event-store');
  return new EventStoreDb(options);
}
