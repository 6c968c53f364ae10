import type { Consumer, ConsumerGroupJoinEvent, EachBatchPayload, Kafka } from 'kafkajs';
import { safeError } from '@ponte/event-sourcing';
import { inPlaceOf } from './static-membership';
import type { AssignedPartitionsOptions } from './assigned-partitions';
import { AssignedPartitions } from './assigned-partitions';
import { pause, retryDelay, settledWithin } from '@ponte/concurrency';

/** More partitions than one member usually has. With more, only the pauses between fetches are longer. */
const PARTITIONS_AT_ONCE = 64;

export interface MemberOptions extends AssignedPartitionsOptions {
  readonly client: Kafka;
  readonly topics: readonly string[];
  /** Called after each rebalance of the group, before messages are taken. */
  readonly joined?: () => void;
  /** Id of the member whose place this one takes. If that member no longer exists, this one joins as a new member. */
  readonly staticMembers?: string;
  /**
   * Pause after a fetch that brought messages, in milliseconds. Default: none. Without it, kafkajs fetches again at
   * once, and a broker responds as soon as it has one message, which under load means nearly one request per message.
   * The first message after an idle time is still delivered at once.
   */
  readonly lingerMs?: number;
  /** Ensures, before each start of the consumer, that the topics exist. */
  readonly prepare?: () => Promise<void>;
}

/**
 * One member of a consumer group for the lifetime of the process. A kafkajs consumer fails permanently on errors that
 * are temporary, so it is replaced. The member keeps fetching while work is in progress, and commits finished offsets
 * periodically.
 */
export class GroupMember {
  private readonly partitions: AssignedPartitions;
  private consumer: Consumer | undefined;
  /** The member id that the brokers last assigned. They assign another one if the session has ended. */
  private memberId: string | undefined;
  private lastSign = 0;
  private failures = 0;
  private replacing: Promise<void> | undefined;
  private ticking: NodeJS.Timeout | undefined;
  private draining = false;
  private stopped = false;
  private announceJoined = (): void => undefined;
  private readonly firstJoin = new Promise<void>((resolve) => {
    this.announceJoined = resolve;
  });

  constructor(private readonly options: MemberOptions) {
    this.partitions = new AssignedPartitions(options, () => this.consumer);
  }

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
    await settledWithin(stopMs, this.replacing);
    await settledWithin(stopMs, this.partitions.commit());
    this.partitions.abandon();
    const { consumer } = this;
    this.consumer = undefined;
    await settledWithin(stopMs, consumer?.disconnect());
  }

  private async replace(old: Consumer | undefined): Promise<void> {
    const { limits, group, logger, prepare } = this.options;
    const { restartMs, stopMs } = limits;
    if (old) await settledWithin(stopMs, old.disconnect());
    while (!this.stopped) {
      if (this.failures > 0) await pause(retryDelay(this.failures, restartMs), undefined, { ref: false });
      this.failures += 1;
      try {
        await prepare?.();
        if (!this.stopped) await this.open();
        return;
      } catch (error) {
        logger.error({ group, error: safeError(error) }, 'a consumer could not be started; this will be retried');
        await settledWithin(stopMs, this.consumer?.disconnect());
        this.consumer = undefined;
      }
    }
  }

  private async open(): Promise<void> {
    const { client, group, topics, limits, lingerMs } = this.options;
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
      ours(({ payload }) => this.onAssignment(payload)),
    );
    consumer.on(
      consumer.events.REBALANCING,
      ours(() => void this.partitions.commit()),
    );
    consumer.on(
      consumer.events.FETCH,
      ours(() => this.sign()),
    );
    consumer.on(
      consumer.events.CRASH,
      ours(({ payload }) => this.onFailure(payload.error)),
    );
    await consumer.connect();
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    if (this.stopped) return;
    const eachBatch = async (batch: EachBatchPayload): Promise<void> => {
      if (this.consumer !== consumer) return;
      this.batch(batch);
      // kafkajs fetches again when the batches of all partitions are processed.
      if (lingerMs !== undefined && !this.draining) await pause(lingerMs);
    };
    // A failed consumer has not left the group. Its successor takes over its member id; otherwise the group would wait
    // until its session ends.
    await inPlaceOf(this.memberId ?? this.options.staticMembers, () =>
      consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        // The pauses of the partitions of a fetch run at the same time.
        partitionsConsumedConcurrently: lingerMs === undefined ? 1 : PARTITIONS_AT_ONCE,
        eachBatch,
      }),
    );
  }

  private onFailure(error: unknown): void {
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

  private onAssignment({ memberAssignment, memberId }: ConsumerGroupJoinEvent['payload']): void {
    const sessionEnded = this.memberId !== undefined && this.memberId !== memberId;
    this.memberId = memberId;
    this.sign();
    this.partitions.assign(memberAssignment, sessionEnded);
    this.options.observer?.assigned?.(this.options.group, memberAssignment);
    this.options.joined?.();
    this.announceJoined();
  }

  private batch(payload: EachBatchPayload): void {
    this.sign();
    this.failures = 0;
    if (!this.draining) this.partitions.takeBatch(payload);
  }

  private tick(): void {
    const {
      consumer,
      options: { limits, group, logger },
    } = this;
    this.partitions.review();
    void this.partitions.commit();
    if (consumer && performance.now() - this.lastSign > limits.stalledMs) {
      this.sign();
      logger.error({ group }, 'a consumer makes no progress');
      this.onFailure(undefined);
    }
  }

  private sign(): void {
    this.lastSign = performance.now();
  }
}
