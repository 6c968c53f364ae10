import type { WebhookEndpointRecord } from '@ponte/contracts';
import type { Endpoint } from './endpoints.state';
import { maskedUrl } from './target.domain';

/**
 * An endpoint as its owner may see it at `now`: without the secrets and without the query of its URL, which may hold a
 * token.
 */
export const endpointRecord = (endpoint: Endpoint, now: string): WebhookEndpointRecord => ({
  id: endpoint.endpointId,
  accountId: endpoint.accountId,
  url: maskedUrl(endpoint.url),
  eventTypes: endpoint.eventTypes,
  description: endpoint.description,
  status: endpoint.status,
  disabledReason: endpoint.status === 'disabled' ? endpoint.reason : null,
  disabledAt: endpoint.status === 'disabled' ? endpoint.disabledAt : null,
  previousSecretUntil:
    endpoint.previousSecret && endpoint.previousSecret.until > now ? endpoint.previousSecret.until : null,
  createdAt: endpoint.createdAt,
});
