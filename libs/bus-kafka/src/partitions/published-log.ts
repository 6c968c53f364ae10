import type { EventStore, Position } from '@ponte/event-sourcing';

/**
 * The log from which the messages of event topics come. It shows which events a consumer should have received but did
 * not.
 */
export type PublishedLog = Pick<EventStore, 'read' | 'comparePositions'>;
/** What tells where a log ends. */
export type LogEnd = Pick<EventStore, 'head' | 'soleWriter'>;

/** False if they cannot be compared: another program may have written a message or committed an offset. */
export function isAfter(log: PublishedLog, a: Position, b: Position): boolean {
  try {
    return log.comparePositions(a, b) > 0;
  } catch {
    return false;
  }
}

/** The later of two positions; the second if they cannot be compared. */
export const laterOf = (log: PublishedLog, a: Position | undefined, b: Position | undefined): Position | undefined =>
  a === undefined || b === undefined ? (a ?? b) : isAfter(log, a, b) ? a : b;
