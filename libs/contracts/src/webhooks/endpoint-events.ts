import type { Sealed } from '@ponte/event-sourcing';
import { event } from '@ponte/event-sourcing';
import type { Timestamp } from '../shared';
import type { DeliveryFailureReason } from './delivery-events';
import type { WebhookEventType } from './kinds';

/**
 * `gone`: the receiver responded 410; `no-success`: it failed for 120 h without one success; `requested`: its account
 * disabled it.
 */
export type EndpointDisabledReason = 'gone' | 'no-success' | 'requested';

/** What a sandbox does wrong on purpose when it sends to an endpoint, so that a partner can test its receiver. */
export interface EndpointFaults {
  /** Each request leaves this much later, in milliseconds; 0 to 30,000. */
  readonly delayMs: number;
  /** Each request is sent twice, with the same `webhook-id`. */
  readonly duplicate: boolean;
  /** Events of one resource overtake each other: every event with an odd sequence is held back for some seconds. */
  readonly reorder: boolean;
  /** The signature does not fit the body. */
  readonly badSignature: boolean;
  /**
   * Until then (business time) nothing is sent, and every attempt is recorded as answered 500; null: no such outage.
   */
  readonly respond500Until: Timestamp | null;
}

/**
 * Stream `webhookEndpoint-<accountId>`: all endpoints of an account, since the limit of ten is a rule about all of
 * them.
 */
export class WebhookEndpointCreated extends event('WebhookEndpointCreated')<{
  endpointId: string;
  accountId: string;
  /** With its query masked. */
  url: string;
  /**
   * The whole URL, sealed under the endpoint's id; absent when it has no query, and in what was written before queries
   * were sealed.
   */
  sealedUrl?: Sealed;
  /** Null: all kinds. */
  eventTypes: readonly WebhookEventType[] | null;
  /** `whsec_…`, sealed under the endpoint's id. */
  secret: Sealed;
  /** The account's own words; absent where none were given. */
  description?: string;
  createdAt: Timestamp;
}> {}
/**
 * Members that are absent stay as they were. `sealedUrl` null: the new URL has no query. `eventTypes` null: all kinds.
 */
export class WebhookEndpointChanged extends event('WebhookEndpointChanged')<{
  endpointId: string;
  accountId: string;
  /** With its query masked. */
  url?: string;
  sealedUrl?: Sealed | null;
  eventTypes?: readonly WebhookEventType[] | null;
  description?: string;
  changedAt: Timestamp;
}> {}
/** The endpoint receives events again from now on. What it missed is sent only when a replay is requested. */
export class WebhookEndpointEnabled extends event('WebhookEndpointEnabled')<{
  endpointId: string;
  accountId: string;
  enabledAt: Timestamp;
}> {}
/**
 * Requests are signed with both secrets until `previousUntil`. A secret that was older than the previous one signs
 * nothing any more.
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
 * Events of the account's log are to be sent to this endpoint once more. Both times are those of the events, both
 * inclusive.
 */
export class WebhookReplayRequested extends event('WebhookReplayRequested')<{
  endpointId: string;
  accountId: string;
  replayId: string;
  from: Timestamp;
  to: Timestamp;
  /** Null: the kinds that the endpoint receives. */
  eventTypes: readonly WebhookEventType[] | null;
  /** True: only events that the endpoint does not have; false: all of them. */
  missedOnly: boolean;
  requestedAt: Timestamp;
}> {}
/** Sandbox alone. Null: nothing is done wrong any more. */
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
/** Nothing more is scheduled for it; what waits ends as failed when it falls due. The account's outbox goes on. */
export class WebhookEndpointDisabled extends event('WebhookEndpointDisabled')<{
  endpointId: string;
  accountId: string;
  reason: EndpointDisabledReason;
  disabledAt: Timestamp;
  /**
   * Number of the `webhook-endpoint-disabled` among the published events of this endpoint; absent where none is
   * published: at the account's own request.
   */
  sequence?: number;
  /** The parent of the account, which is notified too; absent where none is, and in what was written before. */
  parentId?: string;
}> {}
/**
 * The summary of an endpoint that does not respond: at most one a day (UTC), at its first failed attempt of that day.
 * The attempts themselves are in the journal of open deliveries. The counts are those of the moment.
 */
export class WebhookEndpointFailing extends event('WebhookEndpointFailing')<{
  endpointId: string;
  accountId: string;
  /** YYYY-MM-DD, UTC, business time. */
  date: string;
  failingSince: Timestamp;
  /** Attempts at the deliveries that are pending or failed. */
  attempts: number;
  pending: number;
  failed: number;
  lastStatus: number | null;
  lastReason: DeliveryFailureReason;
  notedAt: Timestamp;
}> {}
/** A `webhook-ping` was asked for. It goes to this endpoint alone, whatever its filter, and into no outbox. */
export class WebhookEndpointPinged extends event('WebhookEndpointPinged')<{
  endpointId: string;
  accountId: string;
  eventId: string;
  /** Among the published events of this endpoint, from 1. */
  sequence: number;
  /** The ping before it, which it waits for; absent of the first, and in what was written before pings waited. */
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
