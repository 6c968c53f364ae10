import { GetDeposit, ReturnChargePayment } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import type { Kysely } from 'kysely';
import { depositIdOf } from '../deposit/deposit.state';
import { ACCOUNT } from '../testing/ledger-under-test';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { SettleTakeBack } from './settle-take-back.service';

const ledger = ledgerForEachTest({ booksBalance: true });

/** A charge whose payment is held for its order. */
async function held() {
  const { txid, open } = await ledger.charge('o1');
  const { endToEndId } = await ledger.pay((await open()).brcode, '50.00');
  await eventually(async () => expect(await ledger.outcome(txid)).toMatchObject({ state: 'paid' }));
  expect(await ledger.balance()).toEqual({ running: '50.00', available: '0.00', held: '50.00' });
  const voided = async () =>
    expect((await ledger.types(`deposit-${depositIdOf(endToEndId)}`)).at(-1)).toBe('DepositVoided');
  return { txid, endToEndId, voided };
}
const returnPayment = (txid: string) => ledger.ask(ReturnChargePayment, { txid, reason: 'order-rolled-back' });

/** The payer has the money once, by the take-back, and the account has neither a hold nor a debt. */
async function squared(voided: () => Promise<void>): Promise<void> {
  for (let round = 0; round < 3; round += 1) await ledger.tick();
  await voided();
  expect(await ledger.balance()).toEqual({ running: '0.00', available: '0.00', held: '0.00' });
  expect(ledger.bank.totals().returned.toString()).toBe('50.00');
  expect(ledger.freezes).toHaveLength(1);
}

describe('The order of a payment that the bank took back after it was held', () => {
  it('is rolled back after the reversal: only the hold ends', async () => {
    const { txid, endToEndId, voided } = await held();
    await ledger.takeBack(endToEndId);
    await eventually(async () => expect((await ledger.balance()).available).toBe('-50.00'));
    await eventually(async () => expect(ledger.freezes).toHaveLength(1));
    await returnPayment(txid);
    await returnPayment(txid);
    await squared(voided);
    expect(await ledger.types('ledgerAccount-')).toEqual(['DepositPostedAndHeld', 'DepositReversed', 'HoldReleased']);
  });

  it('is rolled back before the reversal: the hold is reversed with the payment, once, and nothing is sent', async () => {
    const { txid, endToEndId, voided } = await held();
    const { settle } = SettleTakeBack.prototype;
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const delayed = jest.spyOn(SettleTakeBack.prototype, 'settle').mockImplementation(async function (
      this: SettleTakeBack,
      ...about
    ) {
      await gate;
      return settle.apply(this, about);
    });
    const polled = ledger.takeBack(endToEndId);
    await eventually(voided);
    await returnPayment(txid);
    open();
    await polled;
    await eventually(async () => expect(ledger.freezes).toHaveLength(1));
    await squared(voided);
    expect(await ledger.types('ledgerAccount-')).toEqual(['DepositPostedAndHeld', 'DepositReversed']);
    delayed.mockRestore();
  });

  it('finds the deposit voided while its row is missing, as after a crash before the row was written', async () => {
    const { txid, endToEndId, voided } = await held();
    await ledger.takeBack(endToEndId);
    await eventually(voided);
    const about = { accountId: ACCOUNT, depositId: depositIdOf(endToEndId) };
    await eventually(async () => expect((await ledger.deposits())[0]).toMatchObject({ voidReason: 'taken-back' }));
    await (ledger.engines.readModels as Kysely<{ ledger_deposits: unknown }>).deleteFrom('ledger_deposits').execute();
    expect(await ledger.ask(GetDeposit, about)).toMatchObject({ status: 'voided', voidReason: 'taken-back' });
    await eventually(async () => expect(ledger.freezes).toHaveLength(1));
    await returnPayment(txid);
    await squared(voided);
  });
});
