import { DepositCreated } from '@ponte/contracts';
import { eventId } from '@ponte/event-sourcing';
import { eventually } from '@ponte/testing';
import { depositIdOf } from '../deposit/deposit.state';
import { factsOf } from '../deposit/deposit.testing';
import { codeOf, SettlementProposals } from './testing/settlement-proposals';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { STRANGER_CPF } from '../testing/ledger-under-test';
import { paymentIdOf } from '../withdrawal/withdrawal.state';

const ledger = ledgerForEachTest();
const proposals = new SettlementProposals(ledger);
beforeEach(() => ledger.fund('1000.00'));

/** Records a TED that Ponte received. */
async function received(controlNumber: string): Promise<void> {
  const { type, data } = new DepositCreated(factsOf(controlNumber, '7.00', { type: 'ted' }));
  const { depositId, createdAt } = data;
  const meta = { commandId: depositId, index: 0, count: 1, occurredAt: createdAt, correlationId: depositId };
  await ledger.store.append(`deposit-${depositId}`, -1, [{ id: eventId(depositId, 0), type, version: 1, data, meta }]);
}

describe('A bank reference of a payment that Ponte', () => {
  it('received settles nothing, in any case of its letters', async () => {
    const { depositId, endToEndId } = await proposals.failed();
    const { id } = await ledger.withdraw('10.00', { pixKey: STRANGER_CPF });
    await proposals.completed(id);
    const cameBack = ledger.payouts.returnPayment(paymentIdOf(id));
    await proposals.ticksUntil(async () =>
      expect(await ledger.types(`deposit-${depositIdOf(cameBack)}`)).not.toEqual([]),
    );
    for (const reference of [endToEndId, cameBack].flatMap((id) => [id.toLowerCase(), id.toUpperCase()]))
      expect([reference, await codeOf(proposals.propose(depositId, reference))]).toEqual([
        reference,
        'bank-reference-booked',
      ]);
  });

  it('received after the settlement was proposed does not settle it either, with any leading zeros', async () => {
    const { depositId } = await proposals.failed();
    expect(await codeOf(proposals.propose(depositId, '47110815'))).toBe('not refused');
    await received('00000047110815');
    const { depositId: other } = await proposals.failed();
    for (const reference of ['00000047110815', '00047110815', '47110815'])
      await eventually(async () =>
        expect(await codeOf(proposals.propose(other, reference))).toBe('bank-reference-booked'),
      );
    expect(await codeOf(proposals.confirm(depositId))).toBe('bank-reference-booked');
    expect(await codeOf(proposals.propose(other, '471108150'))).toBe('not refused');
  });
});
