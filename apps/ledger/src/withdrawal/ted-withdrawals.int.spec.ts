import { eventually } from '@ponte/testing';
import { ACCOUNT } from '../testing/ledger-under-test';
import { ReceiveReturnedPaymentCommand } from '../payouts/receive-returned-payment.command';
import { paymentIdOf } from './withdrawal.state';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { KEY, TED, endedIn } from './testing/withdrawals';

const ledger = ledgerForEachTest();
beforeEach(() => ledger.fund('1000.00'));

const ended = endedIn(ledger);

describe('A withdrawal by TED', () => {
  // The test starts on Friday, 20 November, a national holiday.
  it('waits in state `created` for banking hours, and states until when', async () => {
    const created = await ledger.withdraw('100.00', TED, { method: 'ted' });
    expect(created).toMatchObject({ state: 'created', scheduledFor: '2026-11-23T09:30:00.000Z' });
    await ledger.tick();
    expect(await ledger.withdrawal(created.id)).toMatchObject({
      state: 'created',
      scheduledFor: '2026-11-23T09:30:00.000Z',
    });
    expect(await ledger.balance()).toMatchObject({ available: '900.00', held: '100.00' });
    ledger.now = Date.parse('2026-11-23T09:31:00.000Z');
    expect(await ended(created.id)).toMatchObject({ state: 'completed', scheduledFor: null });
  });

  it('waits for the next banking hours if it missed the ones it waited for', async () => {
    const { id } = await ledger.withdraw('100.00', TED, { method: 'ted' });
    ledger.now = Date.parse('2026-11-23T21:00:00.000Z');
    await ledger.tick();
    expect(await ledger.withdrawal(id)).toMatchObject({ state: 'created', scheduledFor: '2026-11-24T09:30:00.000Z' });
  });

  it('is sent at once during banking hours', async () => {
    ledger.now = Date.parse('2026-11-23T15:00:00.000Z');
    expect(await ledger.withdraw('100.00', TED, { method: 'ted' })).toMatchObject({
      state: 'created',
      scheduledFor: null,
    });
  });
});

it('A TED that the bank does not have at the end of banking hours is due again when the next ones begin', async () => {
  ledger.now = Date.parse('2026-11-27T19:58:00.000Z'); // Friday, 16:58 in São Paulo
  ledger.payouts.fateOf = () => 'unheard';
  ledger.payouts.readTimesOut = () => true;
  const { id } = await ledger.withdraw('10.00', TED, { method: 'ted' });
  await eventually(async () => expect((await ledger.withdrawal(id))?.state).toBe('processing'));
  const oldest = ledger.engines.metrics.registry.getSingleMetric('ponte_withdrawal_oldest_seconds');
  const dueFor = async () => (await oldest?.get())?.values.find(({ labels }) => labels.method === 'ted')?.value;
  ledger.now += 60_000;
  expect(await dueFor()).toBe(60);
  ledger.now = Date.parse('2026-11-28T15:00:00.000Z');
  ledger.payouts.readTimesOut = () => false;
  await ledger.tick();
  expect([(await ledger.withdrawal(id))?.state, await dueFor()]).toEqual(['processing', 0]);
  ledger.now = Date.parse('2026-11-30T09:40:00.000Z'); // Monday, 06:40
  expect(await dueFor()).toBe(600);
  expect(await ended(id)).toMatchObject({ state: 'completed' });
});

describe('A payment that the bank returns after completion', () => {
  it('becomes a new deposit that names the withdrawal, for every payee', async () => {
    const { id } = await ledger.withdraw('10.97', KEY);
    expect(await ended(id)).toMatchObject({ state: 'completed' });
    ledger.now += 3 * 24 * 60 * 60 * 1000;
    await eventually(async () => {
      await ledger.tick();
      expect((await ledger.balance()).running).toBe('1000.00');
    });
    // The list follows the balance.
    await eventually(async () =>
      expect((await ledger.deposits())[0]).toMatchObject({
        withdrawalId: id,
        amount: '10.97',
        status: 'credited',
        type: 'pix',
        endToEndId: expect.stringMatching(/^D/) as string,
      }),
    );
    expect(await ledger.withdrawal(id)).toMatchObject({ state: 'completed' });
    await ledger.tick();
    expect((await ledger.deposits()).filter(({ withdrawalId }) => withdrawalId !== null)).toHaveLength(1);
    await eventually(() => ledger.assertTrialBalance());
  });

  it('creates no deposit for the account while its withdrawal is rolled back', async () => {
    const { id } = await ledger.withdraw('10.95', KEY);
    expect(await ended(id)).toMatchObject({ state: 'rolled-back' });
    const returned = { returnId: 'D1', amount: '10.95', returnedAt: '2026-11-20T12:00:00.000Z' };
    const payment = {
      paymentId: paymentIdOf(id),
      refusal: null,
      amount: '10.95',
      endToEndId: 'E1',
      returns: [returned],
    };
    jest.spyOn(ledger.payouts, 'get').mockResolvedValueOnce({ ...payment, status: 'completed' });
    const context = { commandId: ledger.freshId(), correlationId: 'test' };
    await ledger.run(new ReceiveReturnedPaymentCommand({ paymentId: paymentIdOf(id) }, context));
    expect((await ledger.deposits()).filter(({ withdrawalId }) => withdrawalId !== null)).toEqual([]);
  });

  it('stays confirmed while the account is frozen', async () => {
    const { id } = await ledger.withdraw('10.00', KEY);
    await ended(id);
    ledger.status.set(ACCOUNT, 'frozen');
    ledger.payouts.returnPayment(paymentIdOf(id), '4.00');
    await eventually(async () => {
      await ledger.tick();
      expect((await ledger.deposits())[0]).toMatchObject({ status: 'confirmed', amount: '4.00' });
    });
    ledger.status.set(ACCOUNT, 'active');
    await eventually(async () => {
      await ledger.tick();
      expect((await ledger.balance()).running).toBe('994.00');
    });
  });
});
