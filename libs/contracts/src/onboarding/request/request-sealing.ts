import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import type { ClearIdentifier, ClearInformation, ClearKycRequest, ClearRelianceRequest } from './request-form';

/**
 * Sealing subject for data in transit to onboarding: a refused person leaves no key behind, and topics delete messages
 * within the hour. What onboarding keeps is sealed again under the person.
 */
const TRANSIT_SUBJECT = 'onboarding-transit';

/** The values that a message may carry sealed. */
export type InTransit =
  ClearKycRequest | ClearRelianceRequest | ClearInformation | ClearIdentifier | { readonly secret: string };

/** Seals a value for transit to onboarding. */
export const sealRequest = (personalData: Pick<PersonalData, 'seal'>, body: InTransit): Promise<Sealed> =>
  personalData.seal(TRANSIT_SUBJECT, JSON.stringify(body));

/** The text of a `sealRequest({ secret })`. Throws as {@link openInTransit} does. */
export const openSecret = async (personalData: Pick<PersonalData, 'open'>, sealed: Sealed): Promise<string> =>
  (await openInTransit<{ readonly secret: string }>(personalData, sealed)).secret;

/** Opens a value in onboarding. Throws `SealBroken` when it was tampered with or sealed under another subject. */
export async function openInTransit<T extends InTransit>(
  personalData: Pick<PersonalData, 'open'>,
  sealed: Sealed,
): Promise<T> {
  if (!sealed.startsWith(`sealed:v1:${TRANSIT_SUBJECT}:`))
    throw new TypeError('an account request must be encrypted under the transit subject');
  return JSON.parse(await personalData.open(sealed)) as T;
}
