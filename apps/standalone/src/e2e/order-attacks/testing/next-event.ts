import type { EventStore, Recorded } from '@ponte/event-sourcing';

/** Waits for the first event of a type that is appended from now on, and notices it before anything follows from it. */
export async function nextEvent(store: EventStore, type: string): Promise<Recorded> {
  const subscription = store.subscribe({ after: await store.head() });
  try {
    for await (const { events } of subscription) {
      const found = events.find((event) => event.type === type);
      if (found) return found;
    }
    throw new Error(`the log has ended without ${type}`);
  } finally {
    await subscription.close();
  }
}
