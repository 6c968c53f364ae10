import type { KafkaMessage } from 'kafkajs';
import type { Position } from '@ponte/event-sourcing';
import type { PartitionOffset } from './partition-offsets';

/** A message that this member must finish. */
export interface TakenMessage {
  readonly topic: string;
  readonly partition: number;
  readonly message: KafkaMessage;
  /**
   * Whether the partition had the message already when this member began to read it. It may then be from before a
   * restore of the log.
   */
  readonly isBacklog: boolean;
  /** The same object for all messages of a partition while it stays assigned to this member. */
  readonly assignment: object;
  /** False once the partition has been assigned to another member, which then handles the message. */
  isOurs(): boolean;
  /**
   * The offset after the previous message of the partition; for the first one, the offset from which the group reads.
   * Undefined if unknown. Call it, if at all, when the message is taken.
   */
  before(): Promise<PartitionOffset | undefined>;
  /** Notes that the message is the event at this position in the log. Call it when the message is taken. */
  notePosition(position: Position): void;
  /** Undoes `notePosition`: the log does not have the event. Call it before the message is finished. */
  forgetPosition(): void;
  /** Exempts the message from the limit at which its partition is paused. Call it once, when the message is taken. */
  exemptFromLimit(): void;
  /** Finishes the message. Its offset is committed when all earlier messages are finished too. */
  done(): void;
}
