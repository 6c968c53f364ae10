import { ListWithdrawals } from '@ponte/contracts';
import { Unavailable, derivedId, pixKeyOf } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { ACCOUNT, HOLDER_CPF, STRANGER_CPF } from '../testing/ledger-under-test';
import { paymentIdOf } from '../withdrawal/withdrawal.state';
import { ORDER, WITHDRAWAL, payoutsForEachTest } from '../testing/order-payouts';

const { ledger, orders } = payoutsForEachTest();
const FILTERS = { asset: null, state: null, method: null, externalId: null };
const PAGE = { limit: 50, cursor: null, createdFrom: null, createdTo: null };

const ended = () =>
  eventually(async () => {
    await ledger.tick();
    const record = await ledger.withdrawal(WITHDRAWAL);
    if (record?.state !== 'completed' && record?.state !== 'rolled-back')
      throw new Error(`the payout is ${record?.state}`);
    return record;
  });

describe('A Pix key for an order', () => {
  it("is the holder's if its owner has the tax id of the account", async () => {
    const resolved = await orders.resolve(HOLDER_CPF);
    expect(resolved).toMatchObject({ ownedByHolder: true });
    expect(JSON.stringify(resolved)).not.toContain(HOLDER_CPF);
  });

  it("is not the holder's if it belongs to a stranger, and the reply has no data of the stranger", async () => {
    expect(await orders.resolve(STRANGER_CPF)).toEqual({ ownedByHolder: false });
  });

  it("is not the holder's if the account does not exist", async () => {
    expect(await orders.resolve(HOLDER_CPF, derivedId('no', 'account'))).toEqual({ ownedByHolder: false });
  });

  it('is not found if it is not registered', async () => {
    expect(await orders.resolve('unknown@pix.example')).toBeNull();
  });

  it('stays unknown while the directory does not answer', async () => {
    await expect(orders.resolve('silent@pix.example')).rejects.toMatchObject({ code: 'rail-unavailable' });
  });
});

