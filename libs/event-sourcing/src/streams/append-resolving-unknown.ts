import { Refusal, Unavailable } from '@ponte/kernel';
import type { EventToAppend } from '../event';
import { assertEventSizes } from '../event-size';
import type { Appended, EventStore } from '../ports/event-store';
import { AppendOutcomeUnknown, EventStoreUnavailable } from '../ports/event-store';

/** How often an append with an unknown outcome is sent with the same ids before the caller gets the error. */
const MAX_UNKNOWN = 5;

/**
 * Appends events. An unknown outcome is resolved by appending the same ids at the same revision again, which the store
 * applies only once. Refuses `event-too-large`.
 */
export function appendResolvingUnknown(
  store: Pick<EventStore, 'append'>,
  pause: (attempt: number) => Promise<void>,
  stream: string,
  expected: number,
  events: readonly EventToAppend[],
  attempt = 1,
): Promise<Appended> {
  assertEventSizes(events);
  return store.append(stream, expected, events).catch(async (error: unknown) => {
    if (!(error instanceof AppendOutcomeUnknown) || attempt >= MAX_UNKNOWN) throw error;
    await pause(attempt);
    return appendResolvingUnknown(store, pause, stream, expected, events, attempt + 1);
  });
}

/** Converts an error to the one that the caller of a command gets. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof Refusal || error instanceof Unavailable) return error;
  if (error instanceof EventStoreUnavailable || error instanceof AppendOutcomeUnknown)
    return new Unavailable('service-unavailable');
  return error;
}
