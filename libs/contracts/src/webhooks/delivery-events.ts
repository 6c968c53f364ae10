import { event } from '@ponte/event-sourcing';
import type { Timestamp } from '../shared';
import type { WebhookEventType } from './webhook-events';
import type { PublishedEnvelope } from './outbox-events';

/**
 * Why an attempt failed. `http-status`: a status other than 200, including redirects; `gone`: 410; `target-refused`:
 * the URL or an address of its host is not allowed.
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
 * Stream `delivery-<deliveryId>`: one event for one endpoint; the id is derived from both. A delivery that succeeds at
 * its first attempt has only this event. Nothing is recorded before that attempt ends: after a crash the source event
 * is read again and the attempt is repeated.
 */
export class DeliveredAtOnce extends event('DeliveredAtOnce')<{
  deliveryId: string;
  endpointId: string;
  /** The account that owns the endpoint and whose outbox contains the event. */
  accountId: string;
  eventId: string;
  eventType: WebhookEventType;
  /** `sourcePosition` of the entry in the outbox. */
  sourcePosition: string;
  /** The resource that the event is about; absent in events from before deliveries could be listed by resource. */
  resourceType?: PublishedEnvelope['resourceType'];
  resourceId?: string;
  /** Correlation id of the request that caused the event. */
  correlationId: string;
  scheduledAt: Timestamp;
  succeededAt: Timestamp;
  httpStatus: number;
}> {}
/**
 * The delivery was recorded with its event, because it did not succeed at once: its first attempt failed, or has to
 * wait for the previous delivery or for capacity. Pings and replays are always recorded like this.
 */
export class DeliveryScheduled extends event('DeliveryScheduled')<{
  deliveryId: string;
  endpointId: string;
  /** The account that owns the endpoint: the account of the event or its parent. */
  accountId: string;
  envelope: PublishedEnvelope;
  dueAt: Timestamp;
  /**
   * Delivery of the previous event about the same resource, for which this one waits up to 60 s; null if it does not
   * wait.
   */
  after: string | null;
  /** Correlation id of the request that caused the event. */
  correlationId: string;
  /** The first delivery of the event to this endpoint, which this one repeats; absent if this is the first. */
  replayOf?: string;
}> {}
/** Appended before the request is sent. `attempt` counts from 1. */
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
/** An attempt failed. `nextAt` is null if it was the last one. */
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
/** A failed delivery is attempted again with a new retry schedule. `attempt` continues to count. */
export class DeliveryReplayed extends event('DeliveryReplayed')<{
  deliveryId: string;
  endpointId: string;
  accountId: string;
  /** The delivery for which this one waits up to 60 s; null if it does not wait. */
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
