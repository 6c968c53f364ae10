import { randomUUID } from 'node:crypto';
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
import { Deadlines, OUTAGE_RELEASE_MS, OutageRelease } from '@ponte/bus-in-process';
import { safeError } from '@ponte/event-sourcing';
import { KeyedQueue, settledWithin } from '@ponte/concurrency';
import { RequestServer } from './requests/request-server';
import { RequestClient } from './requests/request-client';
import { openClient } from './client';
import { Consumers } from './consumers/consumers';
import { Members } from './members';
import { assertNamePart, names } from './names';
import { type KafkaBusOptions, type KafkaLimits, LIMITS, TOPICS } from './options';
import { ReplyTopicCleanup } from './requests/reply-topic-cleanup';
import { Sender } from './sender';

export interface KafkaBus extends MessageBus, ParkingLot {}

/**
 * Creates the bus of one process of a service, over Kafka. Whatever is registered, the process is one member of the
 * group for the service's requests and one member of the group for events.
 */
export function createKafkaBus(options: KafkaBusOptions): KafkaBus {
  return new Bus(options);
}

class Bus implements KafkaBus {
  private readonly limits: KafkaLimits;
  private readonly sender: Sender;
  private readonly requestClient: RequestClient;
  private readonly server: RequestServer;
  private readonly deadlines: Deadlines;
  private readonly consumers: Consumers;
  private readonly queue: KeyedQueue;
  private readonly replyTopicCleanup: ReplyTopicCleanup;
  private readonly outages: OutageRelease;
  private readonly members: Members;
  private starting: Promise<void> | undefined;
  private stopping: Promise<void> | undefined;
  private stopped = false;

  constructor(private readonly options: KafkaBusOptions) {
    const { connection, logger, systemNow, namespace, service, instance } = options;
    this.limits = { ...LIMITS, ...options.limits };
    const name = names(namespace);
    const replyTopic = name.replies(assertNamePart(service), assertNamePart(instance));
    const clientId = `ponte-${service}-${instance}`;
    const client = openClient(connection, clientId, logger);
    this.sender = new Sender({
      client,
      logger,
      systemNow,
      idempotent: false,
      mayVanish: (topic) => topic.startsWith(name.repliesOf()),
    });
    this.queue = new KeyedQueue(this.limits.atOnce, (key, error) =>
      logger.error({ key, error: safeError(error) }, 'work on an event failed unexpectedly; it will be repeated'),
    );
    this.deadlines = new Deadlines(systemNow);
    const shared = { bus: options, limits: this.limits, name, queue: this.queue, sender: this.sender };
    this.consumers = new Consumers(shared);
    this.server = new RequestServer({
      sender: this.sender,
      logger,
      systemNow,
      atOnce: this.limits.atOnce,
      unfinished: this.limits.unfinished,
      levelOf: options.levelOf ?? (() => 0),
      repliesPrefix: name.repliesOf(),
    });
    this.requestClient = new RequestClient({
      sender: this.sender,
      logger,
      systemNow,
      requestMs: this.limits.requestMs,
      commandsTopic: (to) => name.commands(to),
      replyTo: replyTopic,
      run: randomUUID(),
    });
    this.replyTopicCleanup = new ReplyTopicCleanup({
      client,
      name,
      service,
      own: replyTopic,
      everyMs: this.limits.replyTopicCleanupMs,
      logger,
    });
    this.members = new Members({
      ...shared,
      settings: { ...TOPICS, ...options.topics },
      client,
      clientId,
      replyTopic,
      requestClient: this.requestClient,
      server: this.server,
      consumers: this.consumers,
    });
    this.outages = new OutageRelease({ everyMs: OUTAGE_RELEASE_MS, readers: this.consumers.deliveries, logger });
  }

  handle(pattern: string, handler: RequestHandler): void {
    if (this.starting && !this.server.answersAny)
      throw new Error('handlers cannot be added: the bus has started without any');
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
    if (this.starting) throw new Error('consumers cannot be added after the bus has started');
    this.consumers.add(options);
  }

  /** Resolves when this process is a member of its groups and has been assigned its partitions. */
  start(): Promise<void> {
    if (this.stopping) return Promise.reject(new Error('a stopped bus cannot be started again'));
    return (this.starting ??= this.startNow());
  }

  stop(): Promise<void> {
    return (this.stopping ??= this.stopNow());
  }

  list(group?: string, key?: string): Promise<readonly ParkedEvent[]> {
    return this.options.parkedEvents.list(group, key);
  }

  consumes(group: string, key: string): boolean {
    return this.starting !== undefined && this.stopping === undefined && this.consumers.of(group, key) !== undefined;
  }

  async release(...[group, key, ...how]: Parameters<ParkingLot['release']>): Promise<boolean> {
    const delivery = this.consumes(group, key) ? this.consumers.of(group, key) : undefined;
    if (!delivery) throw new Error(`this process has no consumer of group ${group} for ${key}`);
    return delivery.release(key, ...how);
  }

  private call(pattern: string, payload: unknown, context: RequestContext): Promise<unknown> {
    const { deadline } = context;
    if (deadline !== undefined && this.options.systemNow() > deadline)
      return Promise.reject(new Unavailable('service-unavailable'));
    const answer = this.server.answer(pattern, payload, context);
    return deadline === undefined ? answer : this.deadlines.limit(answer, deadline);
  }

  private async startNow(): Promise<void> {
    const joining = this.members.join().then(() => {
      this.replyTopicCleanup.start();
      this.outages.start();
    });
    let ended = false;
    await settledWithin(
      this.limits.startMs,
      joining.finally(() => {
        ended = true;
      }),
    );
    if (ended) return joining;
    joining.catch(() => undefined);
    throw new Error('this process could not join its consumer groups in time');
  }

  /** Work in progress may still make requests, so replies are stopped last. */
  private async stopNow(): Promise<void> {
    const { stopMs } = this.limits;
    const { logger } = this.options;
    this.outages.stop();
    this.members.drain();
    for (const delivery of this.consumers.deliveries) delivery.stop();
    await this.replyTopicCleanup.stop();
    let finished = false;
    await settledWithin(
      stopMs,
      Promise.all([this.queue.stop(), this.server.settled()]).then(() => {
        finished = true;
      }),
    );
    if (!finished) logger.error({}, 'some work did not finish in time; another process will receive it again');
    await this.members.stopWorkers();
    this.stopped = true;
    this.requestClient.close();
    await this.members.stopReplies();
    await this.sender.close(stopMs);
  }
}
