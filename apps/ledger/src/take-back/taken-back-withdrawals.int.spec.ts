import { NO_CHARGES, ReturnChargePayment } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { depositIdOf } from '../deposit/deposit.state';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';
import { paymentHoldId } from '../pix-charge/pix-charge.decider';
import { ACCOUNT } from '../testing/ledger-under-test';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { KEY, TED } from '../withdrawal/testing/withdrawals';
import { EndUncoveredWithdrawalsHandler } from './end-uncovered-withdrawals.command';

const ledger = ledgerForEachTest({ booksBalance: true });

/** Banking hours, in which a TED from the start of the test is due: the test starts on a holiday. */
const BANKING_HOURS = Date.parse('2026-11-23T09:31:00.000Z');
const TAKEN_BACK = { state: 'rolled-back', failure: { code: 'payment-taken-back', retryable: false } };

const paid = async (amount: string) => {
  const { endToEndId } = await ledger.pay(await ledger.fundingCode(), amount);
  await ledger.credited(endToEndId);
  return endToEndId;
};
const ted = (amount: string) => ledger.withdraw(amount, TED, { method: 'ted' });
const takeBack = async (endToEndId: string) => {
  await ledger.takeBack(endToEndId);
  await eventually(async () => expect(ledger.freezes).toHaveLength(1));
};
/** A Pix whose payment the bank has or not, which it does not tell. */
const sent = async (amount: string, fate: 'unheard' | 'paid-unanswered') => {
  ledger.payouts.fateOf = () => fate;
  ledger.payouts.readTimesOut = () => true;
  const { id } = await ledger.withdraw(amount, KEY);
  await eventually(async () => expect((await ledger.withdrawal(id))?.state).toBe('processing'));
  return id;
};
/** TEDs of 300.00 and, later, of 700.00. */
const twoTeds = async () => {
  const older = await ted('300.00');
  ledger.now += 1;
  return [older, await ted('700.00')] as const;
};
/** The payment is taken back, and the check of the withdrawals after that has ended. */
const takeBackAndCheck = async (endToEndId: string) => {
  const end = jest.spyOn(EndUncoveredWithdrawalsHandler.prototype, 'execute');
  await takeBack(endToEndId);
  await eventually(async () => expect(end).toHaveBeenCalled());
  await Promise.all(end.mock.results.map(({ value }) => value as Promise<void>));
  end.mockRestore();
};
/** The bank answers again, and two staff members have released the account. */
const released = () => {
  ledger.payouts.readTimesOut = () => false;
  ledger.status.set(ACCOUNT, 'active');
  ledger.now = BANKING_HOURS;
};
const reaches = (id: string, wanted: object) =>
  eventually(async () => {
    await ledger.tick();
    expect(await ledger.withdrawal(id)).toMatchObject(wanted);
  });
const has = (running: string, held = '0.00') =>
  eventually(async () => expect(await ledger.balance()).toMatchObject({ running, held }));
const paidOut = () => ledger.payouts.totals().paid.toString();

