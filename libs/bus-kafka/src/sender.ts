import type { Kafka, Message, Producer } from 'kafkajs';
import type { EngineLogger } from '@ponte/event-sourcing';
import { safeError } from '@ponte/event-sourcing';
import { pause, retryDelay } from '@ponte/concurrency';
import { countOf } from './batch-size';
import { Acknowledged } from './partitions/acknowledged';
import { isPermanent, isUnknownTopic, NotSent } from './send-failures';

interface Waiting {
  readonly message: Message;
  readonly until: number;
  readonly sent: () => void;
  readonly failed: (reason: Error) => void;
}

interface TopicQueue {
  readonly waiting: Waiting[];
  sending: boolean;
}

interface SenderOptions {
  readonly client: Kafka;
  readonly logger: EngineLogger;
  readonly systemNow: () => number;
  /**
   * With an idempotent producer, brokers drop duplicates of a send. Messages sent together are then either all retried
   * or all given up, so none can overtake an earlier one.
   */
  readonly idempotent: boolean;
  /** Topics that may be deleted while messages are still sent to them. */
  readonly mayVanish?: (topic: string) => boolean;
}

const ACKS_ALL = -1;
/** Not every broker knows a new topic at once. */
const VANISHED_TRIES = 5;

/**
 * Sends the messages that wait for a topic in one request, while further messages collect. So a single caller does not
 * wait, and many callers share requests. Each topic has one request in progress at a time, so messages keep their
 * order. A failing topic does not delay others.
 */
export class Sender {
  private readonly queues = new Map<string, TopicQueue>();
  private producer: Producer | undefined;
  private opening: Promise<Producer> | undefined;
  /** Topics that the current producer has reached. */
  private readonly reached = new Set<string>();
  private readonly acknowledged = new Acknowledged();
  private closed = false;
  private idle: (() => void) | undefined;

  constructor(private readonly options: SenderOptions) {}

  async open(): Promise<void> {
    await this.connected();
  }

  /**
   * Resolves when all in-sync replicas have the message. Failures are retried until `until` (epoch milliseconds); then
   * it rejects with {@link NotSent}.
   */
  send(topic: string, message: Message, until: number): Promise<void> {
    if (this.closed) return Promise.reject(new NotSent('the bus is closed'));
    return new Promise((sent, failed) => {
      const queue = this.queues.get(topic) ?? { waiting: [], sending: false };
      this.queues.set(topic, queue);
      queue.waiting.push({ message, until, sent, failed });
      if (queue.sending) return;
      queue.sending = true;
      setImmediate(() => void this.drain(topic, queue));
    });
  }

  /** Waits until nothing is in progress, for at most this time. Messages still waiting then are rejected. */
  async close(patienceMs: number): Promise<void> {
    if (this.queues.size > 0) {
      const idle = new Promise<void>((resolve) => {
        this.idle = resolve;
      });
      await Promise.race([idle, pause(patienceMs, undefined, { ref: false })]);
    }
    this.closed = true;
    for (const { waiting } of this.queues.values())
      for (const { failed } of waiting.splice(0)) failed(new NotSent('the bus is closed'));
    await this.drop();
  }

  private async drain(topic: string, queue: TopicQueue): Promise<void> {
    for (let failures = 0; !this.closed;) {
      this.giveUpLate(queue);
      const batch = queue.waiting.splice(0, countOf(queue.waiting));
      if (batch.length === 0) break;
      if (await this.sent(topic, batch, failures)) {
        failures = 0;
        continue;
      }
      queue.waiting.unshift(...batch);
      failures += 1;
      await pause(retryDelay(failures), undefined, { ref: false });
    }
    queue.sending = false;
    if (queue.waiting.length === 0) this.queues.delete(topic);
    if (this.queues.size === 0) this.idle?.();
  }

  /** True if the batch is finished: sent, or rejected permanently. */
  private async sent(topic: string, batch: readonly Waiting[], failures: number): Promise<boolean> {
    try {
      const producer = await this.connected();
      await this.acknowledged.all(topic, () =>
        producer.send({ topic, messages: batch.map(({ message }) => message), acks: ACKS_ALL }),
      );
      this.reached.add(topic);
      for (const { sent } of batch) sent();
      return true;
    } catch (error) {
      if (this.closed) return false;
      this.options.logger.warn(
        { topic, messages: batch.length, failures: failures + 1, error: safeError(error) },
        'messages could not be sent',
      );
      // An interrupted sequence must not be continued: the brokers would take the next messages for the missing ones.
      if (this.options.idempotent || (isUnknownTopic(error) && this.reached.size > 0)) await this.drop();
      if (isUnknownTopic(error) && failures >= this.triesWhileAbsent(topic)) return this.givenUp(batch, error);
      return isPermanent(error) ? this.refused(topic, batch, error) : false;
    }
  }

  /**
   * A deleted reply topic belonged to a process that no longer exists and has no other reader, so messages to it are
   * given up soon. Every other topic is created by its service, which may still start.
   */
  private triesWhileAbsent(topic: string): number {
    return this.options.mayVanish?.(topic) ? VANISHED_TRIES : Infinity;
  }

  private givenUp(batch: readonly Waiting[], cause: unknown): boolean {
    for (const { failed } of batch) failed(new NotSent('the topic no longer exists', { cause }));
    return true;
  }

  /** Sends the messages one by one, so that one rejected message (for example, too large) does not fail the others. */
  private async refused(topic: string, batch: readonly Waiting[], error: unknown): Promise<boolean> {
    if (batch.length === 1 || this.options.idempotent) {
      for (const { failed } of batch) failed(new NotSent('the brokers rejected the message', { cause: error }));
      return true;
    }
    for (const one of batch) {
      while (!this.closed && this.options.systemNow() <= one.until && !(await this.sent(topic, [one], 0)))
        await pause(retryDelay(1));
      one.failed(new NotSent('the brokers did not acknowledge the message in time'));
    }
    return true;
  }

  private giveUpLate({ waiting }: TopicQueue): void {
    const now = this.options.systemNow();
    if (!waiting.some(({ until }) => now > until)) return;
    for (const one of waiting.splice(0)) {
      if (now > one.until) one.failed(new NotSent('the brokers did not acknowledge the message in time'));
      else waiting.push(one);
    }
  }

  private async connected(): Promise<Producer> {
    if (this.producer) return this.producer;
    this.opening ??= this.connect().finally(() => {
      this.opening = undefined;
    });
    return this.opening;
  }

  private async connect(): Promise<Producer> {
    const { client, idempotent } = this.options;
    const producer = client.producer({
      createPartitioner: this.acknowledged.partitioner,
      allowAutoTopicCreation: false,
      // The fewest attempts possible, because this class retries with regard to deadlines.
      retry: { retries: 1 },
      ...(idempotent ? { idempotent, maxInFlightRequests: 1 } : {}),
    });
    await producer.connect();
    if (this.closed) await producer.disconnect();
    else this.producer = producer;
    return producer;
  }

  private async drop(): Promise<void> {
    const { producer } = this;
    this.producer = undefined;
    this.reached.clear();
    await producer?.disconnect().catch(() => undefined);
  }
}
