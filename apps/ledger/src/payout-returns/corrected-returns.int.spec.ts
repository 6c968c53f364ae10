import type { WithdrawalRecord } from '@ponte/contracts';
import { ListFailedReturns } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import type { PayoutReturn } from '../payouts/payouts.port';
import { ReceiveReturnedPaymentCommand } from '../payouts/receive-returned-payment.command';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { STRANGER_CPF } from '../testing/ledger-under-test';
import { paymentIdOf } from '../withdrawal/withdrawal.state';
import { PayoutReturns } from './payout-returns.repository';

const ledger = ledgerForEachTest();
beforeEach(() => ledger.fund('1000.00'));

async function paid(amount: string): Promise<WithdrawalRecord> {
  const { id } = await ledger.withdraw(amount, { pixKey: STRANGER_CPF });
  return eventually(async () => {
    await ledger.tick();
    const withdrawal = await ledger.withdrawal(id);
    if (withdrawal?.state !== 'completed') throw new Error(`the withdrawal is ${withdrawal?.state}`);
    return withdrawal;
  });
}

/** Makes the bank list exactly these returns of a payment, by id, and has them received. */
async function lists({ id }: WithdrawalRecord, returns: Readonly<Record<string, string>>): Promise<void> {
  const { payouts } = ledger;
  const paymentId = paymentIdOf(id);
  const payment = await payouts.get(paymentId);
  if (!payment) throw new Error('the bank has no such payment');
  const returnedAt = new Date(ledger.now).toISOString();
  const listed = Object.entries(returns).map(([returnId, amount]): PayoutReturn => ({ returnId, amount, returnedAt }));
  const get = jest.spyOn(payouts, 'get').mockResolvedValue({ ...payment, returns: listed });
  const receive = () => ledger.run(new ReceiveReturnedPaymentCommand({ paymentId }, ledger.context()));
  await receive();
  await receive();
  get.mockRestore();
}

const returned = async () =>
  (await ledger.deposits())
    .filter(({ withdrawalId }) => withdrawalId !== null)
    .map(({ endToEndId, amount, status }) => `${endToEndId} ${amount} ${status}`)
    .sort();
const credited = (...expected: readonly string[]) =>
  eventually(async () => expect(await returned()).toEqual(expected.map((one) => `${one} credited`).sort()));
const unallocated = async () =>
  (
    await ledger.ask(ListFailedReturns, {
      filters: { status: 'open', cause: 'unallocated' },
      page: { limit: 10, cursor: null, createdFrom: null, createdTo: null },
    })
  ).items
    .map(({ endToEndId, amount, reason }) => `${endToEndId} ${amount} ${reason}`)
    .sort();
const contradictions = async (reason: string) =>
  (await ledger.engines.metrics.registry.getSingleMetric('ponte_payouts_contradicted_total')?.get())?.values.find(
    ({ labels }) => labels['reason'] === reason,
  )?.value;
const balance = async () => (await ledger.balance()).running;

describe('A return of a payout', () => {
  it('is credited once if the bank then lists it under another id', async () => {
    const one = await paid('100.00');
    await lists(one, { D1: '100.00' });
    await credited('D1 100.00');
    await lists(one, { D2: '100.00' });
    expect(await unallocated()).toEqual(['D2 100.00 exceeds-payment']);
    await lists(one, { D1: '100.00', D2: '100.00' });
    await credited('D1 100.00');
    expect(await balance()).toBe('1000.00');
  });

  it('is credited in parts, even if the bank does not list the earlier ones again', async () => {
    const one = await paid('100.00');
    await lists(one, { D1: '40.00' });
    await lists(one, { D2: '60.00' });
    await credited('D1 40.00', 'D2 60.00');
    await lists(one, { D3: '0.01' });
    expect(await unallocated()).toEqual(['D3 0.01 exceeds-payment']);
    expect(await balance()).toBe('1000.00');
  });

  it('counts what went to suspense, because staff may have given it to the customer', async () => {
    const one = await paid('100.00');
    await lists(one, { D1: '100.01' });
    await lists(one, { D2: '100.00' });
    expect(await returned()).toEqual([]);
    expect(await unallocated()).toEqual(['D1 100.01 exceeds-payment', 'D2 100.00 exceeds-payment']);
    expect(await balance()).toBe('900.00');
  });

  it('is reported once, and stays as it is, if the bank then lists it with another amount', async () => {
    const one = await paid('100.00');
    expect(await contradictions('return-amount')).toBe(0);
    await lists(one, { D1: '40.00' });
    await lists(one, { D1: '100.00' });
    await lists(one, { D1: '100.00' });
    await credited('D1 40.00');
    expect(await contradictions('return-amount')).toBe(1);
    expect(ledger.lines.filter((line) => line.includes('"reason":"return-amount"'))).toHaveLength(1);
    // What the bank states now leaves nothing for another return.
    await lists(one, { D1: '100.00', D2: '60.00' });
    expect(await unallocated()).toEqual(['D2 60.00 exceeds-payment']);
    expect(await balance()).toBe('940.00');
  });

  it('is reported, and credited to the first of two payments for which the bank lists it', async () => {
    const [first, second] = [await paid('100.00'), await paid('100.00')];
    await lists(first, { D1: '100.00' });
    await lists(second, { D1: '100.00' });
    await credited('D1 100.00');
    expect(await contradictions('return-id')).toBe(1);
    expect(await unallocated()).toEqual([]);
    expect(await balance()).toBe('900.00');
  });

  it('is received after a crash that happened before its deposit was created', async () => {
    const one = await paid('100.00');
    const append = ledger.store.append.bind(ledger.store);
    const crash = jest.spyOn(ledger.store, 'append').mockImplementation(async (stream, ...rest) => {
      if (stream.startsWith('deposit-')) throw new Error('crashed');
      return append(stream, ...rest);
    });
    await expect(lists(one, { D1: '100.00' })).rejects.toThrow();
    crash.mockRestore();
    jest.restoreAllMocks();
    await ledger.restart();
    await lists(one, { D1: '100.00' });
    await credited('D1 100.00');
    expect(await balance()).toBe('1000.00');
  });

  it('counts against the payment if it was credited by a release that did not count returns', async () => {
    const one = await paid('100.00');
    const returns = ledger.part(PayoutReturns);
    const uncounted = jest
      .spyOn(returns, 'count')
      .mockImplementation(
        async (_terms, listed) =>
          new Map(listed.map(({ returnId, amount }) => [returnId, { amount, exceeds: false }] as const)),
      );
    await lists(one, { D1: '40.00' });
    await credited('D1 40.00');
    expect(await ledger.types('payoutReturns-')).toEqual([]);
    uncounted.mockRestore();
    await lists(one, { D2: '100.00' });
    await lists(one, { D1: '40.00', D2: '100.00' });
    await credited('D1 40.00');
    expect(await unallocated()).toEqual(['D2 100.00 exceeds-payment']);
    expect(await ledger.types('payoutReturns-')).toEqual(['PayoutReturnListed', 'PayoutReturnListed']);
    expect(await balance()).toBe('940.00');
  });
});
