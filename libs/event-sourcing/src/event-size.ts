import { refuse } from '@ponte/kernel';
import type { EventToAppend } from './event';

/**
 * Bytes of an event's data as JSON. Brokers take a message of 1 MiB and EventStoreDB an append of 1 MiB; the rest is
 * for the envelope.
 */
export const MAX_EVENT_BYTES = 900_000;
/** What JSON makes of one UTF-16 unit at most: `\\u0000`. */
const MAX_BYTES_PER_UNIT = 6;

/** Refuses `event-too-large`, before anything is written: a store or a broker would refuse it later, and for ever. */
export function assertEventSizes(events: readonly EventToAppend[]): void {
  for (const { type, data } of events) {
    // Counting the text is far cheaper than writing it, and enough for nearly every event.
    if (units(data) * MAX_BYTES_PER_UNIT <= MAX_EVENT_BYTES) continue;
    const bytes = Buffer.byteLength(JSON.stringify(data));
    if (bytes > MAX_EVENT_BYTES)
      refuse(
        'event-too-large',
        `the event ${type} would have ${bytes} bytes; at most ${MAX_EVENT_BYTES} can be recorded`,
      );
  }
}

/** Punctuation, and the longest text of a number. */
const PER_VALUE = 24;

/** At least as many UTF-16 units as the JSON has before escaping. */
function units(value: unknown): number {
  if (typeof value === 'string') return value.length + PER_VALUE;
  if (typeof value !== 'object' || value === null) return PER_VALUE;
  let sum = PER_VALUE;
  if (Array.isArray(value)) for (const one of value as unknown[]) sum += units(one);
  else for (const name in value) sum += name.length + units((value as Record<string, unknown>)[name]);
  return sum;
}
