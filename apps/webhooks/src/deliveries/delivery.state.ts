import type { DeliveryFailureReason, PublishedEnvelope, WebhookEventType } from '@ponte/contracts';

export interface Scheduled {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly accountId: string;
  readonly eventId: string;
  readonly eventType: WebhookEventType;
  readonly after: string | null;
  readonly correlationId: string;
  readonly scheduledAt: string;
  /** What the event is about; null in what was delivered before that was recorded. */
  readonly resource: { readonly type: PublishedEnvelope['resourceType']; readonly id: string } | null;
  /** The delivery that this one repeats. */
  readonly replayOf: string | null;
  /** Attempts begun. */
  readonly attempts: number;
  /** Of these, those before the last replay: the schedule and the wait for the delivery before it began again then. */
  readonly attemptsBefore: number;
  /** When the delivery was scheduled or last replayed. */
  readonly waitsSince: string;
  /** Time of the last event. */
  readonly updatedAt: string;
}

interface WithEnvelope {
  readonly envelope: PublishedEnvelope;
}

/** The envelope of one that succeeded is in the outbox. */
export type Delivery =
  | { readonly status: 'unscheduled' }
  | (Scheduled & WithEnvelope & { readonly status: 'pending'; readonly dueAt: string })
  | (Scheduled & WithEnvelope & { readonly status: 'delivering' })
  | (Scheduled & { readonly status: 'succeeded' })
  | (Scheduled & WithEnvelope & { readonly status: 'failed' });

export type ScheduledDelivery = Exclude<Delivery, { status: 'unscheduled' }>;

export type LiveDelivery = Extract<Delivery, { status: 'pending' | 'delivering' }>;

/** One envelope for one endpoint. */
export type DeliveryTerms = Pick<Scheduled, 'deliveryId' | 'endpointId' | 'accountId' | 'after' | 'correlationId'> &
  WithEnvelope & { readonly replayOf?: string };

/** What a first attempt came to that was made before anything was recorded. */
export type FirstAttempt =
  | { readonly succeeded: true; readonly httpStatus: number; readonly sourcePosition: string }
  | { readonly succeeded: false; readonly failure: Omit<FailedAttempt, 'attempt' | 'now'> };

export interface FailedAttempt {
  readonly attempt: number;
  readonly httpStatus: number | null;
  readonly reason: DeliveryFailureReason;
  readonly jitterPermille: number;
  readonly retryAfterSeconds: number | null;
  /** No further attempt, whatever the schedule says. */
  readonly last: boolean;
  readonly now: string;
}

export type DeliveryCommand =
  | { readonly kind: 'schedule'; readonly terms: DeliveryTerms; readonly now: string }
  /** `begunAt`: before the request left. */
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
  /** `after`: the delivery that it waits for. */
  | { readonly kind: 'replay'; readonly after: string | null; readonly now: string }
  | { readonly kind: 'abandon'; readonly reason: 'endpoint-deleted' | 'endpoint-disabled'; readonly now: string };

/** Whether it has ended, so that the next event about the resource may be sent. */
export const hasEnded = (delivery: Delivery): boolean =>
  delivery.status === 'unscheduled' || delivery.status === 'succeeded' || delivery.status === 'failed';

export const isLive = (delivery: Delivery): delivery is LiveDelivery =>
  delivery.status === 'pending' || delivery.status === 'delivering';

/** The attempt that is under way, or the next one. */
export const attemptOf = ({ status, attempts }: LiveDelivery): number =>
  status === 'delivering' ? attempts : attempts + 1;
