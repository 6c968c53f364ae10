import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@ponte/kernel';
import { SYSTEM_CLOCK } from '@ponte/nest';
import type { DeliveryTerms, FirstAttempt, LiveDelivery } from '../deliveries/delivery.state';
import { attemptOf, hasEnded, isLive } from '../deliveries/delivery.state';
import { jitterOf, retryAfterSeconds } from '../deliveries/retry-schedule.domain';
import type { Endpoint } from '../endpoints/endpoints.state';
import type { OutgoingAnswer } from '../outgoing-http/outgoing-http.port';
import { DELIVERED, isDelivered } from '../outgoing-http/outgoing-http.port';
import type { StopReason } from '../endpoints/account-endpoints.service';
import { AccountEndpoints, reasonToStop } from '../endpoints/account-endpoints.service';
import type { AttemptResult } from './attempt-result';
import { failureOf, restUntil, notCalled } from './attempt-result';
import type { Task } from './delivery-task';
import { Deliveries } from './deliveries.service';
import { Sending } from './sending.service';

const ACTOR = 'webhook-dispatcher';
/** The most earlier deliveries that an attempt sends again. Pings all wait for each other, and may be very many. */
export const MAX_BROUGHT_FORWARD = 10;

/** A delivery that is not recorded yet. */
export interface FreshDelivery {
  readonly terms: DeliveryTerms;
  /** Id and log position of the event that is delivered. */
  readonly source: { readonly id: string; readonly position: string };
  /** Trace context of the command that produced the event, if it was traced. */
  readonly traceparent?: string;
}

/** Callbacks that a first attempt needs from its caller. */
export interface FirstAttemptHooks {
  readonly retryForever: <T>(work: () => Promise<T>) => Promise<T>;
  /** Called when the receiver has the event, before the outcome is recorded. */
  readonly delivered: () => void;
}

/**
 * Executes attempts. Each reads the current state of the delivery from its stream. A delivery that is found
 * `delivering` was interrupted after its start was recorded: the same attempt is made again, with the same webhook-id.
 */
@Injectable()
export class Attempts {
  /** Running attempts, by delivery. */
  private readonly running = new Map<string, Promise<unknown>>();

  constructor(
    private readonly deliveries: Deliveries,
    private readonly endpoints: AccountEndpoints,
    private readonly sending: Sending,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
  ) {}

  /**
   * Makes the next attempt of a recorded delivery. Throws when our own side fails; the failure is then not attributed
   * to the receiver, and the delivery stays as it is. `delivered` is called before the success is recorded.
   */
  run(task: Task, stopping: AbortSignal, delivered: () => void): Promise<AttemptResult> {
    return this.register(task.deliveryId, () => this.attempt(task, stopping, delivered));
  }

  private async attempt(task: Task, stopping: AbortSignal, delivered: () => void): Promise<AttemptResult> {
    const { delivery, traceparent } = await this.deliveries.load(task.deliveryId);
    if (!isLive(delivery)) return notCalled(hasEnded(delivery));
    if (delivery.status === 'pending' && delivery.dueAt > this.deliveries.now()) return notCalled(false);
    const endpoint = await this.endpoints.find(delivery.accountId, delivery.endpointId);
    const stop = reasonToStop(endpoint);
    if (!endpoint || stop) return this.abandon(delivery, stop ?? 'endpoint-deleted');
    if (delivery.after !== null) await this.bringForward(delivery.after, stopping);
    const attempt = attemptOf(delivery);
    if (delivery.status === 'pending') await this.start(delivery, attempt);
    const answer = await this.sending.post(endpoint, delivery, { attempt, traceparent }, stopping);
    // A request that failed because this process stops says nothing about the receiver. It is repeated after the next
    // start.
    if (stopping.aborted && answer.kind === 'failed') return notCalled(false);
    if (isDelivered(answer)) delivered();
    return this.record(delivery, attempt, answer, endpoint);
  }

  /**
   * Makes the first attempt of a delivery that is not recorded yet, and then records the outcome. Undefined when it was
   * interrupted and nothing was recorded. `retryForever` retries the recording; `delivered` is called before it.
   */
  async first(
    { terms, source, traceparent }: FreshDelivery,
    stopping: AbortSignal,
    { retryForever, delivered: reported }: FirstAttemptHooks,
  ): Promise<AttemptResult | undefined> {
    const { deliveryId, accountId, endpointId, correlationId } = terms;
    const begunAt = this.deliveries.now();
    const endpoint = await retryForever(async () => (await this.endpoints.asRead(accountId)).get(endpointId));
    const stop = reasonToStop(endpoint);
    const answer =
      endpoint && !stop ? await this.sending.post(endpoint, terms, { attempt: 1, traceparent }, stopping) : undefined;
    if (stopping.aborted && answer?.kind !== 'answered') return undefined;
    const { retryAfterSeconds, restUntilMs } = this.restOf(answer);
    const delivered = isDelivered(answer);
    if (delivered) reported();
    const jitterPermille = jitterOf(deliveryId, 1);
    const failed = () => retryForever(() => this.failure(answer, endpoint, stop));
    const first: FirstAttempt = delivered
      ? { succeeded: true, httpStatus: DELIVERED, sourcePosition: source.position }
      : { succeeded: false, failure: { ...(await failed()), jitterPermille, retryAfterSeconds } };
    const origin = { correlationId, causationId: source.id, actor: ACTOR, traceparent };
    const { state } = await retryForever(() =>
      this.deliveries.create(deliveryId, 'first', origin, (now) => ({
        kind: 'record-first',
        ...{ terms, first, begunAt, now },
      })),
    );
    const receiver = answer === undefined ? 'not-called' : delivered ? 'accepted' : 'failed';
    return { ended: hasEnded(state), receiver, restUntilMs };
  }

