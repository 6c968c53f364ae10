import { eventually } from '@ponte/testing';
import { ReceiveReturnedPaymentCommand } from '../payouts/receive-returned-payment.command';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { STRANGER_CPF } from '../testing/ledger-under-test';
import { paymentIdOf } from '../withdrawal/withdrawal.state';
import type { IncomingTeds } from './incoming-teds.port';

const ledger = ledgerForEachTest();
beforeEach(() => ledger.fund('100.00'));

const contradictions = async (reason: string) =>
  (await ledger.engines.metrics.registry.getSingleMetric('ponte_payouts_contradicted_total')?.get())?.values.find(
    ({ labels }) => labels['reason'] === reason,
  )?.value;

/** A completed payment. The bank lists its return as a TED without an identifier, and as a return under any id. */
async function paidAndReturned() {
  const { id } = await ledger.withdraw('10.00', { pixKey: STRANGER_CPF });
  await eventually(async () => {
    await ledger.tick();
    expect((await ledger.withdrawal(id))?.state).toBe('completed');
  });
  const payer = { taxId: null, legalName: '', bankCode: '756', branchCode: '', accountNumber: '', accountType: '' };
  const ted = () => ledger.teds.pay({ reference: 'r1', identifier: '', amount: '10.00', payer });
  const paymentId = paymentIdOf(id);
  const receive = async (returnId: string): Promise<void> => {
    const payment = await ledger.payouts.get(paymentId);
    if (!payment) throw new Error('the bank has no such payment');
    const returns = [{ returnId, amount: '10.00', returnedAt: new Date(ledger.now).toISOString() }];
    const get = jest.spyOn(ledger.payouts, 'get').mockResolvedValue({ ...payment, returns });
    await ledger.run(new ReceiveReturnedPaymentCommand({ paymentId }, ledger.context()));
    get.mockRestore();
  };
  return { ted, receive };
}

describe('A returned payment that the bank also lists as a received TED', () => {
  it('is credited once and reported once, if its return is read first', async () => {
    const { ted, receive } = await paidAndReturned();
    // The list of TEDs stays empty until the return was received.
    const list = jest.spyOn(ledger.teds as unknown as IncomingTeds, 'list');
    list.mockResolvedValue({ ids: [], lastPage: true });
    const { tedId } = await ted();
    await receive(tedId);
    list.mockRestore();
    await eventually(async () => {
      await ledger.tick();
      expect(await contradictions('return-received')).toBe(1);
    });
    await ledger.tick();
    expect(await contradictions('return-received')).toBe(1);
    expect((await ledger.balance()).running).toBe('100.00');
    expect(ledger.teds.totals().returned.toString()).toBe('0.00');
  });

  it('is reported if it was received as a TED first, and not credited after that was sent back', async () => {
    const { ted, receive } = await paidAndReturned();
    const { tedId } = await ted();
    await eventually(async () => {
      await ledger.tick();
      expect(ledger.teds.totals().returned.toString()).toBe('10.00');
    });
    await receive(tedId);
    await receive(tedId);
    expect(await contradictions('return-id')).toBe(1);
    expect((await ledger.balance()).running).toBe('90.00');
    expect(ledger.lines.filter((line) => line.includes('"reason":"return-id"'))).toHaveLength(1);
  });
});
