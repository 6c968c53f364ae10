import type { Position } from '@ponte/event-sourcing';

/** What a bus tells of itself, for metrics. Called often; must not throw. */
export interface BusObserver {
  /** Messages of a partition that this member has not finished. */
  lag?(topic: string, partition: number, messages: number): void;
  /** Partitions that this process reads since the last rebalance, by topic. */
  assigned?(group: string, partitions: Readonly<Record<string, readonly number[]>>): void;
  /** A consumer broke down or stood still, and is started again. */
  restarted?(group: string): void;
  /** An event was parked for a group of consumers and sent to the dead letters. */
  deadLetter?(group: string): void;
  /** A message of an event topic was not an event and went to the dead letters. */
  undecodable?(topic: string): void;
  /** Events of a stream are missing between two that came. */
  gap?(service: string): void;
  /** An event that the group had passed already. */
  duplicate?(group: string): void;
  /** Messages that a group has taken here and not finished: at work, or waiting for their turn. */
  unfinished?(group: string, messages: number): void;
}

/** What a relay tells of itself. */
export interface RelayObserver {
  /** A part of the log is with the brokers. `occurredAt` is the business time of its last event. */
  relayed?(progress: {
    readonly events: number;
    readonly position: Position;
    readonly caughtUp: boolean;
    readonly occurredAt: string;
  }): void;
}
