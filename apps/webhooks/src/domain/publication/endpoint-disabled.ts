import type { WebhookEndpointDisabled } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import type { Publication } from './publication';
import { publishedEventId } from './publication';

const KIND = 'webhook-endpoint-disabled';

/**
 * What an account is notified of when one of its endpoints was disabled against its will: in its event log and at
 * its other
 * endpoints. Null when the account disabled it itself.
 */
export function endpointDisabled(event: Recorded<WebhookEndpointDisabled>): Publication | null {
  const { endpointId, accountId, reason, disabledAt, sequence } = event.data;
  if (sequence === undefined) return null;
  return {
    audience: accountId,
    earlier: [],
    source: event,
    envelope: {
      eventId: publishedEventId({ sourceEventId: event.id, eventType: KIND }, accountId),
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
  };
}
