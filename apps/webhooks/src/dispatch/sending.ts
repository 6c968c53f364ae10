import { Inject, Injectable } from '@nestjs/common';
import type { PublishedEnvelope } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import { pause } from '@ponte/concurrency';
import { CLOCK, METRICS } from '@ponte/nest';
import { AttemptNotes } from '../deliveries/attempt-notes.read-model';
import type { Endpoint } from '../endpoints/endpoints.state';
import type { FaultPlan } from '../faults/fault-plan';
import { faultPlan, spoiled } from '../faults/fault-plan';
import type { OutgoingAnswer, OutgoingHttp, OutgoingRequest, RequestOrigin } from '../outgoing-http/outgoing-http.port';
import { OUTGOING_HTTP, isDelivered } from '../outgoing-http/outgoing-http.port';
import { SignedRequests } from './signed-request';

const SECOND_MS = 1_000;
const ANSWERED_500: OutgoingAnswer = { kind: 'answered', status: 500, retryAfter: null };

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
  ) {}

  /**
   * Throws when our own side fails. An attempt that `stopping` aborts before it is sent results in `connection-failed`.
   */
  async post(
    endpoint: Endpoint,
    envelope: PublishedEnvelope,
    origin: RequestOrigin,
    stopping: AbortSignal,
  ): Promise<OutgoingAnswer> {
    const plan = faultPlan(endpoint.faults, envelope.sequence, isoTime(this.clock.now()));
    if (plan.answers500) return ANSWERED_500;
    if (plan.delayMs > 0) await pause(plan.delayMs, stopping);
    if (stopping.aborted) return { kind: 'failed', reason: 'connection-failed' };
    const { personal, ...signed } = await this.requests.make(endpoint, envelope);
    const request = wrong(signed, plan);
    const begunAt = performance.now();
    const answer = await this.http.post(request, origin);
    const seconds = (performance.now() - begunAt) / SECOND_MS;
    this.measure(envelope, origin, answer, seconds);
    this.notes.add({
      deliveryId: origin.deliveryId,
      endpointId: origin.endpointId,
      attempt: origin.attempt,
      latencyMs: Math.round(seconds * SECOND_MS),
      at: isoTime(this.clock.now()),
      personal,
      ...(answer.kind === 'answered' && answer.excerpt ? { excerpt: answer.excerpt } : {}),
    });
    // The response to the second copy is ignored, as if the network had duplicated the request.
    if (plan.copies === 2) await this.http.post(request, origin);
    return answer;
  }

  private measure(
    envelope: PublishedEnvelope,
    { attempt }: RequestOrigin,
    answer: OutgoingAnswer,
    seconds: number,
  ): void {
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
