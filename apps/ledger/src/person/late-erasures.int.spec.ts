import type { DepositCreated, WithdrawalCreated } from '@ponte/contracts';
import { holderIdOf, isBankCoordinates } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { ERASED } from '@ponte/event-sourcing';
import { compactId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT, HOLDER_CPF, STRANGER_CPF } from '../testing/ledger-under-test';

const ledger = ledgerForEachTest();

const TED = { bankCode: '756', branchNumber: '1', accountNumber: '123456-7', accountHolderName: 'Ana Duarte' };
const data = () => ledger.engines.personalData;
const subjectOf = (taxId: string) => holderIdOf(data().fingerprint('tax-id', taxId));

async function recorded<E>(prefix: string): Promise<E> {
  const [event] = await eventually(async () => {
    await ledger.tick();
    const creations = (await ledger.events(prefix)).filter(({ type }) => type.endsWith('Created'));
    expect(creations).not.toEqual([]);
    return creations;
  });
  return event?.data as unknown as E;
}

async function payerOf(): Promise<Sealed> {
  const { coordinates } = await recorded<DepositCreated['data']>('deposit-');
  if (!isBankCoordinates(coordinates)) throw new TypeError('the deposit names no payer');
  return coordinates.sourceLegalName;
}

async function payeeOf(): Promise<Sealed> {
  const { target } = await recorded<WithdrawalCreated['data']>('withdrawal-');
  if (target.method === 'token') throw new TypeError('the withdrawal names no payee');
  return target.payee.legalName;
}

const paysByPix = async (taxId: string) => {
  await ledger.pay(await ledger.fundingCode(), '8.00', taxId);
  return payerOf();
};
const paysCharge = async (taxId: string) => {
  await ledger.pay((await (await ledger.charge('order')).open()).brcode, '50.00', taxId);
  return payerOf();
};
const paysByTed = async (taxId: string) => {
  const payer = { ...ledger.bank.invent(taxId, null), legalName: 'Ana Duarte' };
  await ledger.teds.pay({ reference: 'r', identifier: compactId(ACCOUNT), amount: '8.00', payer });
  return payerOf();
};
const isPaidByPix = async (taxId: string) => {
  await ledger.fund('10.00');
  await ledger.withdraw('10.00', { pixKey: taxId });
  return payeeOf();
};
const isPaidByTed = async (taxId: string) => {
  await ledger.fund('10.00');
  await ledger.withdraw('10.00', { ...TED, accountHolderTaxId: taxId }, { method: 'ted' });
  return payeeOf();
};
const PAYMENTS = [
  ['pays by Pix', paysByPix],
  ['pays a charge', paysCharge],
  ['pays by TED', paysByTed],
  ['is paid by Pix', isPaidByPix],
  ['is paid by TED', isPaidByTed],
] as const;

describe('The erasure of older data of a person who', () => {
  // The payment is noted in the person's stream a moment later, so an erasure in between does not know of it.
  it.each(PAYMENTS)('%s does not destroy the data of this payment', async (_, happens) => {
    const name = await happens(STRANGER_CPF);
    await data().erase(subjectOf(STRANGER_CPF));
    expect(await data().open(name)).not.toBe(ERASED);
  });

  it.each(PAYMENTS)('%s destroys it if it is that of the open account', async (_, happens) => {
    const name = await happens(HOLDER_CPF);
    await data().erase(subjectOf(HOLDER_CPF));
    expect(await data().open(name)).toBe(ERASED);
  });

  it.each([
    ['pays by Pix', paysByPix],
    ['pays by TED', paysByTed],
  ])('%s into a closed account does not destroy it', async (_, happens) => {
    ledger.status.set(ACCOUNT, 'closed');
    const name = await happens(HOLDER_CPF);
    await data().erase(subjectOf(HOLDER_CPF));
    expect(await data().open(name)).not.toBe(ERASED);
  });
});
