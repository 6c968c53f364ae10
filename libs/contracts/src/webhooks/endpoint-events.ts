import type { Sealed } from '@ponte/event-sourcing';
import { event } from '@ponte/event-sourcing';
import type { Timestamp } from '../shared';
import type { DeliveryFailureReason } from './delivery-events';
import type { WebhookEventType } from './webhook-events';

/**
 * `gone`: the receiver responded 410; `no-success`: all attempts failed for 120 h; `requested`: the account disabled
 * it.
 */
export type EndpointDisabledReason = 'gone' | 'no-success' | 'requested';

/** Faults that the sandbox makes on purpose when it sends to an endpoint, so that a partner can test its receiver. */
export interface EndpointFaults {
  /** Delay before each request, in milliseconds; 0 to 30,000. */
  readonly delayMs: number;
  /** Each request is sent twice, with the same `webhook-id`. */
  readonly duplicate: boolean;
  /** Events of one resource arrive out of order: each event with an odd sequence is held back for some seconds. */
  readonly reorder: boolean;
  /** The signature does not match the body. */
  readonly badSignature: boolean;
  /** Until this business time nothing is sent and every attempt is recorded as a 500 response; null for no outage. */
  readonly respond500Until: Timestamp | null;
}

/**
 * Stream `webhookEndpoint-<accountId>`: all endpoints of an account, because the limit of ten applies to all of them.
 */
export class WebhookEndpointCreated extends event('WebhookEndpointCreated')<{
  endpointId: string;
  accountId: string;
  /** The URL with its query masked. */
  url: string;
  /**
   * The complete URL, sealed under the endpoint's id; absent if it has no query, and in events from before queries were
   * sealed.
   */
  sealedUrl?: Sealed;
  /** Null for all event types. */
  eventTypes: readonly WebhookEventType[] | null;
  /** `whsec_…`, sealed under the endpoint's id. */
  secret: Sealed;
  /** Absent if the endpoint has no description. */
  description?: string;
  createdAt: Timestamp;
}> {}
/**
 * Absent fields did not change. `sealedUrl` is null if the new URL has no query, `eventTypes` is null for all event
 * types.
 */
export class WebhookEndpointChanged extends event('WebhookEndpointChanged')<{
  endpointId: string;
  accountId: string;
  /** The URL with its query masked. */
  url?: string;
  sealedUrl?: Sealed | null;
  eventTypes?: readonly WebhookEventType[] | null;
  description?: string;
  changedAt: Timestamp;
}> {}
/** The endpoint receives events again from now on. Missed events are sent only if a replay is requested. */
export class WebhookEndpointEnabled extends event('WebhookEndpointEnabled')<{
  endpointId: string;
  accountId: string;
  enabledAt: Timestamp;
}> {}
/**
 * Requests are signed with the new and the previous secret until `previousUntil`. Older secrets sign nothing any more.
 */
export class WebhookSecretRotated extends event('WebhookSecretRotated')<{
  endpointId: string;
  accountId: string;
  /** `whsec_…`, sealed under the endpoint's id. */
  secret: Sealed;
  previousUntil: Timestamp;
  rotatedAt: Timestamp;
}> {}
/**
 * A replay was requested: events of the account's event log are sent to this endpoint again. `from` and `to` are times
 * of events, both inclusive.
 */
export class WebhookReplayRequested extends event('WebhookReplayRequested')<{
  endpointId: string;
  accountId: string;
  replayId: string;
  from: Timestamp;
  to: Timestamp;
  /** Null for the event types that the endpoint receives. */
  eventTypes: readonly WebhookEventType[] | null;
  /** True for only the events that were not delivered to the endpoint; false for all of them. */
  missedOnly: boolean;
  requestedAt: Timestamp;
}> {}
/** Sandbox only. `faults` is null if no faults are made any more. */
export class WebhookFaultsChanged extends event('WebhookFaultsChanged')<{
  endpointId: string;
  accountId: string;
  faults: EndpointFaults | null;
  changedAt: Timestamp;
}> {}
export class WebhookEndpointDeleted extends event('WebhookEndpointDeleted')<{
  endpointId: string;
  accountId: string;
  deletedAt: Timestamp;
}> {}
/**
 * Nothing more is scheduled for the endpoint, and open deliveries fail when they fall due. The account's outbox
 * continues.
 */
export class WebhookEndpointDisabled extends event('WebhookEndpointDisabled')<{
  endpointId: string;
  accountId: string;
  reason: EndpointDisabledReason;
  disabledAt: Timestamp;
  /**
   * Number of the `webhook-endpoint-disabled` event among those of this endpoint; absent if none is published, because
   * the account disabled the endpoint itself. Older streams also count pings.
   */
  sequence?: number;
  /**
   * Parent of the account, which is notified too; absent if there is no parent to notify, and in events from before it
   * was recorded.
   */
  parentId?: string;
}> {}
/**
 * Summary of an endpoint that does not respond, recorded at most once per day (UTC), at the first failed attempt of the
 * day. The attempts themselves are in the journal of open deliveries. The counts are those of the moment.
 */
export class WebhookEndpointFailing extends event('WebhookEndpointFailing')<{
  endpointId: string;
  accountId: string;
  /** YYYY-MM-DD in UTC, business time. */
  date: string;
  failingSince: Timestamp;
  /** Number of attempts of the deliveries that `pending` and `failed` count. */
  attempts: number;
  pending: number;
  /** Number of deliveries that were created since `failingSince` and failed. */
  failed: number;
  lastStatus: number | null;
  lastReason: DeliveryFailureReason;
  notedAt: Timestamp;
}> {}
/** A `webhook-ping` was requested. It is sent to this endpoint only, whatever its event types, and is in no outbox. */
export class WebhookEndpointPinged extends event('WebhookEndpointPinged')<{
  endpointId: string;
  accountId: string;
  eventId: string;
  /** Number of the ping among those of this endpoint, from 1. Older streams also count `webhook-endpoint-disabled`. */
  sequence: number;
  /** The previous ping, for which this one waits; absent for the first one, and in events from before pings waited. */
  previousEventId?: string;
  pingedAt: Timestamp;
}> {}
export const WEBHOOK_ENDPOINT_EVENTS = [
  WebhookEndpointCreated,
  WebhookEndpointChanged,
  WebhookEndpointDeleted,
  WebhookEndpointDisabled,
  WebhookEndpointEnabled,
  WebhookEndpointPinged,
  WebhookSecretRotated,
  WebhookReplayRequested,
  WebhookFaultsChanged,
  WebhookEndpointFailing,
] as const;
export type WebhookEndpointEvent = InstanceType<(typeof WEBHOOK_ENDPOINT_EVENTS)[number]>;
