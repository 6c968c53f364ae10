import type { ParkedEvent } from './ports/message-bus';

/** Storage for a bus's parked events. Every change is durable when its promise resolves. */
export interface ParkedEvents {
  /** Adding an event that is already parked changes nothing. */
  add(parked: ParkedEvent): Promise<void>;
  /** In log order. */
  list(group?: string, key?: string): Promise<readonly ParkedEvent[]>;
  remove(group: string, eventId: string): Promise<void>;
  /** The keys that have parked events of the group. */
  keys(group: string): Promise<ReadonlySet<string>>;
}
