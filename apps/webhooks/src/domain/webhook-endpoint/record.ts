import type { WebhookEndpointRecord } from '@ponte/contracts';
import type { Endpoint } from './endpoints';

/** An endpoint as its owner may see it: without the secret. */
export const endpointRecord = (endpoint: Endpoint): WebhookEndpointRecord => ({
  id: endpoint.endpointId,
  accountId: endpoint.accountId,
  url: endpoint.url,
  eventTypes: endpoint.eventTypes,
  status: endpoint.status,
  disabledReason: endpoint.status === 'disabled' ? endpoint.reason : null,
  createdAt: endpoint.createdAt,
});
