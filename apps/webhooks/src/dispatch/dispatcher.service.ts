import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { logged, safeError } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, LOGGER } from '@ponte/nest';
import type { OutgoingHttp } from '../outgoing-http/outgoing-http.port';
import { OUTGOING_HTTP } from '../outgoing-http/outgoing-http.port';
import { PostponedDeliveries } from './due-scan/postponed-deliveries';
import type { FirstAttemptHooks, FreshDelivery } from './attempt.service';
import { Attempts } from './attempt.service';
import type { AttemptResult } from './attempt-result';
import type { Task } from './delivery-task';
import { Deliveries } from './deliveries.service';
import { DeliveryQueues } from './delivery-queues.read-model';
import { DueScan } from './due-scan/due-scan';
import type { EndpointConcurrencyLimiter } from './endpoint-limits/endpoint-concurrency-limiter';
import { EndpointLimiters } from './endpoint-limits/endpoint-concurrency-limiter';
import { Followers } from './followers';
import { Partners, WorkInProgress } from './work-in-progress.service';

/**
 * Sends due deliveries. New ones come directly from the scheduler; all others (retries, interrupted ones, those that
 * found no room in memory) come from the read model. Each attempt of a recorded delivery first reads its stream.
 */
@Injectable()
export class Dispatcher {
  private readonly limiters = new EndpointLimiters();
  /** Deliveries that are queued or being sent in this process. */
  private readonly held = new Set<string>();
  private readonly postponed: PostponedDeliveries;
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
    partners: Partners,
  ) {
    this.postponed = new PostponedDeliveries(logger);
    this.underWay = new WorkInProgress(logger, partners);
    this.dueScan = new DueScan({
      due,
      now: () => deliveries.now(),
      mayContinue: () => this.active,
      begins: () => this.limiters.endpointIds().forEach((endpointId) => this.pump(endpointId)),
      toRead: (endpointId) => this.limiters.toRead(endpointId, clock.now()),
      isPostponed: (deliveryId) => this.postponed.has(deliveryId),
      found: (task) => {
        if (!this.postponed.has(task.deliveryId)) this.offer(task);
      },
    });
  }

  /** Called when this process obtains the lease: from now on it is the one that sends. */
  activate(): void {
    this.active = true;
  }

  /** Called when the lease is lost. Running attempts finish; queued deliveries are left to the next holder. */
  deactivate(): void {
    this.active = false;
    for (const { deliveryId } of this.limiters.emptyAll()) this.held.delete(deliveryId);
  }

  /**
   * Makes the first attempt of a delivery that is not recorded yet, when its endpoint has a free slot. True when the
   * outcome is recorded. False when no slot will be free soon, when the attempt was interrupted, or when our own side
   * failed.
   */
  async first(fresh: FreshDelivery, { retryForever, delivered }: FirstAttemptHooks): Promise<boolean> {
    const { deliveryId, endpointId, accountId, correlationId } = fresh.terms;
    const limiter = this.limiters.of(endpointId, accountId);
    if (!this.active || this.held.has(deliveryId)) return false;
    this.held.add(deliveryId);
    const free = await this.underWay.slot(limiter, this.clock.now());
    if (!free) {
      this.held.delete(deliveryId);
      return false;
    }
    // The slot counts requests at the receiver, so it is released before the outcome is recorded.
    const leave = limiter.leaving(() => this.pump(endpointId));
    const attempt = this.attempts.first(fresh, this.underWay.signal, {
      retryForever,
      delivered: () => {
        delivered();
        leave();
      },
    });
    this.track(endpointId, attempt, free);
    try {
      const result = await attempt;
      if (result) this.applyResult(fresh.terms, result);
      return result !== undefined;
    } catch (error) {
      this.postponed.addFailed(deliveryId, error, logged({ correlationId, traceparent: fresh.traceparent }));
      return false;
    } finally {
      this.held.delete(deliveryId);
      leave();
    }
  }

  /** Queues the delivery until its endpoint has a free slot. Without room in memory, it stays in the read model. */
  offer(task: Task): void {
    if (!this.active || this.held.has(task.deliveryId)) return;
    if (!this.limiters.of(task.endpointId, task.accountId).queue.enqueue(task)) return;
    this.held.add(task.deliveryId);
    this.pump(task.endpointId);
  }

  /** Offers the task when the delivery `before` has ended. */
  async offerAfter(task: Task, before: string): Promise<void> {
    this.followers.add(task, before);
    if (await this.deliveries.hasEnded(before)) this.releaseFollowers(before);
  }

  /** Retries until the work succeeds; rejects only when this process stops. */
  retryForever<T>(work: () => Promise<T>): Promise<T> {
    return this.underWay.retryForever(work);
  }

  /** Whether nothing is queued or being sent in this process. */
  get isResting(): boolean {
    return this.held.size === 0 && this.underWay.isEmpty;
  }

  /** Reads due deliveries from the read model; one round at a time. */
  scan(): Promise<void> {
    return this.dueScan.round();
  }

  /** Resolves when no attempt is running in this process. */
  async stop(): Promise<void> {
    this.deactivate();
    await this.dueScan.ended();
    await this.underWay.stop(() => this.http.close());
  }

  private track(endpointId: string, work: Promise<unknown>, free: () => void): void {
    this.underWay.add(work, () => {
      free();
      // When the endpoint's slot was released, the process may have been at its limit, so waiting tasks start now.
      this.pump(endpointId);
    });
  }

  private async carryOut(task: Task, limiter: EndpointConcurrencyLimiter): Promise<void> {
    const leave = limiter.leaving(() => this.pump(task.endpointId));
    try {
      this.applyResult(task, await this.attempts.run(task, this.underWay.signal, leave));
    } catch (error) {
      this.postponed.addFailed(task.deliveryId, error);
    }
    this.held.delete(task.deliveryId);
    leave();
  }

  private applyResult(task: Omit<Task, 'after'>, result: AttemptResult): void {
    for (const { deliveryId } of this.limiters.recordResult(task, result, this.clock.now()))
      this.held.delete(deliveryId);
    if (!result.ended) return;
    this.postponed.add(task.deliveryId);
    this.releaseFollowers(task.deliveryId);
  }

  private releaseFollowers(deliveryId: string): void {
    for (const task of this.followers.take(deliveryId)) this.offer(task);
  }

  /** Starts as many waiting tasks of the endpoint as its limits allow. */
  private pump(endpointId: string): void {
    const limiter = this.limiters.get(endpointId);
    if (!limiter) return;
    const now = this.clock.now();
    while (this.active && limiter.isAwaited && this.underWay.mayStart(limiter, now)) {
      const task = limiter.next();
      if (task) this.track(endpointId, this.carryOut(task, limiter), this.underWay.take(task.accountId));
    }
    if (limiter.queue.wantsMore())
      this.scan().catch((error: unknown) =>
        this.logger.error({ error: safeError(error).name }, 'the read model of deliveries cannot be read'),
      );
    this.limiters.release(endpointId, now);
  }
}
