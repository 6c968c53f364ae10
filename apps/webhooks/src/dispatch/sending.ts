import { Inject, Injectable } from '@nestjs/common';
import { pause } from '@ponte/concurrency';
import type { EndpointFaults, PublishedEnvelope } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { isoTime, Unavailable } from '@ponte/kernel';
import { CLOCK, CLOCK_SKEW, METRICS } from '@ponte/nest';
import type { Metrics } from '@ponte/observability';
import { AttemptNotes } from '../deliveries/attempt-notes.read-model';
import type { DeliveryTerms } from '../deliveries/delivery.state';
import type { Endpoint } from '../endpoints/endpoints.state';
import type { OutgoingAnswer, OutgoingHttp, OutgoingRequest, RequestOrigin } from '../outgoing-http/outgoing-http.port';
import { OUTGOING_HTTP, isDelivered } from '../outgoing-http/outgoing-http.port';
import { SignedRequests } from './signed-requests';

const SECOND_MS = 1_000;
/** The outcomes of attempts, as metrics name them. */
const OUTCOMES = ['delivered', 'http-status', 'timed-out', 'connection-failed', 'target-refused'];
const ANSWERED_500: OutgoingAnswer = { kind: 'answered', status: 500, retryAfter: null };

/** What is sent: one envelope, and the ids of its delivery. */
type Sent = Pick<DeliveryTerms, 'deliveryId' | 'endpointId' | 'correlationId' | 'envelope'>;

/**
 * Sends one attempt: signs the request, applies the faults that a sandbox endpoint asks for, and notes latency and
 * response.
 */
@Injectable()
export class Sending {
  constructor(
    private readonly requests: SignedRequests,
    @Inject(OUTGOING_HTTP) private readonly http: OutgoingHttp,
    private readonly notes: AttemptNotes,
    /** Business time. */
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(CLOCK_SKEW) private readonly clockSkew: { readonly isSane: boolean },
  ) {
    // Shows every outcome as 0 before the first attempt.
    for (const outcome of OUTCOMES) this.attempts(outcome);
  }

  /**
   * Throws when our own side fails, and while the clock is wrong: receivers would refuse the timestamp. An attempt that
   * `stopping` aborts before it is sent results in `connection-failed`.
   */
  async post(
    endpoint: Endpoint,
    { deliveryId, endpointId, correlationId, envelope }: Sent,
    { attempt, traceparent }: Pick<RequestOrigin, 'attempt' | 'traceparent'>,
    stopping: AbortSignal,
  ): Promise<OutgoingAnswer> {
    const plan = faultPlan(endpoint.faults, envelope.sequence, isoTime(this.clock.now()));
    if (plan.answers500) return ANSWERED_500;
    if (plan.delayMs > 0) await pause(plan.delayMs, stopping);
    if (stopping.aborted) return { kind: 'failed', reason: 'connection-failed' };
    if (!this.clockSkew.isSane) throw new Unavailable('service-unavailable', 'the clock of this process is wrong');
    const { personal, ...signed } = await this.requests.make(endpoint, envelope);
    const request = wrong(signed, plan);
    const origin = { deliveryId, endpointId, correlationId, attempt, traceparent };
    const begunAt = performance.now();
    const answer = await this.send(request, origin);
    const seconds = (performance.now() - begunAt) / SECOND_MS;
    this.measure(envelope, attempt, answer, seconds);
    this.notes.add({
      deliveryId,
      endpointId,
      attempt,
      latencyMs: Math.round(seconds * SECOND_MS),
      at: isoTime(this.clock.now()),
      personal,
      ...(answer.kind === 'answered' && answer.excerpt ? { excerpt: answer.excerpt } : {}),
    });
    // The response to the second copy is ignored, as if the network had duplicated the request.
    if (plan.copies === 2) await this.send(request, origin);
    return answer;
  }

  private async send(request: OutgoingRequest, origin: RequestOrigin): Promise<OutgoingAnswer> {
    const answer = await this.http.post(request, origin);
    this.attempts(answer.kind === 'failed' ? answer.reason : isDelivered(answer) ? 'delivered' : 'http-status').inc();
    return answer;
  }

  /** The metrics contain no addresses and no endpoint ids. */
  private attempts(outcome: string) {
    return this.metrics.counter('ponte_webhook_attempts_total', { outcome });
  }

  private measure(envelope: PublishedEnvelope, attempt: number, answer: OutgoingAnswer, seconds: number): void {
    this.metrics.histogram('ponte_webhook_attempt_seconds').observe(seconds);
    if (!isDelivered(answer) || attempt > 1) return;
    const lag = (this.clock.now() - Date.parse(envelope.occurredAt)) / SECOND_MS;
    this.metrics.histogram('ponte_webhook_lag_seconds').observe(Math.max(0, lag));
  }
}

const wrong = (request: OutgoingRequest, { badSignature }: FaultPlan): OutgoingRequest => {
  if (!badSignature) return request;
  const signatures = request.headers['webhook-signature'] ?? '';
  return { ...request, headers: { ...request.headers, 'webhook-signature': spoiled(signatures) } };
};

/** How long an event is held back so that the next one overtakes it (fault `reorder`), in milliseconds. */
const HELD_BACK_MS = 3_000;

/** The faults to apply to one attempt. */
interface FaultPlan {
  /** Delay before the request is sent, in milliseconds. */
  readonly delayMs: number;
  /** How often the request is sent. */
  readonly copies: 1 | 2;
  readonly badSignature: boolean;
  /** Nothing is sent, and the attempt counts as a response with status 500. */
  readonly answers500: boolean;
}

const NO_FAULTS: FaultPlan = { delayMs: 0, copies: 1, badSignature: false, answers500: false };

/** The plan for an event with this sequence at `now` (business time). */
function faultPlan(faults: EndpointFaults | null, sequence: number, now: string): FaultPlan {
  if (faults === null) return NO_FAULTS;
  const heldBack = faults.reorder && sequence % 2 === 1 ? HELD_BACK_MS : 0;
  return {
    delayMs: faults.delayMs + heldBack,
    copies: faults.duplicate ? 2 : 1,
    badSignature: faults.badSignature,
    answers500: faults.respond500Until !== null && now < faults.respond500Until,
  };
}

/** Changes signatures so that they are well-formed but wrong. */
const spoiled = (signatures: string): string =>
  signatures
    .split(' ')
    .map((one) => one.replace(/^v1,(.)/, (_, first: string) => `v1,${first === 'A' ? 'B' : 'A'}`))
    .join(' ');
