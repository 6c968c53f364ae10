import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { ERASED, isSealed, openIfReadable, UNAVAILABLE } from '@ponte/event-sourcing';
import { maskTaxId, toWire, toWireIfSet } from '@ponte/kernel';
import { isSealedFor, otherPayeeIdOf } from '../onboarding/sealing';
import type { PublishedEnvelope } from './outbox-events';

/**
 * The fields of an event as sent to receivers and shown in the event log. `payload` contains its personal fields in
 * clear.
 */
export const wireEvent = (envelope: PublishedEnvelope, payload: PublishedEnvelope['payload']) => ({
  ...toWire(envelope, 'eventId', 'eventType'),
  payload,
  ...toWire(envelope, 'accountId', 'resourceType', 'resourceId', 'sequence'),
  ...toWireIfSet(envelope, 'previousState'),
  ...toWire(envelope, 'occurredAt', 'apiVersion'),
});

/** The body of the request that delivers an event. */
export const wireBody = (envelope: PublishedEnvelope, payload: PublishedEnvelope['payload']): string =>
  JSON.stringify(wireEvent(envelope, payload));

/** The parts of an event that decide what its receivers see. */
type Published = Pick<PublishedEnvelope, 'eventType' | 'payload'>;

const MASKED = '***';

/**
 * The fields that publishers seal. Only these are opened: any other field may be the text of a caller, such as an
 * `external-id`, and a caller who knows a ciphertext must not receive its clear text.
 */
const PERSONAL_FIELDS: ReadonlySet<string> = new Set(
  ['source', 'target'].flatMap((side) =>
    ['legal-name', 'tax-id', 'branch-code', 'account-number'].map((field) => `${side}-${field}`),
  ),
);

/** Whether the field has to be opened. A masked one, or one without a value, does not. */
const isPersonal = (name: string, value: unknown): value is Sealed => PERSONAL_FIELDS.has(name) && isSealed(value);

/** Whether the field is data of a payee who is not the holder of the account. */
const isOtherPayees = (withdrawalId: unknown, value: Sealed): boolean =>
  typeof withdrawalId === 'string' && isSealedFor(otherPayeeIdOf(withdrawalId), value);

/**
 * Whether the field belongs to a person about whom the account may not learn it: the sender of a voided deposit, the
 * payee of a withdrawal that the bank returned, and the tax id of the owner of a Pix key. The tax id of a TED is from
 * the account itself.
 */
function isHidden({ eventType, payload }: Published, name: string, value: Sealed): boolean {
  switch (eventType) {
    case 'deposit-voided':
      return true;
    case 'deposit-processed':
      return isOtherPayees(payload['withdrawal-id'], value);
    case 'withdraw-completed':
      return name === 'target-tax-id' && payload['method'] === 'pix' && isOtherPayees(payload['withdraw-id'], value);
    default:
      return false;
  }
}

const masked = (name: string, clear: string): string => (name.endsWith('-tax-id') ? maskTaxId(clear) : MASKED);

/**
 * A payload with its personal fields opened or masked, and their clear texts. Fields of an erased person become
 * `[erased]`; those that cannot be decrypted become `[unavailable]` and are named in `unreadable`, which the caller
 * must report. One person's data must not keep an account from the event, nor from those after it. Throws when the keys
 * cannot be read now.
 */
export async function openedPayload(
  envelope: Published,
  personalData: Pick<PersonalData, 'open'>,
): Promise<{
  readonly payload: PublishedEnvelope['payload'];
  readonly personal: readonly string[];
  readonly unreadable: readonly string[];
}> {
  const { payload } = envelope;
  const [personal, unreadable]: [string[], string[]] = [[], []];
  if (!Object.entries(payload).some(([name, value]) => isPersonal(name, value)))
    return { payload, personal, unreadable };
  const fields = Object.entries(payload).map(async ([name, value]) => {
    if (!isPersonal(name, value)) return [name, value] as const;
    const clear = await openIfReadable(personalData, value);
    if (clear === undefined) {
      unreadable.push(name);
      return [name, UNAVAILABLE] as const;
    }
    if (clear !== ERASED) personal.push(clear);
    const shown = clear === ERASED || !isHidden(envelope, name, value) ? clear : masked(name, clear);
    return [name, shown] as const;
  });
  return { payload: Object.fromEntries(await Promise.all(fields)), personal, unreadable };
}
