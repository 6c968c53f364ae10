import { ClosePixCharge, ReleaseHold, ReturnChargePayment } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { ReceivePixCommand } from './pix-charge/receive-pix.command';
import { depositIdOf } from './deposit/deposit.state';
import { paymentHoldId } from './pix-charge/pix-charge.decider';
import { ACCOUNT, STRANGER_CPF } from './testing/ledger-under-test';
import { ledgerForEachTest } from './testing/ledger-for-each-test';

const ledger = ledgerForEachTest({ booksBalance: true });

describe('A charge', () => {
  it('posts and holds a correct payment in one event, for use by its exchange', async () => {
    const { txid, open, expiration } = await ledger.charge('o1');
    const { brcode } = await open();
    expect(await open()).toEqual({ brcode, expiration });
    const { endToEndId } = await ledger.pay(brcode);
    const depositId = depositIdOf(endToEndId);
    const holdId = paymentHoldId(depositId);
    await eventually(async () => expect(await ledger.outcome(txid)).toEqual({ state: 'paid', depositId, holdId }));
    expect(await ledger.types('ledgerAccount-')).toEqual(['DepositPostedAndHeld']);
    expect(await ledger.balance()).toEqual({ running: '50.00', available: '0.00', held: '50.00' });
    expect(await ledger.ask(ReleaseHold, { accountId: ACCOUNT, holdId, reason: 'test' })).toEqual({ released: false });
    await ledger.exchange('o1', holdId, '50.00');
    await ledger.exchange('o1', holdId, '50.00');
    expect(await ledger.balance()).toEqual({ running: '0.00', available: '0.00', held: '0.00' });
    expect(await ledger.balance('eth-base/brlv')).toMatchObject({ available: '50.000000000000000000' });
    await expect(ledger.ask(ReturnChargePayment, { txid, reason: 'order-rolled-back' })).rejects.toMatchObject({
      code: 'hold-not-open',
    });
    await eventually(async () =>
      expect((await ledger.deposits())[0]).toMatchObject({ orderId: 'o1', status: 'credited' }),
    );
  });

  it('is spent by a wrong payment, which is returned, as is every later one', async () => {
    const cases = [
      ['amount-mismatch', async (brcode: string) => ledger.pay(brcode, '49.99')],
      ['payer-tax-id-mismatch', async (brcode: string) => ledger.pay(brcode, null, STRANGER_CPF)],
      [
        'paid-late',
        async (brcode: string) => {
          ledger.now += 901_000;
          return ledger.pay(brcode);
        },
      ],
    ] as const;
    for (const [reason, mispay] of cases) {
      const { txid, open } = await ledger.charge(`order-${reason}`);
      const { brcode } = await open();
      const { endToEndId } = await mispay(brcode);
      await ledger.voided(endToEndId, reason);
      expect(await ledger.outcome(txid)).toEqual({ state: 'mispaid', depositId: depositIdOf(endToEndId), reason });
      await ledger.voided((await ledger.pay(brcode)).endToEndId, 'paid-twice');
      expect(await ledger.ask(ClosePixCharge, { txid })).toMatchObject({ state: 'mispaid' });
    }
    expect(await ledger.balance()).toEqual({ running: '0.00', available: '0.00', held: '0.00' });
  });

  it('keeps the first of two payments and returns the second', async () => {
    const { txid, open } = await ledger.charge('o1');
    const { brcode } = await open();
    const first = await ledger.pay(brcode);
    await ledger.credited(first.endToEndId);
    await ledger.voided((await ledger.pay(brcode)).endToEndId, 'paid-twice');
    expect(await ledger.outcome(txid)).toMatchObject({ state: 'paid', depositId: depositIdOf(first.endToEndId) });
    expect((await ledger.balance()).held).toBe('50.00');
  });

  it('accepts a payment that settled in time but was reported late', async () => {
    ledger.bank.misbehaviour.callbacks = 'lost';
    const { txid, open } = await ledger.charge('o1');
    const { endToEndId } = await ledger.pay((await open()).brcode);
    ledger.now += 48 * 3_600_000;
    expect(await ledger.ask(ClosePixCharge, { txid })).toMatchObject({
      state: 'paid',
      depositId: depositIdOf(endToEndId),
    });
    expect(await ledger.balance()).toMatchObject({ held: '50.00' });
  });

  it('is paid only by a payment that the bank has: forged and repeated callbacks change nothing', async () => {
    const { txid, open } = await ledger.charge('o1');
    const { brcode } = await open();
    const deposit = await ledger.pay(await ledger.fundingCode(), '50.00');
    await ledger.credited(deposit.endToEndId);
    const notices = (endToEndIds: readonly string[]) =>
      Promise.all(endToEndIds.map((one) => ledger.run(new ReceivePixCommand({ endToEndId: one }, ledger.context()))));
    await notices(['E0000000020261120120000000000000', txid, brcode, deposit.endToEndId]);
    expect(await ledger.outcome(txid)).toEqual({ state: 'open' });
    ledger.bank.misbehaviour.callbacks = 'repeated';
    const { endToEndId } = await ledger.pay(brcode);
    await ledger.credited(endToEndId);
    const paid = { state: 'paid', depositId: depositIdOf(endToEndId) };
    await eventually(async () => expect(await ledger.outcome(txid)).toMatchObject(paid));
    await notices(Array.from({ length: 5 }, () => endToEndId));
    expect(await ledger.outcome(txid)).toMatchObject(paid);
    expect(await ledger.balance()).toEqual({ running: '100.00', available: '50.00', held: '50.00' });
    expect(await ledger.types(`pixCharge-${txid}`)).toEqual([
      'PixChargeRequested',
      'PixChargeOpened',
      'PixChargePaymentAccepted',
      'PixChargePaid',
    ]);
  });
});
