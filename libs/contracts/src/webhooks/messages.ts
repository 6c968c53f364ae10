import type { Sealed } from '@ponte/event-sourcing';
import { requestsOf } from '@ponte/event-sourcing';
import type { WebhookDeliveryState } from '../state-machines';
import type { Page, PageRequest, Timestamp } from '../shared';
import type { DeliveryFailureReason } from './delivery-events';
import type { EndpointDisabledReason, EndpointFaults } from './endpoint-events';
import type { PublishedEnvelope } from './outbox-events';
import type { WebhookEventType } from './kinds';

const { command, query } = requestsOf('webhooks');

export interface WebhookEndpointRecord {
  readonly id: string;
  readonly accountId: string;
  /** With its query masked. */
  readonly url: string;
  readonly eventTypes: readonly WebhookEventType[] | null;
  /** Null where none was given. */
  readonly description: string | null;
  /** Nothing is sent to a disabled endpoint. */
  readonly status: 'enabled' | 'disabled';
  /** Null while it is enabled. */
  readonly disabledReason: EndpointDisabledReason | null;
  readonly disabledAt: Timestamp | null;
  /** Until then requests are signed with the previous secret, too; null when there is no such secret. */
  readonly previousSecretUntil: Timestamp | null;
  readonly createdAt: Timestamp;
}

/** One attempt of a delivery. */
export interface DeliveryAttemptRecord {
  /** From 1. */
  readonly attempt: number;
  /** When it ended; of one that is under way, when it began. */
  readonly at: Timestamp;
  readonly outcome: 'delivered' | DeliveryFailureReason | 'under-way';
  /** Null when no status came. */
  readonly httpStatus: number | null;
  /** From the first byte sent to the status line, in milliseconds; null when it was not kept. */
  readonly latencyMs: number | null;
  /**
   * The first 1 kB of the response, sealed under the endpoint's id, without the personal members that were sent;
   * null when it was empty or not kept.
   */
  readonly response: Sealed | null;
}

export interface WebhookDeliveryRecord {
  readonly id: string;
  readonly endpointId: string;
  readonly accountId: string;
  readonly eventId: string;
  readonly eventType: WebhookEventType;
  /** Null in what was recorded before deliveries could be listed by resource. */
  readonly resourceType: PublishedEnvelope['resourceType'] | null;
  readonly resourceId: string | null;
  readonly state: WebhookDeliveryState;
  /** Null when it has ended. */
  readonly nextAttemptAt: Timestamp | null;
  /** The delivery that this one repeats; null when it is the first of its event to this endpoint. */
  readonly replayOf: string | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttemptRecord[];
}

/** Null: any. */
export interface DeliveryFilters {
  readonly state: WebhookDeliveryState | null;
  readonly eventType: WebhookEventType | null;
  readonly resourceType: PublishedEnvelope['resourceType'] | null;
  readonly resourceId: string | null;
}

/** A replay that was accepted; it is carried out in the background. */
export interface WebhookReplayRecord {
  readonly replayId: string;
  readonly from: Timestamp;
  readonly to: Timestamp;
  readonly eventTypes: readonly WebhookEventType[] | null;
  readonly missedOnly: boolean;
  readonly requestedAt: Timestamp;
}

/** An event of an account's log. */
export interface LoggedEvent {
  /** From 1, without gaps. */
  readonly number: number;
  readonly envelope: PublishedEnvelope;
}

/**
 * `expired`: what follows `after` is older than 90 days; `firstKept` is the number of the first event that is
 * not.
 */
export type AccountEventsPage =
  | { readonly expired: true; readonly firstKept: number }
  | {
      readonly expired: false;
      readonly events: readonly LoggedEvent[];
      /** The place after the last of them. */ readonly next: number;
      readonly more: boolean;
    };

/**
 * One thing that was checked, in the order of checking. After the first that is wrong, what depends on it is
 * `skipped`.
 */
export interface SignatureCheck {
  readonly part: string;
  readonly result: 'correct' | 'wrong' | 'skipped';
  readonly message: string;
}

/** What a receiver got and how it verifies it, as sent to {@link CheckWebhookSignature}. */
export interface WebhookSignatureParts {
  /** The secret that the receiver uses. */
  readonly secret: string;
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
}

interface OfEndpoint {
  readonly accountId: string;
  readonly endpointId: string;
}

/**
 * The secret is in this answer alone. A `url` with a query, which may hold a token, comes sealed by
 * `sealRequest`. Refuses `invalid-format` (url, event-types) and `limit-exceeded` (10 endpoints).
 */
