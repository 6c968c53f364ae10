import { isoTime } from '@ponte/kernel';
import { depositIdOf, returnIdOf } from '../deposit/deposit.state';
import type { Payout } from '../payouts/payouts.port';
import { pixIdOf } from '../simulated-bank/bank-file';
import { TakeBackDepositCommand } from '../take-back/take-back-deposit.command';
import { codeOf, SettlementProposals } from './testing/settlement-proposals';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { STRANGER_CPF } from '../testing/ledger-under-test';
import { paymentIdOf } from '../withdrawal/withdrawal.state';

const ledger = ledgerForEachTest();
const proposals = new SettlementProposals(ledger);
beforeEach(() => ledger.fund('1000.00'));

/** The payment id that the bank gives to a withdrawal that it pays in this minute. */
const predicted = (withdrawalId: string): string =>
  pixIdOf('E', '12345678', isoTime(ledger.now), 'payout', 'E', paymentIdOf(withdrawalId));
const contradicted = async (reason: string) =>
  (await ledger.engines.metrics.registry.getSingleMetric('ponte_settlements_contradicted_total')?.get())?.values.find(
    ({ labels }) => labels['reason'] === reason,
  )?.value;
const PAYMENT_LOGGED = 'a settlement names a payment that Ponte made: staff must handle it';

describe('A bank reference of a payment that Ponte', () => {
  it('received settles nothing, even if it received the payment back', async () => {
    const { depositId, endToEndId } = await proposals.failed();
    const { id } = await ledger.withdraw('10.00', { pixKey: STRANGER_CPF });
    await proposals.completed(id);
    const cameBack = ledger.payouts.returnPayment(paymentIdOf(id));
    await proposals.ticksUntil(async () =>
      expect(await ledger.types(`deposit-${depositIdOf(cameBack)}`)).not.toEqual([]),
    );
    expect(await codeOf(proposals.propose(depositId, endToEndId))).toBe('bank-reference-booked');
    expect(await codeOf(proposals.propose(depositId, cameBack))).toBe('bank-reference-booked');
    expect(await codeOf(proposals.propose(depositId, pixIdOf('E', '12345678', isoTime(ledger.now), 'another')))).toBe(
      'not refused',
    );
  });

  it('made for a withdrawal settles nothing, in any case of its letters', async () => {
    const { depositId } = await proposals.failed();
    const paid = await proposals.completed((await ledger.withdraw('10.00', { pixKey: STRANGER_CPF })).id);
    expect(await codeOf(proposals.propose(depositId, paid))).toBe('bank-reference-booked');
    expect(await codeOf(proposals.propose(depositId, paid.toUpperCase()))).toBe('bank-reference-booked');
  });

  it('made to return another deposit settles nothing', async () => {
    const { depositId } = await proposals.failed();
    const { endToEndId } = await ledger.pay(await ledger.fundingCode(), '9.00', STRANGER_CPF);
    await ledger.voided(endToEndId, 'payer-tax-id-mismatch');
    expect(await codeOf(proposals.propose(depositId, returnIdOf(depositIdOf(endToEndId), 1)))).toBe(
      'bank-reference-booked',
    );
    // The id that the payment system gave the return.
    const [returned] = (await ledger.events(`deposit-${depositIdOf(endToEndId)}`)).slice(-1);
    const { bankReturnId } = returned?.data as { bankReturnId: string };
    expect(bankReturnId).toMatch(/^D/);
    expect(await codeOf(proposals.propose(depositId, bankReturnId))).toBe('bank-reference-booked');
  });

  it('made after the settlement was proposed does not settle it either', async () => {
    const { depositId } = await proposals.failed();
    const withdrawalId = ledger.freshId();
    const reference = predicted(withdrawalId);
    await proposals.propose(depositId, reference);
    await ledger.withdraw('10.00', { pixKey: STRANGER_CPF }, { withdrawalId });
    expect(await proposals.completed(withdrawalId)).toBe(reference);
    expect(await codeOf(proposals.confirm(depositId))).toBe('bank-reference-booked');
    expect(await contradicted('payment-booked')).toBe(0);
  });

  it('made after the settlement was confirmed completes its withdrawal, and is counted and logged', async () => {
    const { depositId } = await proposals.failed();
    const withdrawalId = ledger.freshId();
    const reference = predicted(withdrawalId);
    await proposals.propose(depositId, reference);
    await proposals.confirm(depositId);
    await ledger.withdraw('10.00', { pixKey: STRANGER_CPF }, { withdrawalId });
    expect(await proposals.completed(withdrawalId)).toBe(reference);
    // Processes that complete it at the same time each report it.
    expect(await contradicted('payment-booked')).toBeGreaterThan(0);
    expect(ledger.lines.join()).toContain(PAYMENT_LOGGED);
  });
});

