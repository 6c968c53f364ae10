import type { Position } from '@ponte/event-sourcing';

/** What a bus reports about itself, for metrics. The methods are called often and must not throw. */
export interface BusObserver {
  /** The number of messages in a partition that this member has not finished. */
  lag?(topic: string, partition: number, messages: number): void;
  /** The partitions assigned to this process by the latest rebalance, by topic. */
  assigned?(group: string, partitions: Readonly<Record<string, readonly number[]>>): void;
  /** A consumer failed or stalled and is being restarted. */
  restarted?(group: string): void;
  /** An event was parked for a group of consumers and sent to the dead letters. */
  deadLetter?(group: string): void;
  /** A message of an event topic was not an event and went to the dead letters. */
  undecodable?(topic: string): void;
  /** Events of a stream are missing between two received events. */
  gap?(service: string): void;
  /** The group received an event that it had finished already. */
  duplicate?(group: string): void;
  /** The number of messages that a group has taken here and not finished: in progress or queued. */
  unfinished?(group: string, messages: number): void;
}

/** What a relay reports about itself. */
export interface RelayObserver {
  /** The brokers have acknowledged a part of the log. `occurredAt` is the business time of its last event. */
  relayed?(progress: {
    readonly events: number;
    readonly position: Position;
    readonly caughtUp: boolean;
    readonly occurredAt: string;
  }): void;
}
