import { randomUUID } from 'node:crypto';
import type { Kafka } from 'kafkajs';
import { Unavailable } from '@ponte/kernel';
import type {
  ConsumerOptions,
  MessageBus,
  ParkedEvent,
  ParkingLot,
  RequestContext,
  RequestDefinition,
  RequestHandler,
} from '@ponte/event-sourcing';
import { categoryOf, safeError } from '@ponte/event-sourcing';
import { Deadlines, OUTAGE_RELEASE_MS, OutageRelease, RETRIES } from '@ponte/bus-in-process';
import { KeyedQueue, within } from '@ponte/concurrency';
import { RequestServer } from './requests/request-server';
import { RequestClient } from './requests/request-client';
import { openClient } from './client';
import { Delivery } from './delivery';
import { deadLetterHeaders, FanOut } from './requests/fan-out';
import type { StaticMembers } from './partitions/static-membership';
import type { MemberOptions, Taken } from './partitions/group-member';
import { GroupMember } from './partitions/group-member';
import type { Names } from './names';
import { assertNamePart, names } from './names';
import type { KafkaBusOptions, KafkaLimits, TopicSettings } from './options';
import { LIMITS, TOPICS } from './options';
import { prepareTopics } from './partitions/prepare-topics';
import { removeReplies, ReplySweeper } from './requests/reply-topics';
import { Sender } from './sender';
import type { TopicWanted } from './partitions/topics';
import { administer, ensureTopics, serviceTopics } from './partitions/topics';

export interface KafkaBus extends MessageBus, ParkingLot {}

/**
 * The bus of one process of a service, over Kafka. A process is one member of the group that carries out the service's
 * requests and one of the group that consumes events, whatever the number of handlers and consumers registered.
 */
export function createKafkaBus(options: KafkaBusOptions): KafkaBus {
  return new Bus(options);
}

class Bus implements KafkaBus {
  private readonly limits: KafkaLimits;
  private readonly settings: TopicSettings;
  private readonly name: Names;
  private readonly clientId: string;
  private readonly client: Kafka;
  private readonly replyTopic: string;
  private readonly sender: Sender;
  private readonly requestClient: RequestClient;
  private readonly server: RequestServer;
  private readonly deadlines: Deadlines;
  private readonly deliveries: Delivery[] = [];
  private readonly queue: KeyedQueue;
  private readonly sweeper: ReplySweeper;
  private readonly outages: OutageRelease;
  private replies: GroupMember | undefined;
  private workers: GroupMember[] = [];
  private starting: Promise<void> | undefined;
  private stopping: Promise<void> | undefined;
  private stopped = false;

  constructor(private readonly options: KafkaBusOptions) {
    const { connection, logger, systemNow, namespace, service, instance } = options;
    this.limits = { ...LIMITS, ...options.limits };
    this.settings = { ...TOPICS, ...options.topics };
    this.name = names(namespace);
    this.replyTopic = this.name.replies(assertNamePart(service), assertNamePart(instance));
    this.clientId = `ponte-${service}-${instance}`;
    this.client = openClient(connection, this.clientId, logger);
    this.sender = new Sender({
      client: this.client,
      logger,
      systemNow,
      idempotent: false,
      mayVanish: (topic) => topic.startsWith(this.name.repliesOf()),
    });
    this.queue = new KeyedQueue(this.limits.atOnce);
    this.deadlines = new Deadlines(systemNow);
    this.server = new RequestServer({
      sender: this.sender,
      logger,
      systemNow,
      atOnce: this.limits.atOnce,
      repliesPrefix: this.name.repliesOf(),
    });
    this.requestClient = new RequestClient({
      sender: this.sender,
      logger,
      systemNow,
      requestMs: this.limits.requestMs,
      commandsTopic: (to) => this.name.commands(to),
      replyTo: this.replyTopic,
      run: randomUUID(),
    });
    this.sweeper = new ReplySweeper({
      client: this.client,
      name: this.name,
      service,
      own: this.replyTopic,
      everyMs: this.limits.sweepEveryMs,
      logger,
    });
    this.outages = new OutageRelease({
      everyMs: options.outageReleaseMs ?? OUTAGE_RELEASE_MS,
      readers: this.deliveries,
      logger,
    });
  }

