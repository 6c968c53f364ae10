import type { Consumer, EachBatchPayload } from 'kafkajs';
import { KafkaJSNonRetriableError } from 'kafkajs';
import type { EngineLogger } from '@ponte/event-sourcing';
import { safeError } from '@ponte/event-sourcing';
import type { BusObserver } from '../observer';
import type { KafkaLimits } from '../options';
import { commitAcknowledged } from './acknowledged';
import { PartitionWork } from './partition-work';
import type { PartitionOffsets } from './partition-offsets';
import { partitionKey } from './partition-offsets';
import type { PublishedLog } from './published-log';
import type { TakenMessage } from './taken-message';

type Assignment = Readonly<Record<string, readonly number[]>>;

interface Published {
  readonly log: PublishedLog;
  readonly committedOffsets: () => Promise<PartitionOffsets>;
}

export interface AssignedPartitionsOptions {
  readonly group: string;
  readonly limits: KafkaLimits;
  readonly logger: EngineLogger;
  readonly observer?: BusObserver;
  /** For topics of events: the log that they come from, and the offsets from which the group reads on. */
  readonly published?: Published;
  /** Called for each message in the order of its partition. Must not block. */
  readonly take: (taken: TakenMessage) => void;
}

/**
 * The partitions that the group has assigned to one member, and the work on them. It takes messages, pauses partitions
 * with too much unfinished work, and commits finished offsets.
 */
export class AssignedPartitions {
  private readonly works = new Map<string, PartitionWork>();
  private assignment: Assignment = {};
  private commits: Promise<void> = Promise.resolve();
  private committedOffsets: Promise<PartitionOffsets | undefined> = Promise.resolve(undefined);

  constructor(
    private readonly options: AssignedPartitionsOptions,
    /** The current consumer, which is replaced when it fails; undefined in between. */
    private readonly consumer: () => Consumer | undefined,
  ) {}

  /**
   * After a rebalance: drops the work on partitions that another member has now, or may have had. `sessionEnded` if the
   * group had removed this member, and so assigned its partitions to others.
   */
  assign(assignment: Assignment, sessionEnded = false): void {
    const { published } = this.options;
    this.assignment = assignment;
    for (const [key, work] of this.works) {
      // The consumer and this class both track which partitions are paused. Both start with none.
      this.change('resume', [{ topic: work.topic, partitions: [work.partition] }]);
      work.paused = false;
      work.commitAgain();
      // Partitions that stay assigned keep their work. Messages that are fetched again are skipped.
      if (this.assignment[work.topic]?.includes(work.partition) && (published || !sessionEnded)) continue;
      work.abandoned = true;
      this.works.delete(key);
    }
    if (published) this.readCommittedOffsets(published, assignment, sessionEnded);
  }

  /** Takes the new messages of a batch, up to the limits of its partition. */
  takeBatch({ batch, resolveOffset }: EachBatchPayload): void {
    const { topic, partition } = batch;
    if (!this.assignment[topic]?.includes(partition)) return;
    const work = this.workOn(topic, partition, batch.highWatermark);
    work.fetched(batch.highWatermark);
    for (const message of batch.messages) {
      this.balance(work);
      // Messages that are not resolved are fetched again when the partition is resumed.
      if (work.paused) return;
      resolveOffset(message.offset);
      if (work.isNew(message.offset)) this.options.take(work.take(message, () => this.resume(work)));
    }
  }

  /** Resumes paused partitions with little unfinished work, and reports lag and unfinished work. */
  review(): void {
    const { group, observer } = this.options;
    let unfinished = 0;
    for (const work of this.works.values()) {
      this.resume(work);
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

  private resume(work: PartitionWork): void {
    if (work.paused) this.balance(work);
  }

  private workOn(topic: string, partition: number, end: string): PartitionWork {
    const key = partitionKey(topic, partition);
    const known = this.works.get(key);
    if (known) return known.isAnother(end) ? this.begin(known.replacement()) : known;
    const start = this.committedOffsets.then((offsets) => offsets?.get(key));
    return this.begin(new PartitionWork(topic, partition, start, this.options.published?.log));
  }

  private begin(work: PartitionWork): PartitionWork {
    this.works.set(partitionKey(work.topic, work.partition), work);
    return work;
  }

  private balance(work: PartitionWork): void {
    const change = work.balance(this.options.limits);
    if (!change) return;
    work.paused = change === 'pause';
    this.change(change, [{ topic: work.topic, partitions: [work.partition] }]);
  }

  /** A consumer has no group before it runs and after it failed. Its next assignment resumes all partitions. */
  private change(change: 'pause' | 'resume', partitions: Parameters<Consumer['pause']>[0]): void {
    try {
      this.consumer()?.[change](partitions);
    } catch (error) {
      if (!(error instanceof KafkaJSNonRetriableError)) throw error;
    }
  }

  private async commitNow(): Promise<void> {
    await this.untilStartsKnown();
    const consumer = this.consumer();
    const due = [...this.works.values()].flatMap((work) => {
      const offset = work.due();
      if (offset === undefined) return [];
      const metadata = work.positionBefore(offset) ?? null;
      return [{ work, topic: work.topic, partition: work.partition, offset, metadata }];
    });
    if (!consumer || due.length === 0) return;
    try {
      const isAcknowledged = await commitAcknowledged(
        consumer,
        due.map(({ work: _, ...offset }) => offset),
      );
      for (const { work, offset } of isAcknowledged ? due : []) work.wasCommitted(offset);
    } catch (error) {
      this.options.logger.warn(
        { group: this.options.group, error: safeError(error) },
        'offsets could not be committed; their messages may be redelivered',
      );
    }
  }

  /**
   * Nothing is fetched until the committed offsets are known, because the client overwrites a committed offset whose
   * messages no longer exist.
   */
  private readCommittedOffsets({ committedOffsets }: Published, assignment: Assignment, sessionEnded: boolean): void {
    const consumer = this.consumer();
    const kept = [...this.works].map(([key, work]) => ({ key, work, acknowledged: work.acknowledged }));
    const assigned = Object.entries(assignment).map(([topic, partitions]) => ({ topic, partitions: [...partitions] }));
    this.change('pause', assigned);
    this.committedOffsets = committedOffsets().catch((error: unknown) => {
      this.options.logger.warn(
        { group: this.options.group, error: safeError(error) },
        'committed offsets could not be read; events that were lost before may go unnoticed',
      );
      return undefined;
    });
    void this.committedOffsets.then((known) => {
      if (this.assignment !== assignment || this.consumer() !== consumer) return;
      for (const { key, work, acknowledged } of kept) {
        const start = known?.get(key);
        if (this.works.get(key) !== work) continue;
        // The brokers delete committed offsets with their topic. Other commits only increase.
        if (known && (start?.offset ?? -1n) < acknowledged) this.begin(work.replacement());
        else if (known ? start && work.isOvertakenBy(start) : sessionEnded) this.begin(work.regained(start));
      }
      this.change('resume', assigned);
    });
  }

  /** Resolves when it is known from where each partition is read. A rebalance in between may change that. */
  private async untilStartsKnown(): Promise<void> {
    for (let known: unknown; known !== this.committedOffsets;) {
      known = this.committedOffsets;
      await this.committedOffsets;
      await Promise.all([...this.works.values()].map(({ start }) => start));
    }
  }
}
