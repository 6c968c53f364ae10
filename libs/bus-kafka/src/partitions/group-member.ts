import type { Consumer, ConsumerGroupJoinEvent, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import type { EngineLogger } from '@ponte/event-sourcing';
import { safeError } from '@ponte/event-sourcing';
import { inPlaceOf } from './static-membership';
import type { BusObserver } from '../observer';
import type { KafkaLimits } from '../options';
import { paceFetches } from './paced-fetch';
import { PartitionWork } from './partition-work';
import { pause, retryDelay, within } from '@ponte/concurrency';

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

export interface MemberOptions {
  readonly client: Kafka;
  readonly group: string;
  readonly topics: readonly string[];
  readonly limits: KafkaLimits;
  readonly logger: EngineLogger;
  readonly observer?: BusObserver;
  /** Called for each message in the order of its partition. Must not block. */
  readonly take: (taken: Taken) => void;
  /** Called after each rebalance of the group, before messages are taken. */
  readonly joined?: () => void;
  /** Id of the member whose place this one takes. If that member no longer exists, this one joins as a new member. */
  readonly staticMembers?: string;
  /** Pause after a fetch that brought messages, in milliseconds. Default: none. */
  readonly lingerMs?: number;
  /** Ensures, before each start of the consumer, that the topics exist. */
  readonly prepare?: () => Promise<void>;
}

/**
 * One member of a consumer group for the lifetime of the process. A kafkajs consumer fails permanently on errors that
 * are temporary, so it is replaced. The member keeps fetching while work is in progress, pauses partitions with too
 * much unfinished work, and commits finished offsets periodically.
 */
export class GroupMember {
  private readonly works = new Map<string, PartitionWork>();
  private assignment: Readonly<Record<string, readonly number[]>> = {};
  private consumer: Consumer | undefined;
  /** The member id that the brokers last assigned. */
  private memberId: string | undefined;
  private lastSign = 0;
  private failures = 0;
  private replacing: Promise<void> | undefined;
  private commits: Promise<void> = Promise.resolve();
  private ticking: NodeJS.Timeout | undefined;
  private draining = false;
  private stopped = false;
  private tellJoined = (): void => undefined;
  private readonly firstJoin = new Promise<void>((resolve) => {
    this.tellJoined = resolve;
  });

  constructor(private readonly options: MemberOptions) {}

  /** Resolves when the group has assigned partitions to this member for the first time. */
  async start(): Promise<void> {
    this.replacing = this.replace(undefined);
    this.ticking = setInterval(() => this.tick(), this.options.limits.commitEveryMs);
    await this.firstJoin;
  }

  /** Accepts no more messages; work in progress continues. */
  drain(): void {
    this.draining = true;
  }

  /** Commits what is finished and leaves the group, so that another member takes over at once. */
  async stop(): Promise<void> {
    this.draining = this.stopped = true;
    clearInterval(this.ticking);
    const { stopMs } = this.options.limits;
    await within(stopMs, this.replacing);
    await within(stopMs, this.commit());
    for (const work of this.works.values()) work.abandoned = true;
    const { consumer } = this;
    this.consumer = undefined;
    await within(stopMs, consumer?.disconnect());
  }

  private async replace(old: Consumer | undefined): Promise<void> {
    const {
      limits: { restartMs, stopMs },
      group,
      logger,
      prepare,
    } = this.options;
    if (old) await within(stopMs, old.disconnect());
    while (!this.stopped) {
      if (this.failures > 0) await pause(retryDelay(this.failures, restartMs), undefined, { ref: false });
      this.failures += 1;
      try {
        await prepare?.();
        if (!this.stopped) await this.open();
        return;
      } catch (error) {
        logger.error({ group, error: safeError(error) }, 'a consumer could not be started; this will be retried');
        await within(stopMs, this.consumer?.disconnect());
        this.consumer = undefined;
      }
    }
  }

  private async open(): Promise<void> {
    const { client, group, topics, limits, lingerMs } = this.options;
    if (lingerMs !== undefined) paceFetches(group, lingerMs);
    const consumer = client.consumer({
      groupId: group,
      sessionTimeout: limits.sessionMs,
      heartbeatInterval: limits.heartbeatMs,
      rebalanceTimeout: limits.sessionMs,
      maxWaitTimeInMs: limits.fetchWaitMs,
      minBytes: 1,
      allowAutoTopicCreation: false,
      // This class always replaces a failed consumer with a new one, so the client must not restart it.
      retry: { restartOnFailure: async () => false },
    });
    const ours =
      <T>(listen: (event: { readonly payload: T }) => void) =>
      (event: { readonly payload: T }): void => {
        if (this.consumer === consumer) listen(event);
      };
    this.consumer = consumer;
    this.sign();
    consumer.on(
      consumer.events.GROUP_JOIN,
      ours(({ payload }) => this.shared(payload)),
    );
    consumer.on(
      consumer.events.REBALANCING,
      ours(() => void this.commit()),
    );
    consumer.on(
      consumer.events.FETCH,
      ours(() => this.sign()),
    );
    consumer.on(
      consumer.events.CRASH,
      ours(({ payload }) => this.broken(payload.error)),
    );
    await consumer.connect();
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    if (this.stopped) return;
    const eachBatch = async (batch: EachBatchPayload): Promise<void> => {
      if (this.consumer === consumer) this.batch(batch);
    };
    // A failed consumer has not left the group. Its successor takes over its member id; otherwise the group would wait
    // until its session ends.
    await inPlaceOf(this.memberId ?? this.options.staticMembers, () =>
      consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch }),
    );
  }

  private broken(error: unknown): void {
    const { consumer } = this;
    if (!consumer || this.stopped) return;
    this.consumer = undefined;
    this.options.logger.warn(
      { group: this.options.group, error: safeError(error) },
      'a consumer failed and is being restarted',
    );
    this.options.observer?.restarted?.(this.options.group);
    this.replacing = (this.replacing ?? Promise.resolve()).then(() => this.replace(consumer));
  }

  private shared({ memberAssignment, memberId }: ConsumerGroupJoinEvent['payload']): void {
    this.memberId = memberId;
    this.assignment = memberAssignment;
    this.sign();
    for (const [key, work] of this.works) {
      // The consumer and this class both track which partitions are paused. Both start with none.
      this.consumer?.resume([{ topic: work.topic, partitions: [work.partition] }]);
      work.paused = false;
      work.commitAgain();
      // Partitions that stay assigned keep their work. Messages that are fetched again are skipped.
      if (this.assignment[work.topic]?.includes(work.partition)) continue;
      work.abandoned = true;
      this.works.delete(key);
    }
    this.options.observer?.assigned?.(this.options.group, memberAssignment);
    this.options.joined?.();
    this.tellJoined();
  }

  private batch({ batch, resolveOffset }: EachBatchPayload): void {
    this.sign();
    this.failures = 0;
    const { topic, partition } = batch;
    if (this.draining || !this.assignment[topic]?.includes(partition)) return;
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
    this.consumer?.[change]([{ topic: work.topic, partitions: [work.partition] }]);
  }

  private tick(): void {
    const {
      consumer,
      options: { limits, group, logger, observer },
    } = this;
    let unfinished = 0;
    for (const work of this.works.values()) {
      if (work.paused) this.balance(work);
      unfinished += work.unfinished;
      observer?.lag?.(work.topic, work.partition, work.lag);
    }
    observer?.unfinished?.(group, unfinished);
    void this.commit();
    if (consumer && performance.now() - this.lastSign > limits.stalledMs) {
      this.sign();
      logger.error({ group }, 'a consumer makes no progress');
      this.broken(undefined);
    }
  }

  private sign(): void {
    this.lastSign = performance.now();
  }

  /** Commits one after the other, so that an older offset never overwrites a newer one. */
  private commit(): Promise<void> {
    return (this.commits = this.commits.then(() => this.commitNow()));
  }

  private async commitNow(): Promise<void> {
    const { consumer } = this;
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
