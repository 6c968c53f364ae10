import { ClosePixCharge, ListOverdueCharges, ReturnChargePayment } from '@ponte/contracts';
import { isoTime } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { depositIdOf } from '../deposit/deposit.state';
import { ACCOUNT, PARENT } from '../testing/ledger-under-test';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';

const ledger = ledgerForEachTest({ booksBalance: true });

describe('A charge', () => {
  it('is closed at the bank when it expires unpaid, and later payments are returned', async () => {
    const { txid, open } = await ledger.charge('o1');
    const { brcode } = await open();
    const expiration = isoTime(ledger.now + 900_000);
    await eventually(async () =>
      expect(await ledger.ask(ListOverdueCharges, { expiredBefore: isoTime(ledger.now + 901_000), limit: 10 })).toEqual(
        { charges: [{ txid, orderId: 'o1', accountId: ACCOUNT, expiration }] },
      ),
    );
    expect(await ledger.ask(ListOverdueCharges, { expiredBefore: isoTime(ledger.now), limit: 10 })).toEqual({
      charges: [],
    });
    ledger.now += 901_000;
    expect(await ledger.ask(ClosePixCharge, { txid })).toEqual({ state: 'closed' });
    expect(await ledger.ask(ClosePixCharge, { txid })).toEqual({ state: 'closed' });
    expect((await ledger.bank.getCharge(txid))?.status).toBe('removed-by-receiver');
    await ledger.voided((await ledger.pay(brcode)).endToEndId, 'paid-late');
    expect(await ledger.outcome(txid)).toEqual({ state: 'closed' });
    await eventually(async () =>
      expect(await ledger.ask(ListOverdueCharges, { expiredBefore: isoTime(ledger.now), limit: 10 })).toEqual({
        charges: [],
      }),
    );
  });

  it('is listed once among overdue charges, page by page, even if many have the same expiration', async () => {
    const opened: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      const { txid, open } = await ledger.charge(`page-${count}`, '1.00');
      await open();
      opened.push(txid);
      if (count === 4) ledger.now += 1_000;
    }
    const page = (after: { txid: string; expiration: string } | null) =>
      ledger.ask(ListOverdueCharges, { expiredBefore: isoTime(ledger.now + 902_000), limit: 3, after });
    await eventually(async () => {
      const first = await page(null);
      const second = await page(first.charges.at(-1) ?? null);
      const third = await page(second.charges.at(-1) ?? null);
      expect([first, second, third].map(({ charges }) => charges.length)).toEqual([3, 3, 1]);
      expect([first, second, third].flatMap(({ charges }) => charges.map(({ txid }) => txid)).sort()).toEqual(
        [...opened].sort(),
      );
    });
  });

  it('is either paid or closed when both happen at once, and the money follows the outcome', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { txid, open } = await ledger.charge(`race-${round}`, '1.00');
      const { brcode } = await open();
      const [{ endToEndId }, closed] = await Promise.all([ledger.pay(brcode), ledger.ask(ClosePixCharge, { txid })]);
      if (closed.state === 'paid') await ledger.credited(endToEndId);
      else await ledger.voided(endToEndId, 'charge-closed');
      expect(await ledger.outcome(txid)).toEqual(closed);
    }
  });

  it('is neither opened twice nor closed in doubt while the bank does not answer', async () => {
    const { misbehaviour } = ledger.bank;
    const first = await ledger.charge('o1');
    misbehaviour.fail('put-charge', 'unheard', 'error');
    await expect(first.open()).rejects.toMatchObject({ code: 'rail-unavailable' });
    await expect(first.open()).rejects.toMatchObject({ code: 'rail-unavailable' });
    misbehaviour.fail('put-charge', 'done');
    const { brcode } = await first.open();
    misbehaviour.fail('remove-charge', 'unheard');
    await expect(ledger.ask(ClosePixCharge, { txid: first.txid })).rejects.toMatchObject({ code: 'rail-unavailable' });
    misbehaviour.fail('remove-charge', 'done');
    misbehaviour.fail('get-charge', 'unheard');
    await expect(ledger.ask(ClosePixCharge, { txid: first.txid })).rejects.toMatchObject({ code: 'rail-unavailable' });
    expect(await ledger.ask(ClosePixCharge, { txid: first.txid })).toEqual({ state: 'closed' });
    await ledger.voided((await ledger.pay(brcode)).endToEndId, 'charge-closed');
    const never = await ledger.charge('o2');
    misbehaviour.fail('put-charge', 'unheard');
    await expect(never.open()).rejects.toMatchObject({ code: 'rail-unavailable' });
    expect(await ledger.ask(ClosePixCharge, { txid: never.txid })).toEqual({ state: 'closed' });
    await expect(never.open()).rejects.toMatchObject({ code: 'charge-closed' });
    await expect(ledger.ask(ClosePixCharge, { txid: 'unheardof' })).rejects.toMatchObject({ code: 'charge-not-found' });
  });

  it('stays open while the bank calls it paid and names no payment of it', async () => {
    const { txid, open } = await ledger.charge('o1');
    const { brcode } = await open();
    ledger.bank.misbehaviour.callbacks = 'lost';
    const { endToEndId } = await ledger.pay(brcode);
    const real = ledger.bank.getCharge.bind(ledger.bank);
    const read = jest.spyOn(ledger.bank, 'getCharge').mockImplementation(async (id) => {
      const charge = await real(id);
      return charge && { ...charge, endToEndIds: [] };
    });
    await expect(ledger.ask(ClosePixCharge, { txid })).rejects.toMatchObject({ code: 'rail-unavailable' });
    expect(await ledger.types('pixCharge-')).not.toContain('PixChargeClosed');
    await ledger.tick();
    await ledger.credited(endToEndId);
    expect(await ledger.ask(ClosePixCharge, { txid })).toMatchObject({
      state: 'paid',
      depositId: depositIdOf(endToEndId),
    });
    read.mockRestore();
  });

  it('stays open while the bank names a payment of it that cannot be read', async () => {
    const { txid, open } = await ledger.charge('o1');
    const { brcode } = await open();
    ledger.bank.misbehaviour.callbacks = 'lost';
    const { endToEndId } = await ledger.pay(brcode);
    const read = jest.spyOn(ledger.bank, 'getReceived').mockResolvedValue(undefined);
    await expect(ledger.ask(ClosePixCharge, { txid })).rejects.toMatchObject({ code: 'rail-unavailable' });
    expect(await ledger.types('pixCharge-')).not.toContain('PixChargeClosed');
    read.mockRestore();
    expect(await ledger.ask(ClosePixCharge, { txid })).toMatchObject({
      state: 'paid',
      depositId: depositIdOf(endToEndId),
    });
  });

  it('is closed at the bank too, and never reported open, if it is closed while the bank opens it', async () => {
    const { txid, open } = await ledger.charge('o1');
    const { bank } = ledger;
    const putCharge = bank.putCharge.bind(bank);
    bank.putCharge = async (charge) => {
      expect(await ledger.ask(ClosePixCharge, { txid })).toEqual({ state: 'closed' });
      return putCharge(charge);
    };
    await expect(open()).rejects.toMatchObject({ code: 'charge-closed' });
    expect((await bank.getCharge(txid))?.status).toBe('removed-by-receiver');
    expect(await ledger.types('pixCharge-')).toEqual(['PixChargeRequested', 'PixChargeClosed']);
  });

  it('returns its held payment to the payer once, if its order rolled back', async () => {
    const { txid, open } = await ledger.charge('o1');
    const { brcode } = await open();
    await expect(ledger.ask(ReturnChargePayment, { txid, reason: 'order-rolled-back' })).rejects.toMatchObject({
      code: 'service-unavailable',
    });
    const { endToEndId } = await ledger.pay(brcode);
    await ledger.credited(endToEndId);
    await eventually(async () => expect(await ledger.outcome(txid)).toMatchObject({ state: 'paid' }));
    const depositId = depositIdOf(endToEndId);
    for (let time = 0; time < 3; time += 1)
      expect(await ledger.ask(ReturnChargePayment, { txid, reason: 'order-rolled-back' })).toEqual({ depositId });
    expect(await ledger.types(`deposit-${depositId}`)).toEqual([
      'DepositCreated',
      'DepositConfirmed',
      'DepositCredited',
      'DepositReturnRequested',
      'DepositReturned',
    ]);
    expect(await ledger.balance()).toEqual({ running: '0.00', available: '0.00', held: '0.00' });
    expect(ledger.bank.totals().returned.toString()).toBe('50.00');
  });

  it('returns a payment while its account is closed, and accepts a later one', async () => {
    const { txid, open } = await ledger.charge('o1');
    const { brcode } = await open();
    ledger.status.set(ACCOUNT, 'closed');
    await ledger.voided((await ledger.pay(brcode)).endToEndId, 'account-not-active');
    ledger.status.set(ACCOUNT, 'active');
    await ledger.credited((await ledger.pay(brcode)).endToEndId);
    await eventually(async () => expect(await ledger.outcome(txid)).toMatchObject({ state: 'paid' }));
    await expect((await ledger.charge('o2', '50.00', PARENT)).open()).rejects.toMatchObject({
      code: 'account-not-active',
    });
  });
});
