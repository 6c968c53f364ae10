import { Refusal, Unavailable } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { CLEAN_ADDRESS, fundTokens } from '../testing/fund-tokens';
import { ACCOUNT, STRANGER_CPF } from '../testing/ledger-under-test';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';

beforeEach(() => {
  process.env['LEDGER_WITHDRAWAL_LIMITS'] = 'fiat/brl=100.00/3,eth-base/brlv=25/2';
});
afterEach(() => {
  delete process.env['LEDGER_WITHDRAWAL_LIMITS'];
});
const ledger = ledgerForEachTest();
beforeEach(() => ledger.fund('1000.00'));

const withdraw = (amount: string) => ledger.withdraw(amount, { pixKey: STRANGER_CPF });
const send = (amount: string) =>
  ledger.withdraw(amount, { destinationWalletAddress: CLEAN_ADDRESS }, { asset: 'eth-base/brlv', method: 'token' });
const code = (response: Promise<unknown>) =>
  response.then(
    () => 'created',
    (error: unknown) => (error instanceof Refusal ? error.code : Promise.reject(error as Error)),
  );

describe('The velocity limit of an account', () => {
  it('limits the amount per day in São Paulo', async () => {
    expect(await code(withdraw('60.00'))).toBe('created');
    expect(await code(withdraw('40.01'))).toBe('limit-exceeded');
    expect(await code(withdraw('40.00'))).toBe('created');
    expect(await code(withdraw('0.01'))).toBe('limit-exceeded');
    // 23:59 and 00:01 in São Paulo.
    ledger.now = Date.parse('2026-11-21T02:59:00.000Z');
    expect(await code(withdraw('1.00'))).toBe('limit-exceeded');
    ledger.now = Date.parse('2026-11-21T03:01:00.000Z');
    expect(await code(withdraw('100.00'))).toBe('created');
  });

  it('limits the number of withdrawals, and leaves nothing held when it refuses', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => code(withdraw('1.00'))));
    expect(all.filter((one) => one === 'created')).toHaveLength(3);
    expect(all.filter((one) => one === 'limit-exceeded')).toHaveLength(5);
    await eventually(async () => {
      await ledger.tick();
      expect((await ledger.balance()).held).toBe('0.00');
    });
  });

  it('limits the amount for concurrent requests too, and leaves nothing held for those refused', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => code(withdraw('50.00'))));
    expect(all.filter((one) => one === 'created')).toHaveLength(2);
    expect(all.filter((one) => one === 'limit-exceeded')).toHaveLength(6);
    await eventually(async () => {
      await ledger.tick();
      expect(await ledger.balance()).toMatchObject({ held: '0.00', running: '900.00' });
    });
  });

  it('applies to each asset separately, including tokens', async () => {
    await fundTokens(ledger);
    await eventually(async () => expect((await ledger.balance('eth-base/brlv')).available).toMatch(/^100\./));
    expect(await code(withdraw('100.00'))).toBe('created');
    expect(await code(send('25.000000000000000001'))).toBe('limit-exceeded');
    expect(await code(send('20'))).toBe('created');
    expect(await code(send('5.000000000000000001'))).toBe('limit-exceeded');
    expect(await code(send('5'))).toBe('created');
    expect(await code(send('0.01'))).toBe('limit-exceeded');
  });

  it('limits only the number of withdrawals of a token for which no amount is set', async () => {
    jest.replaceProperty(ledger.settings, 'withdrawalLimits', { 'eth-base/brlv': { amount: null, count: 2 } });
    await fundTokens(ledger);
    await eventually(async () => expect((await ledger.balance('eth-base/brlv')).available).toMatch(/^100\./));
    expect([await code(send('50')), await code(send('30')), await code(send('20'))]).toEqual([
      'created',
      'created',
      'limit-exceeded',
    ]);
  });

  it('counts a withdrawal on the day its funds were held, even if it is created after midnight', async () => {
    // 23:59:59 in São Paulo; the clock passes midnight between the hold and the creation.
    ledger.now = Date.parse('2026-11-21T02:59:59.000Z');
    const append = ledger.store.append.bind(ledger.store);
    jest.spyOn(ledger.store, 'append').mockImplementation(async (...args) => {
      const appended = await append(...args);
      if (args[2].some(({ type }) => type === 'HoldPlaced')) ledger.now = Date.parse('2026-11-21T03:00:01.000Z');
      return appended;
    });
    expect(await code(withdraw('60.00'))).toBe('created');
    const [taken] = await ledger.events('dailyAllowance-');
    expect(taken?.data).toMatchObject({ date: '2026-11-20', amount: '60.00' });
    // The new day has its full limit.
    expect(await code(withdraw('100.00'))).toBe('created');
  });

  it.each([
    ['amount', '60.00', 1],
    ['count', '20.00', 3],
  ])('does not count a request twice when it is retried after a fault (%s)', async (_limit, amount, count) => {
    for (let at = 1; at < count; at += 1) await withdraw(amount);
    const withdrawalId = ledger.freshId();
    const request = () => ledger.withdraw(amount, { pixKey: STRANGER_CPF }, { withdrawalId });
    ledger.store.faults.next({ kind: 'refuse', match: (_, events) => events[0]?.type === 'WithdrawalCreated' });
    await expect(request()).rejects.toBeInstanceOf(Unavailable);
    expect(await request()).toMatchObject({ id: withdrawalId, state: 'created' });
    expect(await ledger.types('dailyAllowance-')).toHaveLength(count);
  });

  it('checks a retry against the day of its hold, even if the next day has no allowance left', async () => {
    ledger.now = Date.parse('2026-11-21T02:59:00.000Z');
    const request = { withdrawalId: ledger.freshId() };
    ledger.store.faults.next({ kind: 'refuse', match: (_, events) => events[0]?.type === 'AllowanceTaken' });
    await expect(ledger.withdraw('60.00', { pixKey: STRANGER_CPF }, request)).rejects.toBeInstanceOf(Unavailable);
    ledger.now = Date.parse('2026-11-21T03:01:00.000Z');
    expect(await code(withdraw('100.00'))).toBe('created');
    expect(await code(ledger.withdraw('60.00', { pixKey: STRANGER_CPF }, request))).toBe('created');
  });

  it('reports only the broken rule when a retry whose funds are held is refused', async () => {
    const request = { withdrawalId: ledger.freshId(), externalId: 'ref-1' };
    jest.replaceProperty(ledger.settings, 'withdrawalLimits', {});
    ledger.store.faults.next({ kind: 'refuse', match: (_, events) => events[0]?.type === 'WithdrawalCreated' });
    await expect(ledger.withdraw('900.00', { pixKey: STRANGER_CPF }, request)).rejects.toBeInstanceOf(Unavailable);
    ledger.status.set(ACCOUNT, 'frozen');
    await expect(ledger.withdraw('900.00', { pixKey: STRANGER_CPF }, request)).rejects.toMatchObject({
      violations: [{ code: 'account-not-active' }],
    });
  });

  it('gives back what an abandoned attempt still reserves before the request is tried again', async () => {
    jest.replaceProperty(ledger.settings, 'withdrawalLimits', { 'fiat/brl': { amount: '900.00', count: 1 } });
    const request = { withdrawalId: ledger.freshId(), externalId: 'ref-1' };
    const refuseOnce = (type: string) =>
      ledger.store.faults.next({ kind: 'refuse', match: (_, events) => events[0]?.type === type });
    refuseOnce('WithdrawalCreated');
    await expect(ledger.withdraw('900.00', { pixKey: STRANGER_CPF }, request)).rejects.toBeInstanceOf(Unavailable);
    refuseOnce('AllowanceReturned');
    ledger.now += 6 * 60_000;
    await eventually(async () => {
      await ledger.tick();
      expect(await ledger.types(`withdrawal-${request.withdrawalId}`)).toEqual(['WithdrawalAbandoned']);
    });
    expect(await code(ledger.withdraw('900.00', { pixKey: STRANGER_CPF }, request))).toBe('created');
    // The bank may have the payment by now, which ends the hold.
    expect(await ledger.balance()).toMatchObject({ available: '100.00' });
  });

  it('does not count a withdrawal that was rolled back', async () => {
    expect(await code(withdraw('99.95'))).toBe('created');
    await eventually(async () => {
      await ledger.tick();
      expect(await ledger.types('dailyAllowance-')).toEqual(['AllowanceTaken', 'AllowanceReturned']);
    });
    expect(await code(withdraw('100.00'))).toBe('created');
  });
});
