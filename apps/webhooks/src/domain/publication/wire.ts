import type { PublishedEnvelope } from '@ponte/contracts';

/** The body of the request, as contract §12 lists it. `payload` has its personal members opened. */
export const wireBody = (envelope: PublishedEnvelope, payload: PublishedEnvelope['payload']): string =>
  JSON.stringify({
    'event-id': envelope.eventId,
    'event-type': envelope.eventType,
    payload,
    'account-id': envelope.accountId,
    'resource-type': envelope.resourceType,
    'resource-id': envelope.resourceId,
    sequence: envelope.sequence,
    'previous-state': envelope.previousState,
    'occurred-at': envelope.occurredAt,
    'api-version': envelope.apiVersion,
  });
