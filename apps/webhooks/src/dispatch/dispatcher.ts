import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { logged, safeError } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, LOGGER } from '@ponte/nest';
import type { OutgoingHttp } from '../outgoing-http/outgoing-http.port';
import { OUTGOING_HTTP } from '../outgoing-http/outgoing-http.port';
import type { FreshDelivery } from './attempt';
import { Attempts } from './attempt';
import type { AttemptResult } from './attempt-result';
import type { Task } from './deliveries';
import { Deliveries } from './deliveries';
import { DeliveryQueues } from './delivery-queues.read-model';
import { DueScan } from './due-scan';
import type { EndpointConcurrencyLimiter } from './endpoint-concurrency-limiter';
import { EndpointLimiters } from './endpoint-limiters';
import { Followers } from './followers';
import { WorkInProgress } from './work-in-progress';

/**
 * How long the read model is not trusted about a delivery: it lags behind an attempt that just ended, and a failure of
 * ours is not repeated at once.
 */
const ASIDE_MS = 10_000;
const REMEMBERED = 20_000;

/**
 * Sends what is due. A fresh delivery comes straight from the scheduler; everything else (retries, what was
 * interrupted, what found no room) comes from the view. Neither is trusted: each attempt first reads the delivery's
 * stream.
 */
@Injectable()
export class Dispatcher {
  private readonly limiters = new EndpointLimiters();
  /** Deliveries that are queued or under way here. */
  private readonly held = new Set<string>();
  private readonly aside = new LRUCache<string, true>({ max: REMEMBERED, ttl: ASIDE_MS });
  private readonly followers = new Followers();
  private readonly underWay: WorkInProgress;
  private active = false;
  private readonly dueScan: DueScan;

  /** `clock`: business time. */
  constructor(
    private readonly attempts: Attempts,
    private readonly deliveries: Deliveries,
    due: DeliveryQueues,
    @Inject(OUTGOING_HTTP) private readonly http: OutgoingHttp,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.underWay = new WorkInProgress(logger);
    this.dueScan = new DueScan({
      due,
      now: () => deliveries.now(),
      goesOn: () => this.active,
      begins: () => this.limiters.endpointIds().forEach((endpointId) => this.pump(endpointId)),
      busy: () => this.limiters.busy(clock.now()),
      found: (task) => {
        if (!this.aside.has(task.deliveryId)) this.offer(task);
      },
    });
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
    const { deliveryId, endpointId, correlationId } = fresh.terms;
    const limiter = this.limiters.of(endpointId);
    if (!this.active || this.held.has(deliveryId)) return false;
    this.held.add(deliveryId);
    if (!(await limiter.place(this.clock.now(), this.underWay.ceiling))) {
      this.held.delete(deliveryId);
      return false;
    }
    // The place is the receiver's: once it has answered, what is still to be recorded holds up no one.
    const leave = limiter.leaving(() => this.pump(endpointId));
    const attempt = this.attempts.first(fresh, this.underWay.signal, {
      persistently: (work) => this.persistently(work),
      delivered: () => {
        delivered();
        leave();
      },
    });
    this.track(endpointId, attempt);
    try {
      const result = await attempt;
      if (result) this.note(fresh.terms, result);
      return result !== undefined;
    } catch (error) {
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
    if (await this.deliveries.hasEnded(before)) this.releaseFollowers(before);
  }

  /** Repeats until it succeeds; rejects only when this process stops. */
  persistently<T>(work: () => Promise<T>): Promise<T> {
    return this.underWay.persistently(work);
  }

  /** Nothing is queued or under way here. */
  get isResting(): boolean {
    return this.held.size === 0 && this.underWay.isEmpty;
  }

  /** Asks the view for what is due; one round at a time. */
  scan(): Promise<void> {
    return this.dueScan.round();
  }

  /** Resolves when nothing is under way here any more. */
  async stop(): Promise<void> {
    this.deactivate();
    await this.dueScan.ended();
    await this.underWay.stop(() => this.http.close());
  }

  private track(endpointId: string, work: Promise<unknown>): void {
    // The place was given back before, when there may have been no room for another.
    this.underWay.add(work, () => this.pump(endpointId));
  }

  private async carryOut(task: Task, limiter: EndpointConcurrencyLimiter): Promise<void> {
    const leave = limiter.leaving(() => this.pump(task.endpointId));
    try {
      this.note(task, await this.attempts.run(task, this.underWay.signal, leave));
    } catch (error) {
      this.failed(task.deliveryId, error);
    }
    this.held.delete(task.deliveryId);
    leave();
  }

  private failed(deliveryId: string, error: unknown, origin: object = {}): void {
    this.aside.set(deliveryId, true);
    const fields = { ...origin, error: safeError(error).name, deliveryId };
    this.logger.error(fields, 'a webhook delivery could not be attempted');
  }

  private note({ deliveryId, endpointId }: Pick<Task, 'deliveryId' | 'endpointId'>, result: AttemptResult): void {
    const limiter = this.limiters.of(endpointId);
    if (result.receiver === 'well') limiter.wentWell(this.clock.now());
    if (result.receiver === 'badly') limiter.wentBadly(this.clock.now(), result.restUntilMs);
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
    const now = this.clock.now();
    while (this.active && (limiter.hasQueue || limiter.hasWaiting) && limiter.mayStart(now, this.underWay.ceiling)) {
      const task = limiter.next();
      if (task) this.track(endpointId, this.carryOut(task, limiter));
    }
    if (limiter.wantsMore())
      this.scan().catch((error: unknown) =>
        this.logger.error({ error: safeError(error).name }, 'the view of deliveries cannot be read'),
      );
    this.limiters.dropFresh(endpointId, now);
  }
}
