import { setMaxListeners } from 'node:events';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { pause } from '@ponte/concurrency';
import type { OutgoingHttp } from '../outgoing-http/outgoing-http.port';
import type { Attempts, FreshDelivery } from './attempt';
import type { AttemptResult } from './attempt-result';
import type { Deliveries, Task } from './deliveries';
import type { DeliveryQueues } from './delivery-queues.read-model';
import { DueScan } from './due-scan';
import type { EndpointConcurrencyLimiter } from './endpoint-concurrency-limiter';
import { MAX_IN_FLIGHT } from './endpoint-concurrency-limiter';
import { EndpointLimiters } from './endpoint-limiters';
import { Followers } from './followers';
import { untilDone } from './until-done';

/** Requests of all endpoints together; from half of it on, no one gets a second one. */
const MAX_TOTAL = 1_024;
/**
 * How long the read model is not trusted about a delivery: it lags behind an attempt that just ended, and a failure of
 * ours is not repeated at once.
 */
const ASIDE_MS = 10_000;
const REMEMBERED = 20_000;
/** How long running attempts may take to end by themselves at a stop. */
const STOP_GRACE_MS = 2_000;

export interface DispatcherParts {
  readonly attempts: Attempts;
  readonly deliveries: Deliveries;
  readonly due: Pick<DeliveryQueues, 'due'>;
  readonly http: OutgoingHttp;
  /** Business time. */
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Sends what is due. A fresh delivery comes straight from the scheduler; everything else (retries, what was
 * interrupted, what found no room) comes from the view. Neither is trusted: each attempt first reads the delivery's
 * stream.
 */
export class Dispatcher {
  private readonly limiters = new EndpointLimiters();
  /** Deliveries that are queued or under way here. */
  private readonly held = new Set<string>();
  private readonly aside = new LRUCache<string, true>({ max: REMEMBERED, ttl: ASIDE_MS });
  private readonly followers = new Followers();
  private readonly underWay = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private active = false;
  private readonly dueScan: DueScan;

  constructor(private readonly parts: DispatcherParts) {
    this.dueScan = new DueScan({
      due: parts.due,
      now: () => parts.deliveries.now(),
      goesOn: () => this.active,
      begins: () => this.limiters.endpointIds().forEach((endpointId) => this.pump(endpointId)),
      busy: () => this.limiters.busy(parts.clock.now()),
      found: (task) => {
        if (!this.aside.has(task.deliveryId)) this.offer(task);
      },
    });
    // Everything that is tried again listens to it meanwhile: more than Node's guess of a leak are none.
    setMaxListeners(0, this.stopping.signal);
  }

  /** With the lease: from now on this process is the one that sends. */
  activate(): void {
    this.active = true;
  }

  /** The lease is lost. What is under way ends; the rest is the next holder's. */
  deactivate(): void {
    this.active = false;
    for (const { deliveryId } of this.limiters.emptyAll()) this.held.delete(deliveryId);
  }

  /**
   * Makes the first attempt of a delivery of which nothing is recorded yet, when its endpoint has a place. False when
   * there will be no place soon, when the attempt was cut off, or when our own side failed; true when the outcome is
   * recorded. `delivered` is called when the receiver has the event.
   */
  async first(fresh: FreshDelivery, delivered: () => void): Promise<boolean> {
    const { deliveryId, endpointId } = fresh.terms;
    const limiter = this.limiters.of(endpointId);
    if (!this.active || this.held.has(deliveryId)) return false;
    this.held.add(deliveryId);
    if (!(await limiter.place(this.parts.clock.now(), this.ceiling()))) {
      this.held.delete(deliveryId);
      return false;
    }
    // The place is the receiver's: once it has answered, what is still to be recorded holds up no one.
    const leave = this.leaving(endpointId, limiter);
    const attempt = this.parts.attempts.first(fresh, this.stopping.signal, {
      persistently: (work) => this.persistently(work),
      delivered: () => {
        delivered();
        leave();
      },
    });
    const ended = (): void => undefined;
    this.track(endpointId, attempt.then(ended, ended));
    try {
      const result = await attempt;
      if (result) this.note(fresh.terms, result);
      return result !== undefined;
    } catch (error) {
      const { correlationId } = fresh.terms;
      this.failed(deliveryId, error, logged({ correlationId, traceparent: fresh.traceparent }));
      return false;
    } finally {
      this.held.delete(deliveryId);
      leave();
    }
  }

