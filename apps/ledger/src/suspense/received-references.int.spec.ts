import {
  ConfirmSuspenseSettlement,
  DepositCreated,
  ProposeSuspenseSettlement,
  sealSettlementNote,
} from '@ponte/contracts';
import { eventId } from '@ponte/event-sourcing';
import { Refusal } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { depositIdOf } from '../deposit/deposit.state';
import { factsOf } from '../deposit/deposit.testing';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { STRANGER_CPF } from '../testing/ledger-under-test';
import { paymentIdOf } from '../withdrawal/withdrawal.state';

const ledger = ledgerForEachTest();
beforeEach(() => ledger.fund('1000.00'));

const ticksUntil = <T>(work: () => Promise<T>): Promise<T> =>
  eventually(async () => {
    await ledger.tick();
    return work();
  });
/** The id of a deposit whose return the bank refused permanently, and that of its payment. */
async function failed(): Promise<{ readonly depositId: string; readonly endToEndId: string }> {
  ledger.bank.misbehaviour.returns = 'not-carried-out';
  const { endToEndId } = await ledger.pay(await ledger.fundingCode(), '8.00', STRANGER_CPF);
  const depositId = depositIdOf(endToEndId);
  await ticksUntil(async () => expect(await ledger.types(`deposit-${depositId}`)).toContain('SuspensePosted'));
  ledger.bank.misbehaviour.returns = 'prompt';
  return { depositId, endToEndId };
}
/** Does not move the clock on. */
const completed = (withdrawalId: string): Promise<string> =>
  eventually(async () => {
    const withdrawal = await ledger.withdrawal(withdrawalId);
    if (withdrawal?.state !== 'completed' || withdrawal.endToEndId === null)
      throw new Error(`the withdrawal is ${withdrawal?.state}`);
    return withdrawal.endToEndId;
  });
const code = (response: Promise<unknown>) =>
  response.then(
    () => 'not refused',
    (error: unknown) => (error instanceof Refusal ? error.code : Promise.reject(error as Error)),
  );
const propose = async (depositId: string, bankReference: string) => {
  const note = await sealSettlementNote(ledger.engines.personalData, 'Ticket 4711');
  return ledger.ask(ProposeSuspenseSettlement, { depositId, bankReference, note, staffId: 'first' });
};
const confirm = (depositId: string) =>
  ledger.ask(ConfirmSuspenseSettlement, { depositId, proposal: 1, staffId: 'second' });
/** Records a TED that Ponte received. */
async function received(controlNumber: string): Promise<void> {
  const { type, data } = new DepositCreated(factsOf(controlNumber, '7.00', { type: 'ted' }));
  const { depositId, createdAt } = data;
  const meta = { commandId: depositId, index: 0, count: 1, occurredAt: createdAt, correlationId: depositId };
  await ledger.store.append(`deposit-${depositId}`, -1, [{ id: eventId(depositId, 0), type, version: 1, data, meta }]);
}

describe('A bank reference of a payment that Ponte', () => {
  it('received settles nothing, in any case of its letters', async () => {
    const { depositId, endToEndId } = await failed();
    const { id } = await ledger.withdraw('10.00', { pixKey: STRANGER_CPF });
    await completed(id);
    const cameBack = ledger.payouts.returnPayment(paymentIdOf(id));
    await ticksUntil(async () => expect(await ledger.types(`deposit-${depositIdOf(cameBack)}`)).not.toEqual([]));
    for (const reference of [endToEndId, cameBack].flatMap((id) => [id.toLowerCase(), id.toUpperCase()]))
      expect([reference, await code(propose(depositId, reference))]).toEqual([reference, 'bank-reference-booked']);
  });

  it('received after the settlement was proposed does not settle it either, with any leading zeros', async () => {
    const { depositId } = await failed();
    expect(await code(propose(depositId, '47110815'))).toBe('not refused');
    await received('00000047110815');
    const { depositId: other } = await failed();
    for (const reference of ['00000047110815', '00047110815', '47110815'])
      await eventually(async () => expect(await code(propose(other, reference))).toBe('bank-reference-booked'));
    expect(await code(confirm(depositId))).toBe('bank-reference-booked');
    expect(await code(propose(other, '471108150'))).toBe('not refused');
  });
});
