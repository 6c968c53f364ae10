import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { ERASED } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { sealedUnder } from '../../person/sealed-under';
import type { Payer } from '../pix-charges.port';

/**
 * Seals a payer for the bank's books: under the person's subject, or under that of the payment if the person has been
 * erased or has no tax id.
 */
export async function sealPayer(
  personalData: Pick<PersonalData, 'seal' | 'fingerprint'>,
  payer: Payer,
  reference: string,
): Promise<Sealed> {
  const own = derivedId('person', `unknown:${reference}`);
  const person = payer.taxId === null ? own : derivedId('person', personalData.fingerprint('tax-id', payer.taxId));
  return sealedUnder(person, own, (subject) => personalData.seal(subject, JSON.stringify(payer)));
}

/** Replaces a payer who has been erased. */
const NO_PAYER: Payer = {
  taxId: null,
  legalName: '',
  bankCode: '',
  branchCode: '',
  accountNumber: '',
  accountType: '',
};

/** The payer that {@link sealPayer} sealed; without a name and tax id if the person has been erased. */
export async function openPayer(personalData: Pick<PersonalData, 'open'>, sealed: string): Promise<Payer> {
  const text = await personalData.open(sealed as Sealed);
  return text === ERASED ? NO_PAYER : (JSON.parse(text) as Payer);
}
