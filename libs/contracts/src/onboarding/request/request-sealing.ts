import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import type { ClearIdentifier, ClearInformation, ClearKycRequest, ClearRelianceRequest } from './request-form';

/**
 * Subject of what travels to onboarding and is not kept there: a refused person leaves no key behind, and topics forget
 * within the hour. Whatever stays is sealed again, under the person.
 */
export const TRANSIT_SUBJECT = 'onboarding-transit';

/**
 * `ClearKycRequest`, `ClearRelianceRequest`, `ClearInformation`, `ClearIdentifier` or a secret text as a message may
 * carry it.
 */
export type InTransit =
  ClearKycRequest | ClearRelianceRequest | ClearInformation | ClearIdentifier | { readonly secret: string };

/** The edge seals the body as it read it. */
export const sealRequest = (personalData: Pick<PersonalData, 'seal'>, body: InTransit): Promise<Sealed> =>
  personalData.seal(TRANSIT_SUBJECT, JSON.stringify(body));

/** The text of a `sealRequest({ secret })`. Throws as {@link openInTransit} does. */
export const openSecret = async (personalData: Pick<PersonalData, 'open'>, sealed: Sealed): Promise<string> =>
  (await openInTransit<{ readonly secret: string }>(personalData, sealed)).secret;

/** Onboarding reads it. Throws `SealBroken` when it was tampered with or sealed under another subject. */
export async function openInTransit<T extends InTransit>(
  personalData: Pick<PersonalData, 'open'>,
  sealed: Sealed,
): Promise<T> {
  if (!sealed.startsWith(`sealed:v1:${TRANSIT_SUBJECT}:`))
    throw new TypeError('an account request must be encrypted under the transit subject');
  return JSON.parse(await personalData.open(sealed)) as T;
}
