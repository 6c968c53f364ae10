import { command, query } from '@ponte/event-sourcing';
import type { Page, PageRequest, Timestamp } from '../shared';
import type { EndpointDisabledReason, WebhookEventType } from './events';

export interface WebhookEndpointRecord {
  readonly id: string;
  readonly accountId: string;
  /** With its query masked. */
  readonly url: string;
  readonly eventTypes: readonly WebhookEventType[] | null;
  /** A disabled endpoint gets nothing but pings. */
  readonly status: 'enabled' | 'disabled';
  /** Null while it is enabled. */
  readonly disabledReason: EndpointDisabledReason | null;
  readonly createdAt: Timestamp;
}

const byAccount = (payload: { accountId: string }) => payload.accountId;

/**
 * The secret is in this answer alone. A `url` with a query, which may hold a token, comes sealed by `sealRequest`. Refuses `invalid-format` (url, event-types) and `limit-exceeded` (10 endpoints).
 */
export const CreateWebhookEndpoint = command<
  { accountId: string; endpointId: string; url: string; eventTypes: readonly WebhookEventType[] | null },
  WebhookEndpointRecord & { secret: string }
>('webhooks', 'create-endpoint', byAccount);
/** False when the account has no such endpoint. */
export const DeleteWebhookEndpoint = command<{ accountId: string; endpointId: string }, { deleted: boolean }>('webhooks', 'delete-endpoint', byAccount);
/** Queues a `webhook-ping` to this endpoint alone, whatever its filter, also when it is disabled; null when the account has no such endpoint. */
export const PingWebhookEndpoint = command<{ accountId: string; endpointId: string }, { eventId: string; queuedAt: Timestamp } | null>('webhooks', 'ping-endpoint', byAccount);
export const ListWebhookEndpoints = query<{ accountId: string; page: PageRequest }, Page<WebhookEndpointRecord>>('webhooks', 'list-endpoints', byAccount);
