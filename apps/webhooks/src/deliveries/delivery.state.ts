import type { DeliveryFailureReason, PublishedEnvelope, WebhookEventType } from '@ponte/contracts';
import { orderWaitEnds } from './retry-schedule.domain';

export interface Scheduled {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly accountId: string;
  readonly eventId: string;
  readonly eventType: WebhookEventType;
  readonly after: string | null;
  readonly correlationId: string;
  readonly scheduledAt: string;
  /** The resource of the event. Null for deliveries recorded before this field existed. */
  readonly resource: { readonly type: PublishedEnvelope['resourceType']; readonly id: string } | null;
  readonly replayOf: string | null;
  /** Number of attempts started. */
  readonly attempts: number;
  /**
   * How many of them were before the last replay, which restarted the schedule and the wait for the preceding delivery.
   */
  readonly attemptsBefore: number;
  /** When the delivery was scheduled or last replayed. The wait for the preceding delivery counts from then. */
  readonly waitsSince: string;
  /** Time of the last event. */
  readonly updatedAt: string;
}

interface WithEnvelope {
  readonly envelope: PublishedEnvelope;
}

/** A successful delivery has no envelope: it can be read from the outbox. */
export type Delivery =
  | { readonly status: 'unscheduled' }
  | (Scheduled & WithEnvelope & { readonly status: 'pending'; readonly dueAt: string })
  | (Scheduled & WithEnvelope & { readonly status: 'delivering' })
  | (Scheduled & { readonly status: 'succeeded' })
  | (Scheduled & WithEnvelope & { readonly status: 'failed' });

export type ScheduledDelivery = Exclude<Delivery, { status: 'unscheduled' }>;

export type LiveDelivery = Extract<Delivery, { status: 'pending' | 'delivering' }>;

/** What has to be delivered: one envelope to one endpoint. */
export type DeliveryTerms = Pick<Scheduled, 'deliveryId' | 'endpointId' | 'accountId' | 'after' | 'correlationId'> &
  WithEnvelope & { readonly replayOf?: string };

/** The outcome of a first attempt that was made before the delivery was recorded. */
export type FirstAttempt =
  | { readonly succeeded: true; readonly httpStatus: number; readonly sourcePosition: string }
  | { readonly succeeded: false; readonly failure: Omit<FailedAttempt, 'attempt' | 'now'> };

export interface FailedAttempt {
  readonly attempt: number;
  readonly httpStatus: number | null;
  readonly reason: DeliveryFailureReason;
  readonly jitterPermille: number;
  readonly retryAfterSeconds: number | null;
  /** No further attempt is made, even if the retry schedule allows one. */
  readonly last: boolean;
  readonly now: string;
}

export type DeliveryCommand =
  | { readonly kind: 'schedule'; readonly terms: DeliveryTerms; readonly now: string }
  /** `begunAt`: the time before the request was sent. */
  | {
      readonly kind: 'record-first';
      readonly terms: DeliveryTerms;
      readonly first: FirstAttempt;
      readonly begunAt: string;
      readonly now: string;
    }
  | { readonly kind: 'start'; readonly now: string }
  | { readonly kind: 'succeed'; readonly attempt: number; readonly httpStatus: number; readonly now: string }
  | ({ readonly kind: 'fail' } & FailedAttempt)
  /** `after`: the delivery to wait for. */
  | { readonly kind: 'replay'; readonly after: string | null; readonly now: string }
  | { readonly kind: 'abandon'; readonly reason: 'endpoint-deleted' | 'endpoint-disabled'; readonly now: string };

/** Whether the next event about the resource may be sent. Also true for a delivery that was never scheduled. */
export const hasEnded = (delivery: Delivery): boolean =>
  delivery.status === 'unscheduled' || delivery.status === 'succeeded' || delivery.status === 'failed';

/** Whether the delivery may still be attempted. */
export const isLive = (delivery: Delivery): delivery is LiveDelivery =>
  delivery.status === 'pending' || delivery.status === 'delivering';

/** The number of the running attempt, or of the next one. */
export const attemptOf = ({ status, attempts }: LiveDelivery): number =>
  status === 'delivering' ? attempts : attempts + 1;

/** Whether a delivery that was not attempted since it was scheduled or replayed still waits for the preceding one. */
export const waitsForPrevious = (delivery: LiveDelivery, now: string): boolean =>
  delivery.status === 'pending' &&
  delivery.after !== null &&
  delivery.attempts === delivery.attemptsBefore &&
  orderWaitEnds(delivery.waitsSince) > now;
