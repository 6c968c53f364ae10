import type { ICustomPartitioner, RecordMetadata } from 'kafkajs';
import { Partitioners } from 'kafkajs';

/** The brokers took a part of what was sent together, and the client counts it as all of it. */
export class PartlyAcknowledged extends Error {
  override readonly name = 'PartlyAcknowledged';
}

/**
 * Whether the brokers have acknowledged every partition that messages were meant for. kafkajs sends to several leaders
 * at once and keeps the answers of those who took their part while it tries the others again: when one of them has
 * become the leader of what is still to be sent, the client takes its earlier answer for the new one, sends nothing and
 * reports success (kafkajs 2.2.4, pull request 1798). For one topic at a time.
 */
export class Acknowledged {
  private readonly meant = new Map<string, Set<number>>();

  /** Kafka's own way to choose a partition, with a note of what it chose. */
  readonly partitioner: ICustomPartitioner = () => {
    const choose = Partitioners.DefaultPartitioner();
    return (args) => {
      const partition = choose(args);
      this.meant.get(args.topic)?.add(partition);
      return partition;
    };
  };

  /** Throws {@link PartlyAcknowledged} unless the answer speaks of every partition that was chosen meanwhile. */
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
