import type { Consumer, ICustomPartitioner, RecordMetadata, TopicPartitionOffsetAndMetadata } from 'kafkajs';
import { Partitioners } from 'kafkajs';

/** The brokers acknowledged only a part of a send, although the client reported success. */
export class PartlyAcknowledged extends Error {
  override readonly name = 'PartlyAcknowledged';
}

/**
 * Checks that the brokers have acknowledged every partition that messages were sent to. kafkajs sends to several
 * leaders at once and, while it retries a failed part, keeps the responses of the other leaders. If one of those has
 * become the leader of the failed part, the client mistakes its earlier response for the new one, sends nothing, and
 * reports success (kafkajs 2.2.4, pull request 1798). Supports one send per topic at a time.
 */
export class Acknowledged {
  private readonly meant = new Map<string, Set<number>>();

  /** Kafka's default partitioner; it also records the chosen partitions. */
  readonly partitioner: ICustomPartitioner = () => {
    const choose = Partitioners.DefaultPartitioner();
    return (args) => {
      const partition = choose(args);
      this.meant.get(args.topic)?.add(partition);
      return partition;
    };
  };

  /** Throws {@link PartlyAcknowledged} unless the response covers every partition chosen during the send. */
  async all(topic: string, send: () => Promise<readonly RecordMetadata[]>): Promise<void> {
    const meant = new Set<number>();
    this.meant.set(topic, meant);
    try {
      for (const { partition } of await send()) meant.delete(partition);
      if (meant.size > 0)
        throw new PartlyAcknowledged(`partitions ${[...meant].join(', ')} of ${topic} did not respond`);
    } finally {
      this.meant.delete(topic);
    }
  }
}

/**
 * Commits offsets and returns whether the brokers have acknowledged them. Throws the error of a failed commit. The
 * client also reports success if it sent nothing because it is starting or stopping (kafkajs 2.2.4), so only its commit
 * event is trusted. Supports one commit per consumer at a time.
 */
export async function commitAcknowledged(
  consumer: Pick<Consumer, 'commitOffsets' | 'events' | 'on'>,
  offsets: readonly TopicPartitionOffsetAndMetadata[],
): Promise<boolean> {
  let isAcknowledged = false;
  const stopListening = consumer.on(consumer.events.COMMIT_OFFSETS, () => {
    isAcknowledged = true;
  });
  try {
    await consumer.commitOffsets([...offsets]);
    return isAcknowledged;
  } finally {
    stopListening();
  }
}
