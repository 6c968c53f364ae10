import { event } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { Timestamp } from '../shared';
import type { WebhookResourceType } from './kind';
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
export type WebhookEndpointEvent =
  | WebhookEndpointCreated
  | WebhookEndpointChanged
  | WebhookEndpointDeleted
  | WebhookEndpointDisabled
  | WebhookEndpointEnabled
  | WebhookEndpointPinged
  | WebhookSecretRotated
  | WebhookReplayRequested
  | WebhookFaultsChanged
  | WebhookEndpointFailing;

/**
 * The published form of an event, as an endpoint gets it but for the personal members, which stay sealed until it is
 * sent.
 */
export interface PublishedEnvelope {
  readonly eventId: string;
  readonly eventType: WebhookEventType;
  /** The account that the event is about. */
  readonly accountId: string;
  readonly resourceType: WebhookResourceType;
  readonly resourceId: string;
  /** Per resource, from 1, no gaps. */
  readonly sequence: number;
  readonly previousState: string | null;
  readonly occurredAt: Timestamp;
  readonly apiVersion: 'v1';
  /** Kebab-case members; a value may be `Sealed`. */
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface OutboxEntry {
  readonly envelope: PublishedEnvelope;
  /** Of the event that it tells of, in the log. */
  readonly sourcePosition: string;
  /** Of the request that set that event in motion. Absent where an entry was an event of its own, whose own it is. */
  readonly correlationId?: string;
}

interface EntryAlone {
  readonly envelope: PublishedEnvelope;
  readonly sourcePosition: string;
}

/**
 * Stream `outbox-<accountId>`: the webhook events of an account and its sub-accounts. The entries that were written
 * together are one event; `first` is the number of the first of them, from 1 and without gaps, and `sourcePosition`
 * that of the last. In version 1 each entry was an event: its number is its revision + 1, and `first` is null.
 */
export class EnvelopePublished extends event('EnvelopePublished', 2, {
  1: ({ envelope, sourcePosition }: EntryAlone) => ({
    first: null,
    entries: [{ envelope, sourcePosition }],
    sourcePosition,
  }),
})<{ first: number | null; entries: readonly OutboxEntry[]; sourcePosition: string }> {}

/** The entries of an event of an outbox as it was read, whichever its version. */
export const outboxEntries = (data: EnvelopePublished['data'] | EntryAlone): readonly OutboxEntry[] =>
  'entries' in data ? data.entries : [data];

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
export type DeliveryEvent =
  DeliveredAtOnce | DeliveryScheduled | DeliveryReplayed | DeliveryStarted | DeliverySucceeded | DeliveryAttemptFailed;
