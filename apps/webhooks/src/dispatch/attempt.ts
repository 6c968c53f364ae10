import type { DeliveryFailureReason } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import type { Delivery, DeliveryTerms, FirstAttempt, ScheduledDelivery } from '../deliveries/delivery.state';
import { hasEnded } from '../deliveries/delivery.state';
import { jitterOf, retryAfterSeconds } from '../deliveries/retry-schedule.domain';
import type { Endpoint } from '../endpoints/endpoints.decider';
import type { OutgoingAnswer, RequestOrigin } from '../outgoing-http/outgoing-http.port';
import type { AccountEndpoints } from './account-endpoints';
import type { AttemptResult } from './attempt-result';
import { restUntil, unasked } from './attempt-result';
import type { Deliveries, Task } from './deliveries';
import type { Sending } from './sending';

/** Delivered means exactly this. */
const DELIVERED = 200;
const GONE = 410;
const ACTOR = 'webhook-dispatcher';

/** A delivery of which nothing is recorded yet. */
export interface FreshDelivery {
  readonly terms: DeliveryTerms;
  /** Id and place of the event that it tells of. */
  readonly source: { readonly id: string; readonly position: string };
  /** The span that the event was decided in, if it was traced. */
  readonly traceparent?: string;
}

/** What a first attempt needs from its caller. */
export interface FirstHelp {
  readonly persistently: <T>(work: () => Promise<T>) => Promise<T>;
  /** The receiver has it, though nothing is recorded yet. */
  readonly delivered: () => void;
}

type Live = Extract<ScheduledDelivery, { status: 'pending' | 'delivering' }>;

/**
 * One attempt at one delivery, on what its stream says now. A delivery that is found `delivering` was interrupted after
 * its start was written: the same attempt is made again, with the same webhook-id.
 */
export class Attempts {
  /** Attempts that are under way, by delivery. */
  private readonly running = new Map<string, Promise<unknown>>();

  constructor(
    private readonly deliveries: Deliveries,
    private readonly endpoints: AccountEndpoints,
    private readonly sending: Pick<Sending, 'post'>,
    private readonly systemClock: Clock,
  ) {}

  /**
   * Throws when our own side fails; the outcome is then not attributed to the receiver, and the delivery stays as it
   * is. `delivered` is called before it is recorded.
   */
  run(task: Task, stopping: AbortSignal, delivered: () => void): Promise<AttemptResult> {
    return this.alone(task.deliveryId, () => this.attempt(task, stopping, delivered));
  }

  private async attempt(task: Task, stopping: AbortSignal, delivered: () => void): Promise<AttemptResult> {
    const { delivery, traceparent } = await this.deliveries.load(task.deliveryId);
    if (!isLive(delivery)) return unasked(hasEnded(delivery));
    if (delivery.status === 'pending' && delivery.dueAt > this.deliveries.now()) return unasked(false);
    const endpoint = await this.endpoints.find(delivery.accountId, delivery.endpointId);
    const stop = reasonToStop(endpoint);
    if (!endpoint || stop) return this.abandon(delivery, stop ?? 'endpoint-deleted');
    if (delivery.after !== null) await this.bringForward(delivery.after, stopping);
    const attempt = delivery.status === 'delivering' ? delivery.attempts : delivery.attempts + 1;
    if (delivery.status === 'pending') await this.step(delivery, `${attempt}-start`, (now) => ({ kind: 'start', now }));
    const answer = await this.sending.post(
      endpoint,
      delivery.envelope,
      about(delivery, attempt, traceparent),
      stopping,
    );
    // A request that was cut because this process stops says nothing of the receiver; it is made again after the start.
    if (stopping.aborted && answer.kind === 'failed') return unasked(false);
    if (answer.kind === 'answered' && answer.status === DELIVERED) delivered();
    return this.record(delivery, attempt, answer, endpoint);
  }

  /**
   * The first attempt of a delivery before anything of it is recorded: its outcome is its first record. Undefined when
   * the attempt was cut off, which leaves it as it was. `persistently` repeats the recording until the store takes it;
   * `delivered` is called before that.
   */
  async first(
    { terms, source, traceparent }: FreshDelivery,
    stopping: AbortSignal,
    { persistently, delivered: reported }: FirstHelp,
  ): Promise<AttemptResult | undefined> {
    const begunAt = this.deliveries.now();
    const endpoint = await persistently(async () =>
      (await this.endpoints.asRead(terms.accountId)).get(terms.endpointId),
    );
    const stop = reasonToStop(endpoint);
    const answer =
      endpoint && !stop
        ? await this.sending.post(endpoint, terms.envelope, about(terms, 1, traceparent), stopping)
        : undefined;
    const answeredAt = this.deliveries.now();
    if (stopping.aborted && answer?.kind !== 'answered') return undefined;
    const asked = answer?.kind === 'answered' ? retryAfterSeconds(answer.retryAfter, this.systemClock.now()) : null;
    const delivered = answer?.kind === 'answered' && answer.status === DELIVERED;
    if (delivered) reported();
    const first: FirstAttempt = delivered
      ? { succeeded: true, httpStatus: DELIVERED, sourcePosition: source.position }
      : {
          succeeded: false,
          failure: {
            ...failureOf(answer, stop),
            jitterPermille: jitterOf(terms.deliveryId, 1),
            retryAfterSeconds: asked,
          },
        };
    const origin = { correlationId: terms.correlationId, causationId: source.id, actor: ACTOR, traceparent };
    const { state } = await persistently(() =>
      this.deliveries.create(terms.deliveryId, 'first', origin, (now) => ({
        kind: 'record-first',
        terms,
        first,
        begunAt,
        now,
      })),
    );
    return {
      ended: hasEnded(state),
      receiver: answer === undefined ? 'unasked' : delivered ? 'well' : 'badly',
      restUntilMs: restUntil(answeredAt, asked),
    };
  }

