import type { Sealed } from '@ponte/event-sourcing';
import { requestsOf } from '@ponte/event-sourcing';
import type { Page, PageRequest, Timestamp } from '../shared';
import type { EndpointFaults } from './endpoint-events';
import type { WebhookEventType } from './webhook-events';
import type {
  WebhookEndpointRecord,
  DeliveryFilters,
  WebhookDeliveryRecord,
  WebhookReplayRecord,
  SignatureCheck,
  AccountEventsPage,
} from './records';

const { command, query } = requestsOf('webhooks');

interface EndpointPayload {
  readonly accountId: string;
  readonly endpointId: string;
}

/**
 * Only this reply contains the secret, sealed under the endpoint's id. A `url` with a query, which may hold a token, is
 * sealed by `sealRequest`. Refuses `invalid-format` (url, event-types) and `limit-exceeded` (10 endpoints). A repeat
 * gets the first reply for a day, later the current state; `webhook-endpoint-not-found` if the endpoint was deleted.
 */
export const CreateWebhookEndpoint = command<
  {
    accountId: string;
    endpointId: string;
    url: string;
    eventTypes: readonly WebhookEventType[] | null;
    description?: string | null;
  },
  WebhookEndpointRecord & { secret: Sealed }
>('create-endpoint', 'accountId');

/** False when the account has no such endpoint. */
export const DeleteWebhookEndpoint = command<EndpointPayload, { deleted: boolean }>('delete-endpoint', 'accountId');

/**
 * Queues a `webhook-ping` to this endpoint, whatever its filter. Null when the account has no such endpoint. Refuses
 * `webhook-endpoint-disabled`.
 */
export const PingWebhookEndpoint = command<EndpointPayload, { eventId: string; queuedAt: Timestamp } | null>(
  'ping-endpoint',
  'accountId',
);

export const ListWebhookEndpoints = query<{ accountId: string; page: PageRequest }, Page<WebhookEndpointRecord>>(
  'list-endpoints',
  'accountId',
);

/** Null when the account has no such endpoint, as for all operations on one endpoint. */
export const GetWebhookEndpoint = query<EndpointPayload, WebhookEndpointRecord | null>('get-endpoint', 'accountId');

/**
 * Null fields do not change; `eventTypes` `all` means every type. A `url` with a query is sealed as in {@link
 * CreateWebhookEndpoint}. `replayMissed` requires `enabled: true`. Refuses `invalid-format` (url, event-types).
 */
export const ChangeWebhookEndpoint = command<
  EndpointPayload & {
    url: string | null;
    eventTypes: readonly WebhookEventType[] | 'all' | null;
    description: string | null;
    enabled: boolean | null;
    replayMissed: boolean;
  },
  WebhookEndpointRecord | null
>('change-endpoint', 'accountId');

/** Only this reply contains the new secret, sealed under the endpoint's id. */
export const RotateWebhookSecret = command<EndpointPayload, (WebhookEndpointRecord & { secret: Sealed }) | null>(
  'rotate-secret',
  'accountId',
);

/** Newest first by (created-at, id). Null when the account has no such endpoint. */
export const ListWebhookDeliveries = query<
  EndpointPayload & { filters: DeliveryFilters; page: PageRequest },
  Page<WebhookDeliveryRecord> | null
>('list-deliveries', 'accountId');

/** Null when the account has no such delivery. */
export const GetWebhookDelivery = query<{ accountId: string; deliveryId: string }, WebhookDeliveryRecord | null>(
  'get-delivery',
  'accountId',
);

/**
 * Makes a failed delivery pending again, creates a new delivery for a successful one, and leaves an open one unchanged.
 * Returns the delivery that will be attempted, null when the account has no such delivery. Refuses
 * `webhook-endpoint-disabled`.
 */
export const ReplayWebhookDelivery = command<{ accountId: string; deliveryId: string }, WebhookDeliveryRecord | null>(
  'replay-delivery',
  'accountId',
);

/**
 * Null when the account has no such endpoint. Refuses `webhook-endpoint-disabled`, and `invalid-format` (from, to) when
 * the range is empty, begins in the future or begins before the log.
 */
export const ReplayWebhookEvents = command<
  EndpointPayload & { from: Timestamp; to: Timestamp; eventTypes: readonly WebhookEventType[] | null },
  WebhookReplayRecord | null
>('replay-events', 'accountId');

/** Sandbox only. `respond500Minutes` counts from now; 0 means no outage. Null when the account has no such endpoint. */
export const ChangeWebhookFaults = command<
  EndpointPayload & { faults: Omit<EndpointFaults, 'respond500Until'> & { readonly respond500Minutes: number } },
  EndpointFaults | null
>('change-faults', 'accountId');

/**
 * Sandbox only. `parts` are {@link WebhookSignatureParts} as JSON, sealed as the `secret` of a `sealRequest`, because
 * no message may contain a secret. A secret of another endpoint is never used. Null when the account has no such
 * endpoint.
 */
export const CheckWebhookSignature = query<
  EndpointPayload & { parts: Sealed },
  { checks: readonly SignatureCheck[] } | null
>('check-signature', 'accountId');

/**
 * The events of an account and its sub-accounts, in the order of its event log. `after` null: from the oldest kept
 * event; `end`: no events, only the number of the last one.
 */
export const ListAccountEvents = query<
  { accountId: string; after: number | 'end' | null; limit: number },
  AccountEventsPage
>('list-events', 'accountId');
