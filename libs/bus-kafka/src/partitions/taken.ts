import type { KafkaMessage } from 'kafkajs';

/** A message that this member must finish. */
export interface Taken {
  readonly topic: string;
  readonly partition: number;
  readonly message: KafkaMessage;
  /** False once the partition has been assigned to another member, which then handles the message. */
  isOurs(): boolean;
  /** Finishes the message. Its offset is committed when all earlier messages are finished too. */
  done(): void;
}
