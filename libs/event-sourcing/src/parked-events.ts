import type { ParkedEvent } from './ports/message-bus';

/** The reason of an event that is parked only because an earlier one of its stream is. */
export const PARKED_BEHIND = 'waits behind an earlier event of its stream';
/** The reason of the first event after a gap in its stream. */
export const PARKED_AFTER_GAP = 'earlier events of its stream are missing';

/** Who discarded an event, and why. */
export interface Discard {
  readonly actor: string;
  readonly why: string;
  /** ISO 8601. */
  readonly discardedAt: string;
}

/** A parked event that its group will never handle, because an operator decided so. */
export type DiscardedEvent = ParkedEvent & Discard;

/** Storage for a bus's parked events. Every change is durable when its promise resolves. */
export interface ParkedEvents {
  /** Adding an event that is already parked or discarded changes nothing. */
  add(parked: ParkedEvent): Promise<void>;
  /** In log order, without discarded events. */
  list(group?: string, key?: string): Promise<readonly ParkedEvent[]>;
  /** Call when an event was handled. It is then neither parked nor discarded. */
  remove(group: string, eventId: string): Promise<void>;
  /**
   * Discards a parked event if it is the first one parked of its key; otherwise changes nothing. One atomic step. What
   * is discarded stays so, with the first actor and reason.
   */
  discard(group: string, eventId: string, discard: Discard): Promise<void>;
  /** In log order. */
  discarded(group?: string, key?: string): Promise<readonly DiscardedEvent[]>;
  /** The keys that have parked events of the group. */
  keys(group: string): Promise<ReadonlySet<string>>;
}
