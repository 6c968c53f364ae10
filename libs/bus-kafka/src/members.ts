import type { Kafka } from 'kafkajs';
import { safeError } from '@ponte/event-sourcing';
import type { KeyedQueue } from '@ponte/concurrency';
import { settledWithin } from '@ponte/concurrency';
import type { Consumers } from './consumers/consumers';
import type { Names } from './names';
import type { KafkaBusOptions, KafkaLimits, TopicSettings } from './options';
import type { MemberOptions } from './partitions/group-member';
import { GroupMember } from './partitions/group-member';
import { committedOffsets, clampedToLog } from './partitions/partition-offsets';
import { prepareTopics } from './partitions/prepare-topics';
import type { StaticMembers } from './partitions/static-membership';
import type { RequiredTopic } from './partitions/topics';
import { administer, ensureTopics, serviceTopics } from './partitions/topics';
import { FanOut } from './requests/fan-out';
import { removeReplies } from './requests/reply-topic-cleanup';
import type { RequestClient } from './requests/request-client';
import type { RequestServer } from './requests/request-server';
import type { Sender } from './sender';

/**
 * A page of 200 webhook deliveries with the responses to their attempts has several megabytes. Hosted brokers usually
 * accept up to this.
 */
const REPLY_BYTES = 8 * 1_024 * 1_024;

interface MembersParts {
  readonly bus: KafkaBusOptions;
  readonly limits: KafkaLimits;
  readonly settings: TopicSettings;
  readonly name: Names;
  readonly client: Kafka;
  readonly clientId: string;
  readonly replyTopic: string;
  readonly sender: Sender;
  readonly requestClient: RequestClient;
  readonly server: RequestServer;
  readonly consumers: Consumers;
  readonly queue: KeyedQueue;
}

/** The memberships of a process: in the group of its own replies, of its service's requests and of its events. */
export class Members {
  private replies: GroupMember | undefined;
  private readonly workers: GroupMember[] = [];
  private stopping = false;

  constructor(private readonly parts: MembersParts) {}

  /** Resolves when this process has been assigned its partitions in its groups. */
  async join(): Promise<void> {
    const { bus, limits, settings, name, server, requestClient, consumers, replyTopic } = this.parts;
    const consumed = consumers.deliveries.map(({ options }) => options.service);
    const staticMembers = await this.prepare(
      [...serviceTopics(name, bus.service, consumed, settings), this.ownReplies],
      consumed,
    );
    this.replies = this.member(staticMembers, {
      group: name.repliesGroup(replyTopic),
      topics: [replyTopic],
      take: (taken) => requestClient.take(taken),
      prepare: () => this.ensureReplies(),
      limits: { ...limits, commitEveryMs: limits.commitRepliesEveryMs },
    });
    if (server.answersAny) {
      this.workers.push(
        this.member(staticMembers, {
          group: name.commandsGroup(bus.service),
          topics: [name.commands(bus.service)],
          take: (taken) => server.take(taken),
        }),
      );
    }
    if (consumed.length > 0) this.workers.push(this.member(staticMembers, this.eventsMember(consumed)));
    // Work in progress may need replies of other services, so replies are read first.
    await this.replies.start();
    if (this.stopping) throw new Error('the bus was stopped while it started');
    await Promise.all(this.workers.map((worker) => worker.start()));
  }

  /** Accepts no more requests and events; work in progress continues. */
  drain(): void {
    this.stopping = true;
    for (const worker of this.workers) worker.drain();
  }

  async stopWorkers(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.stop()));
  }

  /** Called when no work in progress makes requests any more. */
  async stopReplies(): Promise<void> {
    if (!this.replies) return;
    await this.replies.stop();
    const { bus, limits, client, name, replyTopic } = this.parts;
    const removing = administer(client, (admin) => removeReplies(admin, name, replyTopic));
    await settledWithin(
      limits.stopMs,
      removing.catch((error: unknown) =>
        bus.logger.warn({ error: safeError(error) }, 'the reply topic could not be deleted; it will be deleted later'),
      ),
    );
  }

  private member(
    staticMembers: StaticMembers,
    options: Pick<MemberOptions, 'group' | 'topics' | 'take' | 'joined' | 'prepare' | 'lingerMs' | 'published'> & {
      readonly limits?: KafkaLimits;
    },
  ): GroupMember {
    const { bus, client, limits } = this.parts;
    return new GroupMember({
      client,
      limits,
      logger: bus.logger,
      observer: bus.observer,
      staticMembers: staticMembers.get(options.group),
      ...options,
    });
  }

  private prepare(required: readonly RequiredTopic[], consumed: readonly string[]): Promise<StaticMembers> {
    const { bus, client, clientId, sender, name, settings, limits } = this.parts;
    const { logger, service } = bus;
    return prepareTopics({
      client,
      sender,
      clientId,
      name,
      settings,
      startMs: limits.startMs,
      logger,
      service,
      required,
      consumed,
      isStopping: () => this.stopping,
    });
  }

  private eventsMember(
    consumed: readonly string[],
  ): Pick<MemberOptions, 'group' | 'topics' | 'take' | 'joined' | 'lingerMs' | 'published'> {
    const { bus, client, limits, name, queue, consumers } = this.parts;
    const { log, logger, observer, service } = bus;
    const services = new Map(consumed.map((one) => [name.events(one), one]));
    const fanOut = new FanOut({
      queue,
      logger,
      observer,
      log,
      deliveries: consumers.deliveries,
      serviceOf: (topic) => services.get(topic) ?? '',
      deadLetter: (taken, group, reason) => consumers.deadLetter(taken, group, reason),
    });
    const [group, topics] = [name.eventsGroup(service), [...services.keys()]];
    return {
      group,
      topics,
      lingerMs: limits.eventsLingerMs,
      published: log && {
        log,
        committedOffsets: async () => clampedToLog(log, logger, group, await committedOffsets(client, group, topics)),
      },
      take: (taken) => fanOut.take(taken),
      joined: () => fanOut.joined(),
    };
  }

  private get ownReplies(): RequiredTopic {
    return {
      topic: this.parts.replyTopic,
      partitions: 1,
      retentionMs: this.parts.settings.repliesRetentionMs,
      maxMessageBytes: REPLY_BYTES,
    };
  }

  private ensureReplies(): Promise<void> {
    return administer(this.parts.client, (admin) => ensureTopics(admin, [this.ownReplies], this.parts.settings));
  }
}
