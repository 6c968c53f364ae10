import type { WebhookEndpointDisabled } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import type { Publication } from './publication.domain';
import { publishedEventId } from './publication.domain';

const EVENT_TYPE = 'webhook-endpoint-disabled';

/**
 * Notifies an account and its parent that Ponte disabled an endpoint: in both event logs and at their other endpoints.
 * Nothing is published when the account itself disabled the endpoint.
 */
export function endpointDisabled(event: Recorded<WebhookEndpointDisabled>): Publication[] {
  const { endpointId, accountId, parentId, reason, disabledAt, sequence } = event.data;
  if (sequence === undefined) return [];
  const audiences = parentId === undefined ? [accountId] : [accountId, parentId];
  return audiences.map((audience) => ({
    audience,
    earlier: [],
    source: event,
    envelope: {
      eventId: publishedEventId({ sourceEventId: event.id, eventType: EVENT_TYPE }, audience),
      eventType: EVENT_TYPE,
      accountId,
      resourceType: 'webhook-endpoint',
      resourceId: endpointId,
      sequence,
      previousState: 'enabled',
      occurredAt: disabledAt,
      apiVersion: 'v1',
      payload: { 'webhook-endpoint-id': endpointId, 'account-id': accountId, reason, 'disabled-at': disabledAt },
    },
  }));
}