export const CreateWebhookEndpoint = command<
  {
    accountId: string;
    endpointId: string;
    url: string;
    eventTypes: readonly WebhookEventType[] | null;
    description?: string | null;
  },
  WebhookEndpointRecord & { secret: string }
>('create-endpoint', 'accountId');
/** False when the account has no such endpoint. */
export const DeleteWebhookEndpoint = command<OfEndpoint, { deleted: boolean }>('delete-endpoint', 'accountId');
/**
 * Queues a `webhook-ping` to this endpoint alone, whatever its filter. Null when the account has no such
 * endpoint. Refuses `webhook-endpoint-disabled`.
 */
export const PingWebhookEndpoint = command<OfEndpoint, { eventId: string; queuedAt: Timestamp } | null>(
  'ping-endpoint',
  'accountId',
);
export const ListWebhookEndpoints = query<{ accountId: string; page: PageRequest }, Page<WebhookEndpointRecord>>(
  'list-endpoints',
  'accountId',
);
/** Null when the account has no such endpoint; so answer all operations on one. */
export const GetWebhookEndpoint = query<OfEndpoint, WebhookEndpointRecord | null>('get-endpoint', 'accountId');
/**
 * What is null stays as it is; `eventTypes` `all` is every kind. A `url` with a query comes sealed, as of {@link
 * CreateWebhookEndpoint}. `replayMissed` goes with
 * `enabled: true`. Refuses `invalid-format` (url, event-types).
 */
export const ChangeWebhookEndpoint = command<
  OfEndpoint & {
    url: string | null;
    eventTypes: readonly WebhookEventType[] | 'all' | null;
    description: string | null;
    enabled: boolean | null;
    replayMissed: boolean;
  },
  WebhookEndpointRecord | null
>('change-endpoint', 'accountId');
/** The new secret is in this answer alone. */
export const RotateWebhookSecret = command<OfEndpoint, (WebhookEndpointRecord & { secret: string }) | null>(
  'rotate-secret',
  'accountId',
);
/** Newest first by (created-at, id). Null when the account has no such endpoint. */
export const ListWebhookDeliveries = query<
  OfEndpoint & { filters: DeliveryFilters; page: PageRequest },
  Page<WebhookDeliveryRecord> | null
>('list-deliveries', 'accountId');
/** Null when the account has no such delivery. */
export const GetWebhookDelivery = query<{ accountId: string; deliveryId: string }, WebhookDeliveryRecord | null>(
  'get-delivery',
  'accountId',
);
/**
 * A failed delivery is pending again; of one that succeeded a new delivery of the same event is made; one that
 * has not ended is left alone. Answers the delivery that
 * will be attempted, null when the account has none of this id. Refuses `webhook-endpoint-disabled`.
 */
export const ReplayWebhookDelivery = command<{ accountId: string; deliveryId: string }, WebhookDeliveryRecord | null>(
  'replay-delivery',
  'accountId',
);
/**
 * Null when the account has no such endpoint. Refuses `webhook-endpoint-disabled`, and `invalid-format` (from,
 * to) when the range is empty or longer than the log.
 */
export const ReplayWebhookEvents = command<
  OfEndpoint & { from: Timestamp; to: Timestamp; eventTypes: readonly WebhookEventType[] | null },
  WebhookReplayRecord | null
>('replay-events', 'accountId');
/** Sandbox alone. `respond500Minutes` counts from now; 0: no outage. Null when the account has no such endpoint. */
export const ChangeWebhookFaults = command<
  OfEndpoint & { faults: Omit<EndpointFaults, 'respond500Until'> & { readonly respond500Minutes: number } },
  EndpointFaults | null
>('change-faults', 'accountId');
/**
 * Sandbox alone. `parts` are {@link WebhookSignatureParts} as JSON, the `secret` of a `sealRequest`: a secret
 * stands in no message. A secret that is not one of this endpoint is never used.
 * Null when the account has no such endpoint.
 */
export const CheckWebhookSignature = query<
  OfEndpoint & { parts: Sealed },
  { checks: readonly SignatureCheck[] } | null
>('check-signature', 'accountId');
/**
 * The events of an account and of its children, in the order of its log. `after` null: from the oldest that is
 * kept; `end`: from the end on.
 */
export const ListAccountEvents = query<
  { accountId: string; after: number | 'end' | null; limit: number },
  AccountEventsPage
>('list-events', 'accountId');
