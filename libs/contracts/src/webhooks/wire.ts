import type { PersonalData } from '@ponte/event-sourcing';
import { ERASED, isSealed } from '@ponte/event-sourcing';
import { maskTaxId } from '@ponte/kernel';
import type { PublishedEnvelope } from './outbox-events';

/**
 * The members of an event as sent to receivers and shown in the event log. `payload` contains its personal members in
 * clear.
 */
export const wireEvent = (envelope: PublishedEnvelope, payload: PublishedEnvelope['payload']) => ({
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

/** The body of the request that delivers an event. */
export const wireBody = (envelope: PublishedEnvelope, payload: PublishedEnvelope['payload']): string =>
  JSON.stringify(wireEvent(envelope, payload));

/**
 * A personal member as shown to its receiver. In a voided deposit it is masked, since the sender may be an unrelated
 * person.
 */
export const shown = ({ eventType }: Pick<PublishedEnvelope, 'eventType'>, clear: string): string =>
  eventType === 'deposit-voided' && clear !== ERASED ? maskTaxId(clear) : clear;

/**
 * A payload with its personal members opened, and their clear texts. Members of an erased person become `[erased]`.
 * Throws `SealBroken`.
 */
export async function openedPayload(
  envelope: PublishedEnvelope,
  personalData: Pick<PersonalData, 'open'>,
): Promise<{ readonly payload: PublishedEnvelope['payload']; readonly personal: readonly string[] }> {
  const { payload } = envelope;
  if (!Object.values(payload).some(isSealed)) return { payload, personal: [] };
  const personal: string[] = [];
  const members = Object.entries(payload).map(async ([name, value]) => {
    if (!isSealed(value)) return [name, value] as const;
    const clear = await personalData.open(value);
    if (clear !== ERASED) personal.push(clear);
    return [name, shown(envelope, clear)] as const;
  });
  return { payload: Object.fromEntries(await Promise.all(members)), personal };
}
