import {
  GetFailedReturn,
  ListFailedReturns,
  ProposeSuspenseSettlement,
  holderIdOf,
  sealSettlementNote,
  unidentifiedPayerIdOf,
} from '@ponte/contracts';
import { ERASED } from '@ponte/event-sourcing';
import { eventually } from '@ponte/testing';
import { depositIdOf } from '../deposit/deposit.state';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { STRANGER_CPF } from '../testing/ledger-under-test';

const ledger = ledgerForEachTest();

const NOTE = 'Paid to the new account of Ana Secret';
const data = () => ledger.engines.personalData;
/** The payer as a person. */
const payer = () => holderIdOf(data().fingerprint('tax-id', STRANGER_CPF));
/** The subject of what the deposit says about the payer. */
const subjectOf = (depositId: string) => unidentifiedPayerIdOf(depositId);
async function failed(): Promise<string> {
  ledger.bank.misbehaviour.returns = 'not-carried-out';
  const depositId = depositIdOf((await ledger.pay(await ledger.fundingCode(), '8.00', STRANGER_CPF)).endToEndId);
  await eventually(async () => {
    await ledger.tick();
    expect(await ledger.types(`deposit-${depositId}`)).toContain('SuspensePosted');
  });
  return depositId;
}
const propose = async (depositId: string, text = NOTE) => {
  const note = await sealSettlementNote(data(), text);
  return ledger.ask(ProposeSuspenseSettlement, { depositId, bankReference: 'E1', note, staffId: 'first' });
};
const stored = async () => {
  const page = { limit: 10, cursor: null, createdFrom: null, createdTo: null };
  const { items } = await ledger.ask(ListFailedReturns, { filters: { status: null, cause: null }, page });
  return items[0]?.settlement?.note ?? 'sealed:v1:missing';
};

describe('The note of a settlement', () => {
  it("is encrypted with the key of the payer's data, and is erased with it", async () => {
    const depositId = await failed();
    await propose(depositId);
    expect(JSON.stringify([await ledger.events(), ledger.lines])).not.toContain('Secret');
    expect([
      (await stored()).startsWith(`sealed:v1:${subjectOf(depositId)}:`),
      await data().open(await stored()),
    ]).toEqual([...[true, NOTE]]);
    await data().erase(subjectOf(depositId));
    expect(await data().open(await stored())).toBe(ERASED);
  });

  it('may be repeated, and differs from another note', async () => {
    const depositId = await failed();
    await propose(depositId);
    await propose(depositId);
    const proposals = (await ledger.types(`deposit-${depositId}`)).filter((type) => type.endsWith('Proposed'));
    expect(proposals).toHaveLength(1);
    await expect(propose(depositId, 'another')).rejects.toMatchObject({ code: 'settlement-pending' });
  });

  it('is accepted for a payer who was erased before, under a key of its own, and names the payer', async () => {
    const depositId = await failed();
    await data().erase(payer());
    await data().erase(subjectOf(depositId));
    await propose(depositId);
    expect(await data().open(await stored())).toBe(NOTE);
    const proposed = (await ledger.events()).find(({ type }) => type === 'SuspenseSettlementProposed');
    expect(proposed?.data).toMatchObject({ payerId: payer() });
    const failedReturn = await ledger.ask(GetFailedReturn, { depositId });
    expect(failedReturn).toMatchObject({ payerId: payer(), failedReturn: { settlement: { note: await stored() } } });
  });

  it('is found with its deposit and the payer, but not for a deposit that is not in suspense', async () => {
    const depositId = await failed();
    await propose(depositId);
    const failedReturn = await ledger.ask(GetFailedReturn, { depositId });
    expect(failedReturn).toMatchObject({ payerId: payer(), failedReturn: { depositId, status: 'proposed' } });
    expect(failedReturn?.failedReturn.settlement?.note).toBe(await stored());
    const { endToEndId } = await ledger.pay(await ledger.fundingCode(), '8.00');
    await eventually(async () => expect(await ledger.types(`deposit-${depositIdOf(endToEndId)}`)).not.toEqual([]));
    expect(await ledger.ask(GetFailedReturn, { depositId: depositIdOf(endToEndId) })).toBeNull();
    expect(await ledger.ask(GetFailedReturn, { depositId: 'another' })).toBeNull();
  });

  it('is refused in clear and under another key', async () => {
    const depositId = await failed();
    const note = await data().seal('another', NOTE);
    await expect(
      ledger.ask(ProposeSuspenseSettlement, { depositId, bankReference: 'E1', note, staffId: 'first' }),
    ).rejects.toThrow();
    expect(await ledger.types(`deposit-${depositId}`)).not.toContain('SuspenseSettlementProposed');
  });
});
