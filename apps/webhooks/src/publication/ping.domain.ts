import type { PublishedEnvelope, WebhookEndpointPinged } from '@ponte/contracts';

/**
 * The pings of an endpoint are a resource of their own, with their own sequence: they are in no event log, where they
 * would otherwise be missing among the events about the endpoint.
 */
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
  resourceType: 'webhook-ping',
  resourceId: endpointId,
  sequence,
  previousState: null,
  occurredAt: pingedAt,
  apiVersion: 'v1',
  payload: { 'webhook-endpoint-id': endpointId, 'account-id': accountId, 'pinged-at': pingedAt },
});
