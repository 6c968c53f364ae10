import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { SubjectErased } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import type { Payer } from '../pix-charges.port';

/**
 * As the bank's books keep a payer: under the person's subject, or under that of the payment when the person was erased
 * or is not named.
 */
export async function sealedPayer(
  personalData: Pick<PersonalData, 'seal' | 'fingerprint'>,
  payer: Payer,
  reference: string,
): Promise<Sealed> {
  const text = JSON.stringify(payer);
  const unknownPayer = derivedId('person', `unknown:${reference}`);
  try {
    return await personalData.seal(
      payer.taxId === null ? unknownPayer : derivedId('person', personalData.fingerprint('tax-id', payer.taxId)),
      text,
    );
  } catch (error) {
    if (error instanceof SubjectErased) return personalData.seal(unknownPayer, text);
    throw error;
  }
}
