import type { PublishedEnvelope, WebhookEndpointPinged } from '@ponte/contracts';

/** The resource of a ping is the endpoint, so its sequence counts the events about the endpoint. */
export const pingEnvelope = ({
  endpointId,
  accountId,
  eventId,
  sequence,
  pingedAt,
}: WebhookEndpointPinged['data']): PublishedEnvelope => ({
  eventId,
  eventType: 'webhook-ping',
  accountId,
  resourceType: 'webhook-endpoint',
  resourceId: endpointId,
  sequence,
  previousState: null,
  occurredAt: pingedAt,
  apiVersion: 'v1',
  payload: { 'webhook-endpoint-id': endpointId, 'account-id': accountId, 'pinged-at': pingedAt },
});