  private async record(
    delivery: Live,
    attempt: number,
    answer: OutgoingAnswer,
    endpoint: Endpoint,
  ): Promise<AttemptResult> {
    const answeredAt = this.deliveries.now();
    if (answer.kind === 'answered' && answer.status === DELIVERED) {
      await this.step(delivery, `${attempt}-end`, (now) => ({ kind: 'succeed', attempt, httpStatus: DELIVERED, now }));
      return { ended: true, receiver: 'well', restUntilMs: null };
    }
    const httpStatus = answer.kind === 'answered' ? answer.status : null;
    const asked = answer.kind === 'answered' ? retryAfterSeconds(answer.retryAfter, this.systemClock.now()) : null;
    const last = httpStatus === GONE || endpoint.status === 'disabled';
    const { state } = await this.step(delivery, `${attempt}-end`, (now) => ({
      kind: 'fail',
      attempt,
      httpStatus,
      reason: reasonOf(answer),
      last,
      now,
      jitterPermille: jitterOf(delivery.deliveryId, attempt),
      retryAfterSeconds: asked,
    }));
    return { ended: hasEnded(state), receiver: 'badly', restUntilMs: restUntil(answeredAt, asked) };
  }

  /** No delivery is attempted twice at a time by this process. */
  private async alone<T>(deliveryId: string, work: () => Promise<T>): Promise<T> {
    const running = work();
    this.running.set(deliveryId, running);
    try {
      return await running;
    } finally {
      if (this.running.get(deliveryId) === running) this.running.delete(deliveryId);
    }
  }

  /**
   * Before an event overtakes the one before it, whose retry is not due yet, that one is sent once more: after an
   * outage the events about a resource arrive in their order, whichever retry comes first. Only a success is recorded,
   * so this takes nothing from its schedule.
   */
  private async bringForward(deliveryId: string, stopping: AbortSignal): Promise<void> {
    const underWay = this.running.get(deliveryId);
    if (underWay) await underWay.catch(() => undefined);
    else await this.alone(deliveryId, () => this.sendEarly(deliveryId, stopping));
  }

  private async sendEarly(deliveryId: string, stopping: AbortSignal): Promise<void> {
    const { delivery, traceparent } = await this.deliveries.load(deliveryId);
    // One that is found `delivering` was interrupted by the end of a process: the same attempt is made again.
    if (!isLive(delivery)) return;
    const endpoint = await this.endpoints.find(delivery.accountId, delivery.endpointId);
    if (!endpoint || reasonToStop(endpoint)) return;
    if (delivery.after !== null) await this.bringForward(delivery.after, stopping);
    const attempt = delivery.status === 'delivering' ? delivery.attempts : delivery.attempts + 1;
    const answer = await this.sending.post(
      endpoint,
      delivery.envelope,
      about(delivery, attempt, traceparent),
      stopping,
    );
    if (answer.kind !== 'answered' || answer.status !== DELIVERED) return;
    if (delivery.status === 'pending') await this.step(delivery, `${attempt}-start`, (now) => ({ kind: 'start', now }));
    await this.step(delivery, `${attempt}-end`, (now) => ({ kind: 'succeed', attempt, httpStatus: DELIVERED, now }));
  }

  private async abandon(delivery: Live, reason: 'endpoint-deleted' | 'endpoint-disabled'): Promise<AttemptResult> {
    await this.step(delivery, `${delivery.attempts}-abandon`, (now) => ({ kind: 'abandon', reason, now }));
    return unasked(true);
  }

  private step(
    delivery: Live,
    step: string,
    command: Parameters<Deliveries['handle']>[3],
  ): ReturnType<Deliveries['handle']> {
    return this.deliveries.handle(
      delivery.deliveryId,
      step,
      { correlationId: delivery.correlationId, actor: ACTOR },
      command,
    );
  }
}

/** What a request says about its origin: ids only. */
const about = (
  { deliveryId, endpointId, correlationId }: Pick<Live, 'deliveryId' | 'endpointId' | 'correlationId'>,
  attempt: number,
  traceparent: string | undefined,
): RequestOrigin => ({ deliveryId, endpointId, correlationId, attempt, traceparent });

const isLive = (delivery: Delivery): delivery is Live =>
  delivery.status === 'pending' || delivery.status === 'delivering';

/** Nothing leaves for an endpoint that was disabled or deleted meanwhile, a ping neither. */
function reasonToStop(endpoint: Endpoint | undefined): 'endpoint-deleted' | 'endpoint-disabled' | undefined {
  if (!endpoint) return 'endpoint-deleted';
  return endpoint.status === 'disabled' ? 'endpoint-disabled' : undefined;
}

function reasonOf(answer: OutgoingAnswer): DeliveryFailureReason {
  if (answer.kind === 'failed') return answer.reason;
  return answer.status === GONE ? 'gone' : 'http-status';
}

/** 410 is final. The delivery is recorded also when nothing may be sent to its endpoint any more. */
function failureOf(answer: OutgoingAnswer | undefined, stop: DeliveryFailureReason | undefined) {
  const httpStatus = answer?.kind === 'answered' ? answer.status : null;
  return {
    httpStatus,
    reason: answer ? reasonOf(answer) : (stop ?? 'endpoint-deleted'),
    last: answer === undefined || httpStatus === GONE,
  };
}