  handle(pattern: string, handler: RequestHandler): void {
    if (this.starting && !this.server.answersAny) throw new Error('a bus that has started without handlers takes none');
    this.server.register(pattern, handler);
  }

  async request<P, R>(definition: RequestDefinition<P, R>, payload: P, context: RequestContext): Promise<R> {
    if (this.stopped || !this.starting) throw new Unavailable('service-unavailable');
    const isOwn = this.options.callOwn !== false && this.server.answers(definition.pattern);
    return (await (isOwn
      ? this.call(definition.pattern, payload, context)
      : this.requestClient.ask(definition, payload, context))) as R;
  }

  consume(options: ConsumerOptions): void {
    if (!this.options.serviceCategories[options.service]) throw new Error(`no service is called ${options.service}`);
    if (this.starting) throw new Error('a bus that has started takes no more consumers');
    const same = ({ options: one }: Delivery): boolean =>
      one.group === options.group && one.service === options.service;
    if (this.deliveries.some(same)) throw new Error(`group ${options.group} consumes ${options.service} twice`);
    const { parkedEvents: parked, logger, systemNow, retries = RETRIES, observer } = this.options;
    const deadLetter = (taken: Taken, group: string, reason: string): Promise<void> =>
      this.deadLetter(taken, group, reason);
    this.deliveries.push(
      new Delivery(
        {
          parked,
          queue: this.queue,
          logger,
          systemNow,
          retries,
          observer,
          deadLetter,
          isOurs: (one, key) => this.deliveryOf(one.group, key)?.options === one,
        },
        options,
      ),
    );
  }

  /** Resolves when this process is a member of its groups and has its share of their partitions. */
  start(): Promise<void> {
    if (this.stopping) return Promise.reject(new Error('a bus that was stopped does not start again'));
    return (this.starting ??= this.startNow());
  }

  stop(): Promise<void> {
    return (this.stopping ??= this.stopNow());
  }

  list(group?: string): Promise<readonly ParkedEvent[]> {
    return this.options.parkedEvents.list(group);
  }

  consumes(group: string, key: string): boolean {
    return this.starting !== undefined && this.stopping === undefined && this.deliveryOf(group, key) !== undefined;
  }

  private deliveryOf(group: string, key: string): Delivery | undefined {
    const { serviceCategories } = this.options;
    return this.deliveries.find(
      ({ options }) => options.group === group && (serviceCategories[options.service] ?? []).includes(categoryOf(key)),
    );
  }

  async release(group: string, key: string): Promise<void> {
    const delivery = this.deliveryOf(group, key);
    if (!delivery || !this.consumes(group, key)) throw new Error(`no consumer of group ${group} for ${key} runs here`);
    await delivery.release(key);
  }

  private call(pattern: string, payload: unknown, context: RequestContext): Promise<unknown> {
    const { deadline } = context;
    if (deadline !== undefined && this.options.systemNow() > deadline)
      return Promise.reject(new Unavailable('service-unavailable'));
    const answer = this.server.answer(pattern, payload, context);
    return deadline === undefined ? answer : this.deadlines.limit(answer, deadline);
  }

  private async startNow(): Promise<void> {
    const joining = this.join();
    let ended = false;
    await within(
      this.limits.startMs,
      joining.finally(() => {
        ended = true;
      }),
    );
    if (ended) return joining;
    joining.catch(() => undefined);
    throw new Error('the brokers did not let this process join in time');
  }