  private async record(
    delivery: LiveDelivery,
    attempt: number,
    answer: OutgoingAnswer,
    endpoint: Endpoint,
  ): Promise<AttemptResult> {
    const { retryAfterSeconds, restUntilMs } = this.restOf(answer);
    if (isDelivered(answer)) {
      await this.succeed(delivery, attempt);
      return { ended: true, receiver: 'accepted', restUntilMs: null };
    }
    const failure = await this.failure(answer, endpoint);
    const jitterPermille = jitterOf(delivery.deliveryId, attempt);
    const { state } = await this.step(delivery, `${attempt}-end`, (now) => ({
      kind: 'fail',
      ...failure,
      ...{ attempt, now, jitterPermille, retryAfterSeconds },
    }));
    return { ended: hasEnded(state), receiver: 'failed', restUntilMs };
  }

  private failure(answer: OutgoingAnswer | undefined, endpoint: Endpoint | undefined, stop?: StopReason) {
    return failureOf(answer, stop, async () => endpoint !== undefined && this.endpoints.hasMoved(endpoint));
  }

  /** Registers a running attempt, so that {@link bringForward} waits for it instead of sending the delivery again. */
  private async register<T>(deliveryId: string, work: () => Promise<T>): Promise<T> {
    const running = work();
    this.running.set(deliveryId, running);
    try {
      return await running;
    } finally {
      if (this.running.get(deliveryId) === running) this.running.delete(deliveryId);
    }
  }

  /**
   * Sends the preceding delivery once more, before its retry is due, so that the current event does not overtake it:
   * after an outage, the events about a resource arrive in order. Only a success is recorded.
   */
  private async bringForward(deliveryId: string, stopping: AbortSignal, most = MAX_BROUGHT_FORWARD): Promise<void> {
    const underWay = this.running.get(deliveryId);
    if (underWay) await underWay.catch(() => undefined);
    else if (most > 0) await this.register(deliveryId, () => this.sendEarly(deliveryId, stopping, most));
  }

  private async sendEarly(deliveryId: string, stopping: AbortSignal, most: number): Promise<void> {
    const { delivery, traceparent } = await this.deliveries.load(deliveryId);
    // A delivery that is found `delivering` was interrupted by the end of a process: the same attempt is made again.
    if (!isLive(delivery)) return;
    const endpoint = await this.endpoints.find(delivery.accountId, delivery.endpointId);
    if (!endpoint || reasonToStop(endpoint)) return;
    if (delivery.after !== null) await this.bringForward(delivery.after, stopping, most - 1);
    const attempt = attemptOf(delivery);
    if (!isDelivered(await this.sending.post(endpoint, delivery, { attempt, traceparent }, stopping))) return;
    if (delivery.status === 'pending') await this.start(delivery, attempt);
    await this.succeed(delivery, attempt);
  }

  private async start(delivery: LiveDelivery, attempt: number): Promise<void> {
    await this.step(delivery, `${attempt}-start`, (now) => ({ kind: 'start', now }));
  }

  private async succeed(delivery: LiveDelivery, attempt: number): Promise<void> {
    await this.step(delivery, `${attempt}-end`, (now) => ({ kind: 'succeed', attempt, httpStatus: DELIVERED, now }));
  }

  private async abandon(delivery: LiveDelivery, reason: StopReason): Promise<AttemptResult> {
    await this.step(delivery, `${delivery.attempts}-abandon`, (now) => ({ kind: 'abandon', reason, now }));
    return notCalled(true);
  }

  private step(
    { deliveryId, correlationId }: LiveDelivery,
    step: string,
    command: Parameters<Deliveries['handle']>[3],
  ): ReturnType<Deliveries['handle']> {
    return this.deliveries.handle(deliveryId, step, { correlationId, actor: ACTOR }, command);
  }

  /** The receiver's `Retry-After`, counted from now, when the response has arrived. */
  private restOf(answer: OutgoingAnswer | undefined) {
    const seconds = answer?.kind === 'answered' ? retryAfterSeconds(answer.retryAfter, this.systemClock.now()) : null;
    return { retryAfterSeconds: seconds, restUntilMs: restUntil(this.deliveries.now(), seconds) };
  }
}
