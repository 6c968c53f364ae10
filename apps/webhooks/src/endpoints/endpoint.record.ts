import type { WebhookEndpointRecord } from '@ponte/contracts';
import type { Endpoint } from './endpoints.state';
import { maskedUrl } from './target.domain';

/**
 * An endpoint as shown to its account at `now`: without its secrets, and with the query of its URL masked, since that
 * may contain a token.
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