describe('The payout of an order', () => {
  it('is a Pix withdrawal that names the order and uses up the hold of the exchange', async () => {
    const target = await orders.ownKey();
    await orders.sold('100.00');
    expect(await ledger.balance()).toEqual({ running: '1000.00', available: '900.00', held: '100.00' });
    const created = await orders.payOut('100.00', target);
    expect(created).toMatchObject({
      id: WITHDRAWAL,
      orderId: ORDER,
      method: 'pix',
      amount: '100.00',
      externalId: null,
    });
    expect(await ended()).toMatchObject({ state: 'completed', endToEndId: expect.stringMatching(/^E/) });
    expect(await ledger.balance()).toEqual({ running: '900.00', available: '900.00', held: '0.00' });
    expect(ledger.payouts.totals().completed).toEqual([paymentIdOf(WITHDRAWAL)]);
    const completed = (await ledger.events('withdrawal-')).at(-1);
    expect(completed).toMatchObject({ type: 'WithdrawalCompleted', data: { orderId: ORDER } });
    const { items } = await ledger.ask(ListWithdrawals, { accountId: ACCOUNT, filters: FILTERS, page: PAGE });
    expect(items.map(({ orderId }) => orderId)).toEqual([ORDER]);
    await eventually(() => ledger.assertTrialBalance());
  });

  it('is credited to the balance if the bank returns it later, as a deposit that names the order', async () => {
    const target = await orders.ownKey();
    await orders.sold('100.00');
    await orders.payOut('100.00', target);
    await ended();
    ledger.payouts.returnPayment(paymentIdOf(WITHDRAWAL), '100.00');
    await eventually(async () => {
      await ledger.tick();
      expect((await ledger.deposits()).find(({ withdrawalId }) => withdrawalId === WITHDRAWAL)).toMatchObject({
        status: 'credited',
        orderId: null,
        returnedOrderId: ORDER,
        amount: '100.00',
      });
    });
    // Nothing of it is held for the order, whose payout has ended.
    await eventually(async () =>
      expect(await ledger.balance()).toEqual({ running: '1000.00', available: '1000.00', held: '0.00' }),
    );
    expect(await ledger.withdrawal(WITHDRAWAL)).toMatchObject({ state: 'completed' });
    await eventually(() => ledger.assertTrialBalance());
  });

  it('does not count towards the daily limit, and is not stopped by it', async () => {
    const target = await orders.ownKey();
    await orders.sold('100.00');
    await orders.payOut('100.00', target);
    await ended();
    expect(await ledger.types('dailyAllowance-')).toEqual([]);
    expect(await ledger.withdraw('1.00', { pixKey: STRANGER_CPF })).toMatchObject({ state: 'created', orderId: null });
  });

  it('is a single withdrawal, however often and concurrently it is requested', async () => {
    const target = await orders.ownKey();
    await orders.sold('100.00');
    await Promise.all(Array.from({ length: 5 }, () => orders.payOut('100.00', target)));
    await ended();
    expect(await orders.payOut('100.00', target)).toMatchObject({ state: 'completed' });
    expect(await ledger.types('withdrawal-')).toEqual([
      'WithdrawalCreated',
      'WithdrawalProcessingStarted',
      'WithdrawalCompleted',
    ]);
    expect(ledger.payouts.totals().completed).toHaveLength(1);
  });

  it.each([
    ['key has a new owner', 'pix-key-owner-changed'],
    ['account is frozen', 'account-not-active'],
  ])('is rolled back if its %s, and the BRL is available again', async (what, code) => {
    const target = await orders.ownKey();
    await orders.sold('100.00');
    const pixKey = pixKeyOf(HOLDER_CPF);
    if (!pixKey) throw new Error('a CPF is a Pix key');
    if (code === 'account-not-active') ledger.status.set(ACCOUNT, 'frozen');
    else ledger.payouts.directory.move(pixKey);
    await orders.payOut('100.00', target);
    expect([what, (await ended()).failure?.code]).toEqual([what, code]);
    await eventually(async () =>
      expect(await ledger.balance()).toEqual({ running: '1000.00', available: '1000.00', held: '0.00' }),
    );
    expect(ledger.payouts.totals().completed).toEqual([]);
    const last = (await ledger.events('withdrawal-')).at(-1);
    expect(last).toMatchObject({ type: 'WithdrawalRolledBack', data: { orderId: ORDER } });
  });

  it.each([
    ['leaves the BRL available if the bank refuses it', '10.95', 'rolled-back'],
    ['leaves the BRL available if the bank refuses it later', '10.96', 'rolled-back'],
    ['is sent again under the same id if the bank did not get it', '10.91', 'completed'],
    ['is read and not paid again if the bank paid it without answering', '10.92', 'completed'],
  ] as const)('%s', async (_what, amount, state) => {
    const target = await orders.ownKey();
    await orders.sold(amount);
    await orders.payOut(amount, target);
    expect(await ended()).toMatchObject({ state });
    expect(ledger.payouts.totals().completed).toEqual(state === 'completed' ? [paymentIdOf(WITHDRAWAL)] : []);
    expect((await ledger.balance()).held).toBe('0.00');
    await eventually(() => ledger.assertTrialBalance());
  });

  it("waits while the account's state does not include its exchange yet", async () => {
    await expect(orders.payOut('100.00', await orders.ownKey())).rejects.toBeInstanceOf(Unavailable);
    expect(await ledger.types('withdrawal-')).toEqual([]);
  });

  it('is not created for an amount that differs from the hold', async () => {
    const target = await orders.ownKey();
    await orders.sold('100.00');
    await expect(orders.payOut('100.01', target)).rejects.toThrow();
    expect(await ledger.types('withdrawal-')).toEqual([]);
  });

  it('keeps its hold even if the request comes long after the exchange', async () => {
    const target = await orders.ownKey();
    await orders.sold('100.00');
    for (let minute = 0; minute < 10; minute += 1) await ledger.tick();
    expect((await ledger.balance()).held).toBe('100.00');
    await orders.payOut('100.00', target);
    expect(await ended()).toMatchObject({ state: 'completed' });
  });
});
