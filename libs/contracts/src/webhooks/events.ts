import { event } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { Timestamp } from '../shared';

export const WEBHOOK_EVENT_TYPES = [
  'deposit-processed', 'deposit-voided', 'order-created', 'order-processing', 'order-completed', 'order-rolled-back', 'webhook-ping',
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** Stream `webhookEndpoint-<endpointId>`. */
export class WebhookEndpointCreated extends event('WebhookEndpointCreated')<{
  endpointId: string; accountId: string; url: string;
  /** Null: all kinds. */
  eventTypes: readonly WebhookEventType[] | null;
  /** `whsec_…`, sealed under the endpoint's id. */
  secret: Sealed;
  createdAt: Timestamp;
}> {}
export class WebhookEndpointDeleted extends event('WebhookEndpointDeleted')<{ endpointId: string; accountId: string; deletedAt: Timestamp }> {}
export type WebhookEndpointFact = WebhookEndpointCreated | WebhookEndpointDeleted;

/** The published form of an event, as an endpoint gets it but for the personal members, which stay sealed until it is sent. */
export interface PublishedEnvelope {
  readonly eventId: string;
  readonly eventType: WebhookEventType;
  /** The account that the event is about. */
  readonly accountId: string;
  readonly resourceType: 'order' | 'deposit' | 'webhook-endpoint';
  readonly resourceId: string;
  /** Per resource, from 1, no gaps. */
  readonly sequence: number;
  readonly previousState: string | null;
  readonly occurredAt: Timestamp;
  readonly apiVersion: 'v1';
  /** Kebab-case members; a value may be `Sealed`. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Stream `outbox-<accountId>`: the log of what an account (or a child of it) is told. A position in it is revision + 1. */
export class EnvelopePublished extends event('EnvelopePublished')<{ envelope: PublishedEnvelope; sourcePosition: string }> {}

/** Stream `delivery-<deliveryId>`: one envelope for one endpoint; the id derives from both. */
export class DeliveryScheduled extends event('DeliveryScheduled')<{
  deliveryId: string; endpointId: string; accountId: string; envelope: PublishedEnvelope; dueAt: Timestamp;
}> {}
/** Written before the request leaves; `attempt` counts from 1. */
export class DeliveryStarted extends event('DeliveryStarted')<{ deliveryId: string; attempt: number; startedAt: Timestamp }> {}
export class DeliverySucceeded extends event('DeliverySucceeded')<{ deliveryId: string; attempt: number; succeededAt: Timestamp; httpStatus: number }> {}
/** `nextAt` null: it was the last attempt. */
export class DeliveryAttemptFailed extends event('DeliveryAttemptFailed')<{
  deliveryId: string; attempt: number; failedAt: Timestamp; httpStatus: number | null; reason: string; nextAt: Timestamp | null;
}> {}
export type DeliveryFact = DeliveryScheduled | DeliveryStarted | DeliverySucceeded | DeliveryAttemptFailed;
