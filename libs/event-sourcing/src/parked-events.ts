import type { ParkedEvent } from './ports/message-bus';

/** Where a bus keeps parked events. Everything is durable when the promise resolves. */
export interface ParkedEvents {
  /** Adding an event that is there already changes nothing. */
  add(parked: ParkedEvent): Promise<void>;
  /** In log order. */
  list(group?: string, key?: string): Promise<readonly ParkedEvent[]>;
  remove(group: string, eventId: string): Promise<void>;
  /** The keys under which something of the group is parked. */
  keys(group: string): Promise<ReadonlySet<string>>;
}
