import { eventually } from '@ponte/testing';
import { PollReturnedPaymentsCommand, RETURNED_PAYMENTS_READER } from '../payouts/poll-returned-payments.command';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { STRANGER_CPF } from '../testing/ledger-under-test';
import { measured } from '../testing/measured';
import { paymentIdOf } from '../withdrawal/withdrawal.state';

const ledger = ledgerForEachTest();
beforeEach(() => ledger.fund('1000.00'));

/** The id of a payment that the bank made, and of which it lists a return. */
async function returnedPayment(): Promise<string> {
  const { id } = await ledger.withdraw('10.00', { pixKey: STRANGER_CPF });
  await eventually(async () => {
    await ledger.tick();
    expect((await ledger.withdrawal(id))?.state).toBe('completed');
  });
  ledger.payouts.returnPayment(paymentIdOf(id), '10.00');
  return paymentIdOf(id);
}
const poll = () => ledger.run(new PollReturnedPaymentsCommand({ fence: 0 }, ledger.context()));
const failing = () => measured(ledger, 'ponte_bank_entries_failing', RETURNED_PAYMENTS_READER);

it.each([
  ['does not know', () => undefined],
  ['shows without a return', <P extends object>(payment: P | undefined) => payment && { ...payment, returns: [] }],
])('A returned payment that the bank lists but %s fails until the bank shows the return', async (_case, shown) => {
  const paymentId = await returnedPayment();
  const get = ledger.payouts.get.bind(ledger.payouts);
  const read = jest
    .spyOn(ledger.payouts, 'get')
    .mockImplementation(async (id) => (id === paymentId ? shown(await get(id)) : get(id)));
  for (let hour = 0; hour < 30; hour += 1) {
    ledger.now += 3_600_000;
    await expect(poll()).rejects.toMatchObject({ code: 'rail-unavailable' });
  }
  expect(await failing()).toBe(1);
  read.mockRestore();
  await poll();
  expect(await failing()).toBe(0);
  await eventually(async () => {
    await ledger.tick();
    expect((await ledger.balance()).available).toBe('1000.00');
    await ledger.assertTrialBalance();
  });
});

it('A returned payment that the bank lists under an id that Ponte gave to no payment is reported once', async () => {
  const paymentId = (await returnedPayment()).toUpperCase();
  const list = ledger.payouts.listReturned.bind(ledger.payouts);
  const listed = jest
    .spyOn(ledger.payouts, 'listReturned')
    .mockImplementation(async (window) => ({ ...(await list(window)), ids: [paymentId] }));
  for (let round = 0; round < 2; round += 1) await poll();
  expect(await failing()).toBe(0);
  const counter = ledger.engines.metrics.registry.getSingleMetric('ponte_bank_ids_malformed_total');
  expect((await counter?.get())?.values.find(({ labels }) => labels.list === 'returned')?.value).toBe(1);
  expect(ledger.lines.filter((line) => line.includes('"level":50') && line.includes('malformed id'))).toEqual([
    expect.stringContaining(paymentId),
  ]);
  listed.mockRestore();
});
