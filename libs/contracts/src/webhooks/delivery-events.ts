import { event } from '@ponte/event-sourcing';
import type { Timestamp } from '../shared';
import type { WebhookEventType } from './kinds';
import type { PublishedEnvelope } from './outbox-events';

/**
 * Why an attempt did not deliver. `http-status`: an answer other than 200, redirects included; `gone`: 410;
 * `target-refused`: the URL or an address of its host is not allowed.
 */
export type DeliveryFailureReason =
  | 'http-status'
  | 'gone'
  | 'timed-out'
  | 'connection-failed'
  | 'target-refused'
  | 'endpoint-deleted'
  | 'endpoint-disabled';

/**
 * Stream `delivery-<deliveryId>`: one envelope for one endpoint; the id derives from both. One that is delivered at its
 * first attempt is this one event. Nothing is written before that attempt ends: until then the reader of the source log
 * has not moved past the event behind it, so that a crash makes it again.
 */
export class DeliveredAtOnce extends event('DeliveredAtOnce')<{
  deliveryId: string;
  endpointId: string;
  /** The account whose endpoint it is, and in whose outbox the envelope lies. */
  accountId: string;
  eventId: string;
  eventType: WebhookEventType;
  /** Of the envelope's entry in the outbox. */
  sourcePosition: string;
  /** What the event is about; absent in what was written before deliveries could be listed by resource. */
  resourceType?: PublishedEnvelope['resourceType'];
  resourceId?: string;
  /** Of the request that set the event in motion. */
  correlationId: string;
  scheduledAt: Timestamp;
  succeededAt: Timestamp;
  httpStatus: number;
}> {}
/** It has to wait: for its time, for the one before it, or for a place. */
export class DeliveryScheduled extends event('DeliveryScheduled')<{
  deliveryId: string;
  endpointId: string;
  /** The account whose endpoint it is: the envelope's own or its parent. */
  accountId: string;
  envelope: PublishedEnvelope;
  dueAt: Timestamp;
  /** The delivery of the event before this one about the same resource, for which this one waits up to 60 s. */
  after: string | null;
  /** Of the request that set the event in motion. */
  correlationId: string;
  /** The first delivery of the same event to this endpoint, where this one repeats it. */
  replayOf?: string;
}> {}
/** Written before the request leaves; `attempt` counts from 1. */
export class DeliveryStarted extends event('DeliveryStarted')<{
  deliveryId: string;
  attempt: number;
  startedAt: Timestamp;
}> {}
export class DeliverySucceeded extends event('DeliverySucceeded')<{
  deliveryId: string;
  endpointId: string;
  accountId: string;
  attempt: number;
  succeededAt: Timestamp;
  httpStatus: number;
}> {}
/** `nextAt` null: it was the last attempt. */
export class DeliveryAttemptFailed extends event('DeliveryAttemptFailed')<{
  deliveryId: string;
  endpointId: string;
  accountId: string;
  attempt: number;
  failedAt: Timestamp;
  httpStatus: number | null;
  reason: DeliveryFailureReason;
  nextAt: Timestamp | null;
}> {}
/**
 * A delivery that had failed is tried again, with a schedule that starts from the beginning; attempts are counted on.
 */
export class DeliveryReplayed extends event('DeliveryReplayed')<{
  deliveryId: string;
  endpointId: string;
  accountId: string;
  /** The delivery that it waits for now, up to 60 s. */
  after: string | null;
  replayedAt: Timestamp;
}> {}
export const DELIVERY_EVENTS = [
  DeliveredAtOnce,
  DeliveryScheduled,
  DeliveryReplayed,
  DeliveryStarted,
  DeliverySucceeded,
  DeliveryAttemptFailed,
] as const;
export type DeliveryEvent = InstanceType<(typeof DELIVERY_EVENTS)[number]>;