describe('A withdrawal from a balance that the bank took back', () => {
  it('is rolled back right after the freeze if it waits for banking hours', async () => {
    const endToEndId = await paid('1000.00');
    const { id } = await ted('1000.00');
    await takeBack(endToEndId);
    await eventually(async () => expect(await ledger.withdrawal(id)).toMatchObject(TAKEN_BACK));
    await has('0.00');
    released();
    await ledger.tick();
    expect(paidOut()).toBe('0.00');
  });

  it('is rolled back when it is due if the bank, which is asked once, did not answer right after the freeze', async () => {
    const endToEndId = await paid('1000.00');
    const both = await twoTeds();
    const asked = jest.spyOn(ledger.payouts, 'get');
    ledger.payouts.readTimesOut = () => true;
    await takeBackAndCheck(endToEndId);
    expect(asked).toHaveBeenCalledTimes(1);
    for (const { id } of both) expect(await ledger.withdrawal(id)).toMatchObject({ state: 'created' });
    released();
    for (const { id } of both) await reaches(id, TAKEN_BACK);
    await has('0.00');
    expect(paidOut()).toBe('0.00');
  });

  it('is cancelled at the bank if it was sent, but the bank does not have it', async () => {
    const endToEndId = await paid('100.00');
    const id = await sent('60.00', 'unheard');
    await takeBack(endToEndId);
    released();
    await reaches(id, TAKEN_BACK);
    await has('0.00');
    expect(paidOut()).toBe('0.00');
  });

  it('takes its course if the bank has its payment, and leaves a debt', async () => {
    const endToEndId = await paid('100.00');
    const id = await sent('60.00', 'paid-unanswered');
    await takeBack(endToEndId);
    released();
    await reaches(id, { state: 'completed' });
    await has('-60.00');
  });

  it.each([
    ['right after the freeze', false],
    ['when they are due, because the bank did not answer before', true],
  ])('continues after the release if the balance covers it once newer ones end, %s', async (_when, isSilent) => {
    await paid('400.00');
    const endToEndId = await paid('600.00');
    const [older, newer] = await twoTeds();
    ledger.payouts.readTimesOut = () => isSilent;
    await takeBackAndCheck(endToEndId);
    expect(await ledger.withdrawal(newer.id)).toMatchObject(isSilent ? { state: 'created' } : TAKEN_BACK);
    expect(await ledger.withdrawal(older.id)).toMatchObject({ state: 'created' });
    released();
    await reaches(newer.id, TAKEN_BACK);
    await reaches(older.id, { state: 'completed' });
    await has('100.00');
    expect(paidOut()).toBe('300.00');
  });

  describe('that covers it once the hold of an order whose payment was taken back ends', () => {
    /** A TED from other money, and then an order whose held payment the bank takes back. */
    const tedAndOrder = async () => {
      await paid('30.00');
      const { id } = await ted('30.00');
      const { txid, open } = await ledger.charge('o1');
      const { endToEndId } = await ledger.pay((await open()).brcode, '50.00');
      await eventually(async () => expect(await ledger.outcome(txid)).toMatchObject({ state: 'paid' }));
      await has('80.00', '80.00');
      await takeBackAndCheck(endToEndId);
      await has('30.00', '80.00');
      expect(await ledger.withdrawal(id)).toMatchObject({ state: 'created' });
      return { id, txid, endToEndId };
    };

    it('waits for that, even if it is due before, and is then sent', async () => {
      const { id, txid } = await tedAndOrder();
      released();
      for (let round = 0; round < 3; round += 1) await ledger.tick();
      expect(await ledger.withdrawal(id)).toMatchObject({ state: 'created' });
      expect(paidOut()).toBe('0.00');
      await ledger.ask(ReturnChargePayment, { txid, reason: 'order-rolled-back' });
      await reaches(id, { state: 'completed' });
      await has('0.00');
      expect(paidOut()).toBe('30.00');
    });

    it('is rolled back if the order is completed and debits the hold', async () => {
      const { id, endToEndId } = await tedAndOrder();
      released();
      await ledger.part(LedgerAccounts).execute(
        ACCOUNT,
        (now) => ({
          ...{ kind: 'post-exchange', accountId: ACCOUNT, orderId: 'o1', now },
          ...{ holdId: paymentHoldId(depositIdOf(endToEndId)), debit: { asset: 'fiat/brl', amount: '50.00' } },
          ...{ credit: { asset: 'eth-base/brlv', amount: '50.000000000000000000' } },
          ...{ custody: false, charges: NO_CHARGES, deliveryHold: null },
        }),
        ledger.context(),
      );
      await reaches(id, TAKEN_BACK);
      await has('-20.00');
      expect(paidOut()).toBe('0.00');
    });

    it('waits too if it was sent, but the bank does not have it', async () => {
      await paid('30.00');
      const id = await sent('30.00', 'unheard');
      const { txid, open } = await ledger.charge('o1');
      const { endToEndId } = await ledger.pay((await open()).brcode, '50.00');
      await eventually(async () => expect(await ledger.outcome(txid)).toMatchObject({ state: 'paid' }));
      await takeBack(endToEndId);
      ledger.payouts.fateOf = () => 'prompt';
      released();
      for (let round = 0; round < 3; round += 1) await ledger.tick();
      expect(await ledger.withdrawal(id)).toMatchObject({ state: 'processing' });
      expect(paidOut()).toBe('0.00');
      await ledger.ask(ReturnChargePayment, { txid, reason: 'order-rolled-back' });
      await reaches(id, { state: 'completed' });
      expect(paidOut()).toBe('30.00');
    });
  });
});
