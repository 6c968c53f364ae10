import type { PublishedEnvelope } from '@ponte/contracts';
import { ERASED } from '@ponte/event-sourcing';
import { maskTaxId } from '@ponte/kernel';

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
    ...(envelope.previousState === null ? {} : { 'previous-state': envelope.previousState }),
    'occurred-at': envelope.occurredAt,
    'api-version': envelope.apiVersion,
  });

/** A personal member as its receiver may see it: of a payment that was not taken the sender may be anybody, and is masked. */
export const shown = ({ eventType }: Pick<PublishedEnvelope, 'eventType'>, clear: string): string =>
  eventType === 'deposit-voided' && clear !== ERASED ? maskTaxId(clear) : clear;
