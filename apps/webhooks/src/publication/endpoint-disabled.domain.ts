import type { WebhookEndpointDisabled } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import type { Publication } from './publication.domain';
import { publishedEventId } from './publication.domain';

const KIND = 'webhook-endpoint-disabled';

/**
 * What an account and its parent are notified of when one of its endpoints was disabled against its will: in the event
 * logs of both, and at their other endpoints. Nothing when the account disabled it itself.
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
      eventId: publishedEventId({ sourceEventId: event.id, eventType: KIND }, audience),
      eventType: KIND,
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
