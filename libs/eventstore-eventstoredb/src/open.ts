import type { EventStore } from '@ponte/event-sourcing';
import type { EventStoreDbOptions } from './options';
import type { StoreFault } from './store-faults';

export interface EventStoreDbStore extends EventStore {
  /** Faults that stop readers of this process until an operator acts; usually empty. */
  faults(): readonly StoreFault[];
}

/**
 * Opens the log in EventStoreDB or KurrentDB, 24.10 or later. It connects at the first use. Rejects if the connection
 * string is invalid. The client library is loaded only here, because an embedded process does not need it.
 */
export async function openEventStoreDb(options: EventStoreDbOptions): Promise<EventStoreDbStore> {
  const { EventStoreDb } = await import('./event-store');
  return new EventStoreDb(options);
}
