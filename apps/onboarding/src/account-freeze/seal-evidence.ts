import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import type { OpenedAccount } from '../account/account.state';
import { refusingErased, resealed } from '../person/seal-person';

/**
 * Evidence about a person is sealed under that person, so that it is erased with the person. A repeated request gets
 * the stored evidence, because sealing a text again gives another result.
 */
export async function sealedEvidence(
  personalData: PersonalData,
  { terms, standing: { pending } }: OpenedAccount,
  evidence: Sealed | null,
): Promise<Sealed | null> {
  const sealed = await refusingErased(resealed(personalData, terms.holderId, evidence));
  if (sealed === null || !pending?.evidence) return sealed;
  const [text, before] = await Promise.all([sealed, pending.evidence].map((one) => personalData.open(one)));
  return text === before ? pending.evidence : sealed;
}
