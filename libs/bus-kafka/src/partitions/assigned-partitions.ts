import type { Consumer, EachBatchPayload, KafkaMessage } from 'kafkajs';
import type { EngineLogger } from '@ponte/event-sourcing';
import { safeError } from '@ponte/event-sourcing';
import type { BusObserver } from '../observer';
import type { KafkaLimits } from '../options';
import { PartitionWork } from './partition-work';
import type { Taken } from './taken';

export type Assignment = Readonly<Record<string, readonly number[]>>;

export interface AssignedPartitionsOptions {
  readonly group: string;
  readonly limits: KafkaLimits;
  readonly logger: EngineLogger;
  readonly observer?: BusObserver;
  /** Called for each message in the order of its partition. Must not block. */
  readonly take: (taken: Taken) => void;
}

/**
 * The partitions that the group has assigned to one member, and the work on them. It takes messages, pauses partitions
 * with too much unfinished work, and commits finished offsets.
 */
export class AssignedPartitions {
  private readonly works = new Map<string, PartitionWork>();
  private assignment: Assignment = {};
  private commits: Promise<void> = Promise.resolve();

  constructor(
    private readonly options: AssignedPartitionsOptions,
    /** The current consumer, which is replaced when it fails; undefined in between. */
    private readonly consumer: () => Consumer | undefined,
  ) {}

  /** After a rebalance: drops the work on partitions that another member has now. */
  assign(assignment: Assignment): void {
    this.assignment = assignment;
    for (const [key, work] of this.works) {
      // The consumer and this class both track which partitions are paused. Both start with none.
      this.consumer()?.resume([{ topic: work.topic, partitions: [work.partition] }]);
      work.paused = false;
      work.commitAgain();
      // Partitions that stay assigned keep their work. Messages that are fetched again are skipped.
      if (this.assignment[work.topic]?.includes(work.partition)) continue;
      work.abandoned = true;
      this.works.delete(key);
    }
  }

  /** Takes the new messages of a batch, up to the limits of its partition. */
  takeBatch({ batch, resolveOffset }: EachBatchPayload): void {
    const { topic, partition } = batch;
    if (!this.assignment[topic]?.includes(partition)) return;
    const work = this.workOn(topic, partition, batch.highWatermark);
    work.end = BigInt(batch.highWatermark);
    for (const message of batch.messages) {
      this.balance(work);
      // Messages that are not resolved are fetched again when the partition is resumed.
      if (work.paused) return;
      resolveOffset(message.offset);
      if (work.isNew(message.offset)) this.take(work, message);
    }
  }

  /** Resumes paused partitions with little unfinished work, and reports lag and unfinished work. */
  review(): void {
    const { group, observer } = this.options;
    let unfinished = 0;
    for (const work of this.works.values()) {
      if (work.paused) this.balance(work);
      unfinished += work.unfinished;
      observer?.lag?.(work.topic, work.partition, work.lag);
    }
    observer?.unfinished?.(group, unfinished);
  }

  /** Commits one after the other, so that an older offset never overwrites a newer one. */
  commit(): Promise<void> {
    return (this.commits = this.commits.then(() => this.commitNow()));
  }

  /** Drops all work: waiting messages are no longer this member's, and nothing more is committed. */
  abandon(): void {
    for (const work of this.works.values()) work.abandoned = true;
  }

  private take(work: PartitionWork, message: KafkaMessage): void {
    const end = work.begin(message.offset);
    const done = (): void => {
      end();
      if (work.paused) this.balance(work);
    };
    this.options.take({ topic: work.topic, partition: work.partition, message, isOurs: () => !work.abandoned, done });
  }

  private workOn(topic: string, partition: number, end: string): PartitionWork {
    const key = `${topic} ${partition}`;
    const known = this.works.get(key);
    if (known && !known.isAnother(end)) return known;
    if (known) known.abandoned = true;
    const work = new PartitionWork(topic, partition);
    this.works.set(key, work);
    return work;
  }

  private balance(work: PartitionWork): void {
    const change = work.balance(this.options.limits);
    if (!change) return;
    work.paused = change === 'pause';
    this.consumer()?.[change]([{ topic: work.topic, partitions: [work.partition] }]);
  }

  private async commitNow(): Promise<void> {
    const consumer = this.consumer();
    const due = [...this.works.values()].flatMap((work) => {
      const offset = work.due();
      return offset === undefined ? [] : [{ work, topic: work.topic, partition: work.partition, offset }];
    });
    if (!consumer || due.length === 0) return;
    try {
      await consumer.commitOffsets(due.map(({ topic, partition, offset }) => ({ topic, partition, offset })));
      for (const { work, offset } of due) work.wasCommitted(offset);
    } catch (error) {
      this.options.logger.warn(
        { group: this.options.group, error: safeError(error) },
        'offsets could not be committed; their messages may be redelivered',
      );
    }
  }
}