describe('A bank reference that the bank gives to two payments', () => {
  const reused = async () =>
    (await ledger.engines.metrics.registry.getSingleMetric('ponte_bank_references_reused_total')?.get())?.values[0]
      ?.value;
  const REUSED_LOGGED = 'the bank gave two payments the same reference';

  it('stays with the first, completes both withdrawals, and is counted and logged', async () => {
    const first = await proposals.completed((await ledger.withdraw('10.00', { pixKey: STRANGER_CPF })).id);
    await ledger.tick();
    expect([await reused(), ledger.lines.join().includes(REUSED_LOGGED)]).toEqual([0, false]);
    const { payouts } = ledger;
    for (const call of ['send', 'get'] as const) {
      const original = payouts[call].bind(payouts) as (one: never) => Promise<Payout>;
      jest.spyOn(payouts, call).mockImplementation(async (one) => ({
        ...(await original(one as never)),
        endToEndId: first.toLowerCase(),
      }));
    }
    expect(await proposals.completed((await ledger.withdraw('20.00', { pixKey: STRANGER_CPF })).id)).toBe(
      first.toLowerCase(),
    );
    expect(await reused()).toBeGreaterThan(0);
    expect(ledger.lines.join()).toContain(REUSED_LOGGED);
    expect(await ledger.types('settlementReference-')).toEqual(['SettlementReferenceBooked']);
  });
});

describe('The control number of a TED', () => {
  it('settles one payment, with and without its leading zeros', async () => {
    const [one, other] = [await proposals.failed(), await proposals.failed()];
    await proposals.propose(one.depositId, '004711');
    await proposals.confirm(one.depositId);
    for (const spelling of ['4711', '04711'])
      expect(await codeOf(proposals.propose(other.depositId, spelling))).toBe('bank-reference-already-used');
    expect(await codeOf(proposals.propose(other.depositId, '47110'))).toBe('not refused');
  });
});

describe('A payment that staff paid back and the bank then takes back', () => {
  it.each([
    ['before', 0],
    ['after', 1],
  ] as const)('%s the settlement is confirmed is counted and logged', async (_when, confirmations) => {
    const { depositId, endToEndId } = await proposals.failed();
    expect(await contradicted('taken-back')).toBe(0);
    await proposals.propose(depositId, 'E1');
    if (confirmations > 0) await proposals.confirm(depositId);
    await ledger.takeBack(endToEndId);
    await proposals.ticksUntil(async () => expect(await contradicted('taken-back')).toBe(1));
    await ledger.tick();
    expect(await contradicted('taken-back')).toBe(1);
    expect(ledger.lines.filter((line) => line.includes('that staff had paid back'))).toHaveLength(1);
  });

  it('is counted again by a process that begins to poll, for two days', async () => {
    const { depositId, endToEndId } = await proposals.failed();
    await proposals.propose(depositId, 'E1');
    await ledger.takeBack(endToEndId);
    await proposals.ticksUntil(async () => expect(await contradicted('taken-back')).toBe(1));
    const readAgain = () => ledger.run(new TakeBackDepositCommand({ endToEndId }, ledger.context()));
    await readAgain();
    expect(await contradicted('taken-back')).toBe(2);
    ledger.now += 3 * 24 * 3_600_000;
    await readAgain();
    expect(await contradicted('taken-back')).toBe(2);
  });

  it('is not counted if staff had proposed nothing', async () => {
    const { depositId, endToEndId } = await proposals.failed();
    await ledger.takeBack(endToEndId);
    await proposals.ticksUntil(async () =>
      expect((await ledger.types(`deposit-${depositId}`)).at(-1)).toBe('SuspenseSettled'),
    );
    expect(await contradicted('taken-back')).toBe(0);
  });
});
