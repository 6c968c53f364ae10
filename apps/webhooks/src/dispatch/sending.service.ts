import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { pause, ReportLimit } from '@ponte/concurrency';
import type { PublishedEnvelope } from '@ponte/contracts';
import { openedPayload, wireBody } from '@ponte/contracts';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { SealBroken } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime, Unavailable } from '@ponte/kernel';
import { CLOCK, CLOCK_SKEW, LOGGER, METRICS, PERSONAL_DATA, SYSTEM_CLOCK } from '@ponte/nest';
import type { Metrics } from '@ponte/observability';
import type { Logger } from 'pino';
import { AttemptNotes } from '../deliveries/attempt-notes.read-model';
import type { DeliveryTerms } from '../deliveries/delivery.state';
import type { Endpoint } from '../endpoints/endpoints.state';
import { faultPlan, NO_FAULTS, spoiled } from '../faults/fault-plan.domain';
import type { OutgoingAnswer, OutgoingHttp, OutgoingRequest, RequestOrigin } from '../outgoing-http/outgoing-http.port';
import { OUTGOING_HTTP, isDelivered } from '../outgoing-http/outgoing-http.port';

const SECOND_MS = 1_000;
/** The outcomes of attempts, as metrics name them. */
const OUTCOMES = ['delivered', 'http-status', 'timed-out', 'connection-failed', 'target-refused'];
const ANSWERED_500: OutgoingAnswer = { kind: 'answered', status: 500, retryAfter: null };

const SECRET_PREFIX = 'whsec_';

/**
 * Builds the signed HTTP request. Personal fields are opened here and kept only for the request; those of a person
 * whose data was erased read `[erased]`, and those that cannot be decrypted `[unavailable]`. The signed timestamp is
 * system time, since receivers compare it with their own clock.
 */
@Injectable()
export class SignedRequests {
  private readonly reports = new ReportLimit();

  /** `clock`: business time, which determines the end of a rotation's grace period. */
  constructor(
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'error'>,
  ) {}

  /**
   * `personal`: the personal fields in clear text, to be removed from a response before it is stored. `badSignature`:
   * signs wrongly, for a fault that a sandbox endpoint asks for.
   */
  async make(
    endpoint: Endpoint,
    envelope: PublishedEnvelope,
    badSignature = false,
  ): Promise<OutgoingRequest & { readonly personal: readonly string[] }> {
    const { payload, personal, unreadable } = await openedPayload(envelope, this.personalData);
    if (unreadable.length > 0) this.report(envelope, unreadable);
    const body = wireBody(envelope, payload);
    const secrets = await this.secretsOf(endpoint);
    const timestamp = String(Math.floor(this.systemClock.now() / SECOND_MS));
    const signatures = secrets.map((secret) => signature(secret, envelope.eventId, timestamp, body)).join(' ');
    return {
      url: endpoint.sealedUrl === undefined ? endpoint.url : await this.personalData.open(endpoint.sealedUrl),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Ponte-Webhooks/1',
        'webhook-id': envelope.eventId,
        'webhook-timestamp': timestamp,
        'webhook-signature': badSignature ? spoiled(signatures) : signatures,
      },
      body,
      personal,
    };
  }

  /** Leaves out what cannot be decrypted, so that a rotation ends this state. Throws `SealBroken` if none is left. */
  private async secretsOf(endpoint: Endpoint): Promise<readonly string[]> {
    const sealed = signingSecrets(endpoint, isoTime(this.clock.now()));
    const opened = await Promise.allSettled(sealed.map((secret) => this.personalData.open(secret)));
    const secrets = opened.flatMap((one) => {
      if (one.status === 'fulfilled') return [one.value];
      if (one.reason instanceof SealBroken) return [];
      throw one.reason;
    });
    if (secrets.length === 0) throw new SealBroken();
    return secrets;
  }

  private report({ accountId, eventId }: PublishedEnvelope, fields: readonly string[]): void {
    this.reports.note('unreadable', (repeats) =>
      this.logger.error({ accountId, eventId, fields, ...repeats }, 'an event cannot be decrypted'),
    );
  }
}

/** The secrets that sign for an endpoint at `now`, the newest first. */
export const signingSecrets = (
  { secret, previousSecret }: Pick<Endpoint, 'secret' | 'previousSecret'>,
  now: string,
): readonly Sealed[] => [secret, ...(previousSecret && now < previousSecret.until ? [previousSecret.secret] : [])];

/**
 * A signature of Standard Webhooks, version 1. It uses Node's HMAC, because the one of the `standardwebhooks` package,
 * with which the tests verify, is written in JavaScript and takes twenty times as long.
 */
export function signature(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

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
    const { faults } = endpoint;
    const plan = faults ? faultPlan(faults, envelope.sequence, isoTime(this.clock.now())) : NO_FAULTS;
    if (plan.answers500) return ANSWERED_500;
    if (plan.delayMs > 0) await pause(plan.delayMs, stopping);
    if (stopping.aborted) return { kind: 'failed', reason: 'connection-failed' };
    if (!this.clockSkew.isSane) throw new Unavailable('service-unavailable', 'the clock of this process is wrong');
    const { personal, ...request } = await this.requests.make(endpoint, envelope, plan.badSignature);
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
