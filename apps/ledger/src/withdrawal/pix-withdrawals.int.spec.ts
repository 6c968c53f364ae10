import { pixKeyOf } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { ACCOUNT, STRANGER_CPF } from '../testing/ledger-under-test';
import { paymentIdOf } from './withdrawal.state';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { KEY, TED, endedIn } from './testing/withdrawals';

const ledger = ledgerForEachTest();
beforeEach(() => ledger.fund('1000.00'));

const ended = endedIn(ledger);

describe('A withdrawal by Pix', () => {
  it('holds the funds, is paid under its own payment id, and debits the funds', async () => {
    const created = await ledger.withdraw('100.00', KEY);
    expect(created).toMatchObject({
      state: 'created',
      method: 'pix',
      amount: '100.00',
      scheduledFor: null,
      failure: null,
      createdByApiKey: 'test',
    });
    const completed = await ended(created.id);
    expect(completed).toMatchObject({
      state: 'completed',
      endToEndId: expect.stringMatching(/^E[0-9A-Z]{8}\d{12}[a-z0-9]{11}$/),
    });
    expect(await ledger.balance()).toEqual({ running: '900.00', available: '900.00', held: '0.00' });
    expect(ledger.payouts.totals()).toMatchObject({ completed: [paymentIdOf(created.id)] });
    expect(await ledger.types('withdrawal-')).toEqual([
      'WithdrawalCreated',
      'WithdrawalProcessingStarted',
      'WithdrawalCompleted',
    ]);
    expect(await ledger.types('ledgerAccount-')).toEqual(['DepositPosted', 'HoldPlaced', 'WithdrawalPosted']);
    await eventually(() => ledger.assertTrialBalance());
  });

  it('leaves no personal data in the log', async () => {
    await ended((await ledger.withdraw('1.00', { pixKey: 'ana.secret@example.com' })).id);
    const log = JSON.stringify(await ledger.events());
    expect(log).not.toContain('ana.secret');
    expect(log).not.toContain(STRANGER_CPF);
  });

  it.each([
    ['is sent again under the same id if the bank did not get the first request', '10.91', 'completed'],
    ['is read if the bank paid it but did not answer', '10.92', 'completed'],
    ['waits for a bank that completes it late', '10.93', 'completed'],
    ['is paid once if the bank sends notices early and twice', '10.94', 'completed'],
    ['is rolled back if the bank refuses it', '10.95', 'rolled-back'],
    ['is rolled back if the bank refuses it later', '10.96', 'rolled-back'],
    ['is completed although the bank fails at first', '10.98', 'completed'],
  ] as const)('%s', async (_case, amount, state) => {
    const { id } = await ledger.withdraw(amount, KEY);
    expect(await ended(id)).toMatchObject({ state });
    const after =
      state === 'completed' ? `${989}.${String(100 - Number(amount.slice(-2))).padStart(2, '0')}` : '1000.00';
    await eventually(async () =>
      expect(await ledger.balance()).toEqual({ running: after, available: after, held: '0.00' }),
    );
    expect(ledger.payouts.totals().completed).toEqual(state === 'completed' ? [paymentIdOf(id)] : []);
    await eventually(() => ledger.assertTrialBalance());
  });

  it('states why it was rolled back, and its funds can be spent again', async () => {
    expect(await ended((await ledger.withdraw('999.95', KEY)).id)).toMatchObject({
      failure: { code: 'bank-refused', retryable: true },
    });
    expect(await ended((await ledger.withdraw('1000.00', KEY)).id)).toMatchObject({ state: 'completed' });
  });

  // Specification: a changed owner must stop the withdrawal.
  it('is stopped if the owner of the key changed between creation and sending', async () => {
    expect(await ended((await ledger.withdraw('10.00', { pixKey: 'moving@pix.example' })).id)).toMatchObject({
      state: 'rolled-back',
      failure: { code: 'pix-key-owner-changed' },
    });
    expect(ledger.payouts.totals().completed).toEqual([]);
  });

  it('is cancelled at the bank if the owner of the key changed after an unanswered request', async () => {
    ledger.payouts.fateOf = () => 'unheard';
    const { id } = await ledger.withdraw('10.00', { pixKey: 'ana@example.com' });
    await eventually(async () => {
      expect(await ledger.withdrawal(id)).toMatchObject({ state: 'processing' });
    });
    ledger.payouts.directory.move(pixKeyOf('ana@example.com') ?? { kind: 'evp', value: '' });
    expect(await ended(id)).toMatchObject({ state: 'rolled-back', failure: { code: 'pix-key-owner-changed' } });
    // The bank refuses a late request because the payment was cancelled.
    ledger.payouts.fateOf = () => 'prompt';
    const owner = ledger.payouts.directory.current({ kind: 'email', value: 'ana@example.com' });
    expect(
      await ledger.payouts.send({
        paymentId: paymentIdOf(id),
        amount: '10.00',
        method: 'pix',
        pixKey: null,
        payee: owner,
      }),
    ).toMatchObject({ status: 'refused' });
  });

  it('is cancelled at the bank if the account was frozen after a request that never arrived', async () => {
    let requests = 0;
    ledger.payouts.fateOf = () => {
      requests += 1;
      return 'unheard';
    };
    const { id } = await ledger.withdraw('10.00', { pixKey: 'ana@example.com' });
    await eventually(() => expect(requests).toBe(1));
    ledger.status.set(ACCOUNT, 'frozen');
    ledger.payouts.fateOf = () => 'prompt';
    expect(await ended(id)).toMatchObject({ state: 'rolled-back', failure: { code: 'account-not-active' } });
    expect(ledger.payouts.totals().completed).toEqual([]);
  });

  it('is completed if the bank had it before the account was frozen', async () => {
    ledger.payouts.fateOf = () => 'paid-unanswered';
    const { id } = await ledger.withdraw('10.00', { pixKey: 'ana@example.com' });
    await eventually(() => expect(ledger.payouts.totals().completed).toEqual([paymentIdOf(id)]));
    ledger.status.set(ACCOUNT, 'frozen');
    expect(await ended(id)).toMatchObject({ state: 'completed' });
  });

  it('is not sent while the account is frozen', async () => {
    ledger.payouts.fateOf = () => 'held';
    const { id } = await ledger.withdraw('10.00', TED, { method: 'ted' });
    ledger.status.set(ACCOUNT, 'frozen');
    ledger.now = Date.parse('2026-11-23T12:00:00.000Z');
    expect(await ended(id)).toMatchObject({ state: 'rolled-back', failure: { code: 'account-not-active' } });
  });
});