  /** Sends when the endpoint has a place. What finds no room stays in the view. */
  offer(task: Task): void {
    if (!this.active || this.held.has(task.deliveryId)) return;
    if (!this.limiters.of(task.endpointId).enqueue(task)) return;
    this.held.add(task.deliveryId);
    this.pump(task.endpointId);
  }

  /** Offers the task when the delivery before it has ended. */
  async offerAfter(task: Task, before: string): Promise<void> {
    this.followers.add(task, before);
    if (await this.parts.deliveries.hasEnded(before)) this.releaseFollowers(before);
  }

  /** Repeats until it succeeds; rejects only when this process stops. */
  persistently<T>(work: () => Promise<T>): Promise<T> {
    return untilDone(work, this.stopping.signal, (error) =>
      this.parts.logger.error({ error: nameOf(error) }, 'a webhook delivery could not be recorded and is tried again'),
    );
  }

  /** Nothing is queued or under way here. */
  get isResting(): boolean {
    return this.held.size === 0 && this.underWay.size === 0;
  }

  /** Asks the view for what is due; one round at a time. */
  scan(): Promise<void> {
    return this.dueScan.round();
  }

  /** Resolves when nothing is under way here any more. */
  async stop(): Promise<void> {
    this.deactivate();
    await this.dueScan.ended();
    const ended = new AbortController();
    const graceful = Promise.all(this.underWay).finally(() => ended.abort());
    await Promise.race([graceful, pause(STOP_GRACE_MS, ended.signal)]);
    this.stopping.abort();
    await this.parts.http.close();
    await Promise.all(this.underWay);
  }

  private track(endpointId: string, work: Promise<void>): void {
    const running: Promise<void> = work.finally(() => {
      this.underWay.delete(running);
      // The place was given back before, when there may have been no room for another.
      this.pump(endpointId);
    });
    this.underWay.add(running);
  }

  private async carryOut(task: Task, limiter: EndpointConcurrencyLimiter): Promise<void> {
    const leave = this.leaving(task.endpointId, limiter);
    try {
      this.note(task, await this.parts.attempts.run(task, this.stopping.signal, leave));
    } catch (error) {
      this.failed(task.deliveryId, error);
    }
    this.held.delete(task.deliveryId);
    leave();
  }

  /** Gives a place back, once. */
  private leaving(endpointId: string, limiter: EndpointConcurrencyLimiter): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      limiter.end();
      this.pump(endpointId);
    };
  }

  private failed(deliveryId: string, error: unknown, origin: object = {}): void {
    this.aside.set(deliveryId, true);
    const fields = { ...origin, error: nameOf(error), deliveryId };
    this.parts.logger.error(fields, 'a webhook delivery could not be attempted');
  }

  private note({ deliveryId, endpointId }: Pick<Task, 'deliveryId' | 'endpointId'>, result: AttemptResult): void {
    const limiter = this.limiters.of(endpointId);
    if (result.receiver === 'well') limiter.wentWell(this.parts.clock.now());
    if (result.receiver === 'badly') limiter.wentBadly(this.parts.clock.now(), result.restUntilMs);
    if (!result.ended) return;
    this.aside.set(deliveryId, true);
    this.releaseFollowers(deliveryId);
  }

  private releaseFollowers(deliveryId: string): void {
    for (const task of this.followers.take(deliveryId)) this.offer(task);
  }

  /** Starts what may start. */
  private pump(endpointId: string): void {
    const limiter = this.limiters.get(endpointId);
    if (!limiter) return;
    const now = this.parts.clock.now();
    while (this.active && (limiter.hasQueue || limiter.hasWaiting) && limiter.mayStart(now, this.ceiling())) {
      const task = limiter.next();
      if (task) this.track(endpointId, this.carryOut(task, limiter));
    }
    if (limiter.wantsMore())
      this.scan().catch((error: unknown) =>
        this.parts.logger.error({ error: nameOf(error) }, 'the view of deliveries cannot be read'),
      );
    this.limiters.dropFresh(endpointId, now);
  }

  private ceiling(): number {
    if (this.underWay.size >= MAX_TOTAL) return 0;
    return this.underWay.size >= MAX_TOTAL / 2 ? 1 : MAX_IN_FLIGHT;
  }
}

/** The text of an error may quote what it choked on, such as an address or a name. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