  private async join(): Promise<void> {
    const { service, observer } = this.options;
    const consumed = this.deliveries.map(({ options }) => options.service);
    const staticMembers = await this.prepare(
      [...serviceTopics(this.name, service, consumed, this.settings), this.ownReplies],
      consumed,
    );
    const member = (
      options: Pick<MemberOptions, 'group' | 'topics' | 'take' | 'joined' | 'prepare' | 'lingerMs'> & {
        readonly limits?: KafkaLimits;
      },
    ): GroupMember =>
      new GroupMember({
        client: this.client,
        limits: this.limits,
        logger: this.options.logger,
        observer,
        staticMembers: staticMembers.get(options.group),
        ...options,
      });
    this.replies = member({
      group: this.name.repliesGroup(this.replyTopic),
      topics: [this.replyTopic],
      take: (taken) => this.requestClient.take(taken),
      prepare: () => this.ensureReplies(),
      limits: { ...this.limits, commitEveryMs: this.limits.commitRepliesEveryMs },
    });
    if (this.server.answersAny) {
      this.workers.push(
        member({
          group: this.name.commandsGroup(service),
          topics: [this.name.commands(service)],
          take: (taken) => this.server.take(taken),
        }),
      );
    }
    if (this.deliveries.length > 0) this.workers.push(member(this.eventsMember(consumed)));
    // Work in progress may need replies of other services, so replies are read before anything else.
    await this.replies.start();
    if (this.stopping) throw new Error('the bus was stopped while it started');
    await Promise.all(this.workers.map((worker) => worker.start()));
    this.sweeper.start();
    this.outages.start();
  }

  private prepare(wanted: readonly TopicWanted[], consumed: readonly string[]): Promise<StaticMembers> {
    const {
      client,
      sender,
      clientId,
      name,
      settings,
      limits: { startMs },
      options: { systemNow, logger, service },
    } = this;
    return prepareTopics({
      client,
      sender,
      clientId,
      name,
      settings,
      startMs,
      systemNow,
      logger,
      service,
      wanted,
      consumed,
      isStopping: () => this.stopping !== undefined,
    });
  }

  private eventsMember(
    consumed: readonly string[],
  ): Pick<MemberOptions, 'group' | 'topics' | 'take' | 'joined' | 'lingerMs'> {
    const { logger, observer, service } = this.options;
    const services = new Map(consumed.map((one) => [this.name.events(one), one]));
    const fanOut = new FanOut({
      queue: this.queue,
      logger,
      observer,
      deliveries: this.deliveries,
      serviceOf: (topic) => services.get(topic) ?? '',
      deadLetter: (taken, group, reason) => this.deadLetter(taken, group, reason),
    });
    return {
      group: this.name.eventsGroup(service),
      lingerMs: this.limits.eventsLingerMs,
      topics: [...services.keys()],
      take: (taken) => fanOut.take(taken),
      joined: () => fanOut.joined(),
    };
  }

  private get ownReplies(): TopicWanted {
    return { topic: this.replyTopic, partitions: 1, retentionMs: this.settings.repliesRetentionMs };
  }

  private ensureReplies(): Promise<void> {
    return administer(this.client, (admin) => ensureTopics(admin, [this.ownReplies], this.settings));
  }

  private async deadLetter(taken: Taken, group: string, reason: string): Promise<void> {
    const { key, value } = taken.message;
    const now = this.options.systemNow();
    const headers = deadLetterHeaders(taken, group, reason, new Date(now).toISOString());
    await this.sender.send(
      this.name.deadLetters(this.options.service),
      { key, value, headers },
      now + this.limits.requestMs,
    );
  }

  /** What runs may still ask others, so that replies are the last to go. */
  private async stopNow(): Promise<void> {
    const { stopMs } = this.limits;
    const { logger } = this.options;
    this.outages.stop();
    for (const worker of this.workers) worker.drain();
    for (const delivery of this.deliveries) delivery.stop();
    await this.sweeper.stop();
    let finished = false;
    await within(
      stopMs,
      Promise.all([this.queue.stop(), this.server.pool.settled()]).then(() => {
        finished = true;
      }),
    );
    if (!finished) logger.error({}, 'some work did not finish in time; it comes again to another process');
    await Promise.all(this.workers.map((worker) => worker.stop()));
    this.stopped = true;
    this.requestClient.close();
    await this.replies?.stop();
    if (this.replies) {
      const removing = administer(this.client, (admin) => removeReplies(admin, this.name, this.replyTopic));
      await within(
        stopMs,
        removing.catch((error: unknown) =>
          logger.warn({ error: safeError(error) }, 'the reply topic could not be deleted; it is swept later'),
        ),
      );
    }
    await this.sender.close(stopMs);
  }
}
