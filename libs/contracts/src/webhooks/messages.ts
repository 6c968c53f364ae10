import type { Sealed } from '@ponte/event-sourcing';
import { requestsOf } from '@ponte/event-sourcing';
import type { Page, PageRequest, Timestamp } from '../shared';
import type { EndpointFaults } from './endpoint-events';
import type { WebhookEventType } from './kinds';
import type {
  WebhookEndpointRecord,
  DeliveryFilters,
  WebhookDeliveryRecord,
  WebhookReplayRecord,
  SignatureCheck,
  AccountEventsPage,
} from './records';

const { command, query } = requestsOf('webhooks');

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
