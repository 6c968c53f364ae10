import { refuse } from '@ponte/kernel';
import type { EventToAppend } from './event';

/**
 * The limit for an event's data as JSON, in bytes. Brokers accept messages of 1 MiB and EventStoreDB accepts appends of
 * 1 MiB; the difference is for the envelope.
 */
export const MAX_EVENT_BYTES = 900_000;
/** The longest JSON encoding of one UTF-16 unit: `\\u0000`. */
const MAX_BYTES_PER_UNIT = 6;

/** Refuses `event-too-large` before anything is written, instead of a store or broker refusing each retry. */
export function assertEventSizes(events: readonly EventToAppend[]): void {
  for (const { type, data } of events) {
    // An upper bound is far cheaper than serializing, and it suffices for nearly every event.
    if (units(data) * MAX_BYTES_PER_UNIT <= MAX_EVENT_BYTES) continue;
    const bytes = Buffer.byteLength(JSON.stringify(data));
    if (bytes > MAX_EVENT_BYTES)
      refuse(
        'event-too-large',
        `the event ${type} would have ${bytes} bytes; at most ${MAX_EVENT_BYTES} can be recorded`,
      );
  }
}

/** Room for punctuation and for the longest number. */
const PER_VALUE = 24;

/** An upper bound for the UTF-16 units of the JSON before escaping. */
function units(value: unknown): number {
  if (typeof value === 'string') return value.length + PER_VALUE;
  if (typeof value !== 'object' || value === null) return PER_VALUE;
  let sum = PER_VALUE;
  if (Array.isArray(value)) for (const one of value as unknown[]) sum += units(one);
  else for (const name in value) sum += name.length + units((value as Record<string, unknown>)[name]);
  return sum;
}
