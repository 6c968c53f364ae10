import type { EventStore } from '@ponte/event-sourcing';
import type { EventStoreDbOptions } from './options';

/**
 * The log in EventStoreDB or KurrentDB, 22.10 or later. Connects when it is first used. Rejects when the connection string
 * is not one. The client is loaded only here: an embedded process does without it.
 */
export async function openEventStoreDb(options: EventStoreDbOptions): Promise<EventStore> {
  const { EventStoreDb } = await import('./event-store');
  return new EventStoreDb(options);
}
