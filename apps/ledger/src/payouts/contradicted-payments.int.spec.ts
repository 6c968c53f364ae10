import { CommandBus } from '@nestjs/cqrs';
import { systemContext } from '@ponte/event-sourcing';
import { eventually } from '@ponte/testing';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT, STRANGER_CPF } from '../testing/ledger-under-test';
import { paymentIdOf } from '../withdrawal/withdrawal.state';
import { RailTimedOut } from '../pix-charge/pix-charges.port';
import type { Payout } from './payouts.port';
import { ReceiveReturnedPaymentCommand } from './receive-returned-payment.command';

const ledger = ledgerForEachTest();
beforeEach(() => ledger.fund('100.00'));

const contradictions = async (reason = 'payment-amount') =>
  (await ledger.engines.metrics.registry.getSingleMetric('ponte_payouts_contradicted_total')?.get())?.values.find(
    ({ labels }) => labels['reason'] === reason,
  )?.value ?? 0;
const paymentOf = (paymentId: string, amount: string): Payout => ({
  paymentId,
  status: 'completed',
  refusal: null,
  amount,
  endToEndId: 'E1',
  returns: [],
});
const stateOf = async (id: string) => (await ledger.withdrawal(id))?.state;
/** Waits until the contradiction was reported, and for three more rounds. */
async function contradicted(): Promise<void> {
  await eventually(async () => {
    await ledger.tick();
    expect(await contradictions()).toBeGreaterThan(0);
  });
  for (let round = 0; round < 3; round += 1) await ledger.tick();
}
const reaches = (id: string, state: string) =>
  eventually(async () => {
    await ledger.tick();
    expect(await stateOf(id)).toBe(state);
  });

describe('A payment that the bank has with an amount other than that of the withdrawal', () => {
  it('is not accepted when it is sent or read, until the bank states the right amount', async () => {
    const { payouts } = ledger;
    jest.spyOn(payouts, 'send').mockRejectedValue(new RailTimedOut('send'));
    const get = jest.spyOn(payouts, 'get').mockImplementation(async (id) => paymentOf(id, '10.01'));
    const { id } = await ledger.withdraw('10.00', { pixKey: STRANGER_CPF });
    await contradicted();
    expect(await stateOf(id)).toBe('processing');
    expect(await ledger.balance()).toEqual({ running: '100.00', available: '90.00', held: '10.00' });
    expect(ledger.lines.join()).toContain('"reason":"payment-amount"');
    get.mockImplementation(async (paymentId) => paymentOf(paymentId, '10.00'));
    await reaches(id, 'completed');
    expect((await ledger.balance()).running).toBe('90.00');
  });

  it('is not accepted when it is to be cancelled, until the bank refuses it', async () => {
    const { payouts } = ledger;
    const get = jest.spyOn(payouts, 'get').mockResolvedValue(undefined);
    jest.spyOn(payouts, 'send').mockRejectedValue(new RailTimedOut('send'));
    const { id } = await ledger.withdraw('10.00', { pixKey: STRANGER_CPF });
    await reaches(id, 'processing');
    ledger.status.set(ACCOUNT, 'frozen');
    jest.spyOn(payouts, 'cancel').mockImplementation(async (paymentId) => paymentOf(paymentId, '9.99'));
    await contradicted();
    expect(await stateOf(id)).toBe('processing');
    get.mockResolvedValue({ ...paymentOf(paymentIdOf(id), '9.99'), status: 'refused', amount: null });
    await reaches(id, 'rolled-back');
    expect((await ledger.balance()).available).toBe('100.00');
  });
});

describe('A completed payment that the bank later refuses, and does not list as returned', () => {
  it('is reported once when a notice names it, and changes nothing', async () => {
    const { id } = await ledger.withdraw('10.00', { pixKey: STRANGER_CPF });
    await reaches(id, 'completed');
    const paymentId = paymentIdOf(id);
    const notice = () =>
      ledger
        .part(CommandBus)
        .execute(new ReceiveReturnedPaymentCommand({ paymentId }, systemContext(ledger.engines.ids, 'payout-notice')));
    await notice();
    expect(await contradictions('payment-posted')).toBe(0);
    jest.spyOn(ledger.payouts, 'get').mockResolvedValue({
      ...paymentOf(paymentId, '10.00'),
      ...({ status: 'refused', refusal: 'bank-refused', amount: null } as const),
    });
    await notice();
    await notice();
    expect(await contradictions('payment-posted')).toBe(1);
    expect([await stateOf(id), (await ledger.balance()).running]).toEqual(['completed', '90.00']);
  });
});
