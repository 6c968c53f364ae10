import type { PixPayee } from '@ponte/contracts';
import { ListWithdrawals, NO_CHARGES, PayOutOrder, PlaceHold, PostExchange, ResolvePixKey } from '@ponte/contracts';
import { Unavailable, derivedId, pixKeyOf } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { ACCOUNT, HOLDER_CPF, PARENT, STRANGER_CPF } from '../testing/ledger-under-test';
import { paymentIdOf } from '../withdrawal/withdrawal.state';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';

beforeEach(() => {
  process.env['LEDGER_WITHDRAWAL_LIMITS'] = 'fiat/brl=1.00/1';
});
afterEach(() => {
  delete process.env['LEDGER_WITHDRAWAL_LIMITS'];
});
const ledger = ledgerForEachTest();
beforeEach(() => ledger.fund('1000.00'));

const ORDER = derivedId('test', 'an order');
const WITHDRAWAL = derivedId('test', 'its payout');
const HOLD = derivedId('test', 'its delivery hold');
const FILTERS = { asset: null, state: null, method: null, externalId: null };
const PAGE = { limit: 50, cursor: null, createdFrom: null, createdTo: null };

const resolve = async (text: string, accountId = ACCOUNT) => {
  const key = await ledger.engines.personalData.seal('key-in-transit', text);
  return ledger.ask(ResolvePixKey, { accountId, key });
};
async function ownKey(text = HOLDER_CPF): Promise<PixPayee> {
  const resolved = await resolve(text);
  if (!resolved?.ownedByHolder) throw new Error('the key is not the holder’s');
  return resolved.target;
}

/** Sells BRLV that was bought before; the BRL is held for the payout in the same event. */
async function sold(amount: string): Promise<void> {
  const [brl, brlv] = [
    { asset: 'fiat/brl', amount } as const,
    { asset: 'eth-base/brlv', amount: `${amount}${'0'.repeat(16)}` } as const,
  ];
  const convert = async (orderId: string, debit: typeof brl | typeof brlv, credit: typeof brl | typeof brlv) => {
    const holdId = derivedId('test hold', orderId);
    await ledger.ask(PlaceHold, {
      accountId: ACCOUNT,
      hold: { holdId, owner: { kind: 'order', id: orderId }, ...debit },
    });
    const deliveryHold =
      credit === brl ? { holdId: HOLD, owner: { kind: 'withdrawal', id: WITHDRAWAL } as const, ...credit } : null;
    await ledger.ask(PostExchange, {
      ...{ accountId: ACCOUNT, orderId, holdId, debit, credit, deliveryHold },
      custody: true,
      charges: NO_CHARGES,
    });
  };
  await convert(derivedId('test', 'a purchase'), brl, brlv);
  await convert(ORDER, brlv, brl);
}

const payOut = (amount: string, target: PixPayee) =>
  ledger.ask(PayOutOrder, {
    ...{ withdrawalId: WITHDRAWAL, orderId: ORDER, accountId: ACCOUNT, parentId: PARENT, createdBy: PARENT },
    ...{ createdByApiKey: 'ak', holdId: HOLD, amount, target },
  });

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
    const resolved = await resolve(HOLDER_CPF);
    expect(resolved).toMatchObject({ ownedByHolder: true });
    expect(JSON.stringify(resolved)).not.toContain(HOLDER_CPF);
  });

  it("is not the holder's if it belongs to a stranger, and the reply has no data of the stranger", async () => {
    expect(await resolve(STRANGER_CPF)).toEqual({ ownedByHolder: false });
  });

  it("is not the holder's if the account does not exist", async () => {
    expect(await resolve(HOLDER_CPF, derivedId('no', 'account'))).toEqual({ ownedByHolder: false });
  });

  it('is not found if it is not registered', async () => {
    expect(await resolve('unknown@pix.example')).toBeNull();
  });

  it('stays unknown while the directory does not answer', async () => {
    await expect(resolve('silent@pix.example')).rejects.toMatchObject({ code: 'rail-unavailable' });
  });
});

describe('The payout of an order', () => {
  it('is a Pix withdrawal that names the order and uses up the hold of the exchange', async () => {
    const target = await ownKey();
    await sold('100.00');
    expect(await ledger.balance()).toEqual({ running: '1000.00', available: '900.00', held: '100.00' });
    const created = await payOut('100.00', target);
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

  it('does not count towards the daily limit, and is not stopped by it', async () => {
    const target = await ownKey();
    await sold('100.00');
    await payOut('100.00', target);
    await ended();
    expect(await ledger.types('dailyAllowance-')).toEqual([]);
    expect(await ledger.withdraw('1.00', { pixKey: STRANGER_CPF })).toMatchObject({ state: 'created', orderId: null });
  });

  it('is a single withdrawal, however often and concurrently it is requested', async () => {
    const target = await ownKey();
    await sold('100.00');
    await Promise.all(Array.from({ length: 5 }, () => payOut('100.00', target)));
    await ended();
    expect(await payOut('100.00', target)).toMatchObject({ state: 'completed' });
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
    const target = await ownKey();
    await sold('100.00');
    const pixKey = pixKeyOf(HOLDER_CPF);
    if (!pixKey) throw new Error('a CPF is a Pix key');
    if (code === 'account-not-active') ledger.status.set(ACCOUNT, 'frozen');
    else ledger.payouts.directory.move(pixKey);
    await payOut('100.00', target);
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
    const target = await ownKey();
    await sold(amount);
    await payOut(amount, target);
    expect(await ended()).toMatchObject({ state });
    expect(ledger.payouts.totals().completed).toEqual(state === 'completed' ? [paymentIdOf(WITHDRAWAL)] : []);
    expect((await ledger.balance()).held).toBe('0.00');
    await eventually(() => ledger.assertTrialBalance());
  });

  it("waits while the account's state does not include its exchange yet", async () => {
    await expect(payOut('100.00', await ownKey())).rejects.toBeInstanceOf(Unavailable);
    expect(await ledger.types('withdrawal-')).toEqual([]);
  });

  it('is not created for an amount that differs from the hold', async () => {
    const target = await ownKey();
    await sold('100.00');
    await expect(payOut('100.01', target)).rejects.toThrow();
    expect(await ledger.types('withdrawal-')).toEqual([]);
  });

  it('keeps its hold even if the request comes long after the exchange', async () => {
    const target = await ownKey();
    await sold('100.00');
    for (let minute = 0; minute < 10; minute += 1) await ledger.tick();
    expect((await ledger.balance()).held).toBe('100.00');
    await payOut('100.00', target);
    expect(await ended()).toMatchObject({ state: 'completed' });
  });
});
