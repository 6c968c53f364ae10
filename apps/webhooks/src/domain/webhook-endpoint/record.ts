import type { WebhookEndpointRecord } from '@ponte/contracts';
import type { Endpoint } from './endpoints';
import { maskedUrl } from './target.policy';

/** An endpoint as its owner may see it: without the secret and without the query of its URL, which may hold a token. */
export const endpointRecord = (endpoint: Endpoint): WebhookEndpointRecord => ({
  id: endpoint.endpointId,
  accountId: endpoint.accountId,
  url: maskedUrl(endpoint.url),
  eventTypes: endpoint.eventTypes,
  status: endpoint.status,
  disabledReason: endpoint.status === 'disabled' ? endpoint.reason : null,
  createdAt: endpoint.createdAt,
});
