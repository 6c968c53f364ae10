import type { ClearWithdrawalTarget } from '@ponte/contracts';
import { ListAllWithdrawals, ListWithdrawals, SettleTokenWithdrawal } from '@ponte/contracts';
import { Refusal, Unavailable, pixKeyOf } from '@ponte/kernel';
import type { MemoryEventStore } from '@ponte/testing';
import { eventually } from '@ponte/testing';
import { CLEAN_ADDRESS } from '../testing/fund-tokens';
import type { LedgerUnderTest } from '../testing/ledger-under-test';
import { ACCOUNT, HOLDER_CPF, STRANGER_CPF } from '../testing/ledger-under-test';
import { ReceiveReturnedPaymentCommand } from '../payouts/receive-returned-payment.command';
import { paymentIdOf } from './withdrawal.state';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';

const world = ledgerForEachTest();
let ledger: LedgerUnderTest<MemoryEventStore>;
beforeEach(async () => {
  ledger = world.ledger;
  await ledger.fund('1000.00');
});

const KEY = { pixKey: STRANGER_CPF };
const TED: Partial<ClearWithdrawalTarget> = {
  bankCode: '756',
  branchNumber: '1',
  accountNumber: '123456-7',
  accountHolderName: 'Ana Duarte',
  accountHolderTaxId: STRANGER_CPF,
};
const PAGE = { limit: 50, cursor: null, createdFrom: null, createdTo: null };
const NO_FILTERS = { asset: null, state: null, method: null, externalId: null };

const refusal = async (asked: Promise<unknown>): Promise<string[]> => {
  try {
    await asked;
  } catch (error) {
    if (error instanceof Refusal) return error.violations.map(({ code, path }) => `${code} ${path}`);
    throw error;
  }
  throw new Error('it was not refused');
};
const ended = (id: string) =>
  eventually(async () => {
    await ledger.tick();
    const record = await ledger.withdrawal(id);
    if (record?.state !== 'completed' && record?.state !== 'rolled-back')
      throw new Error(`the withdrawal is ${record?.state}`);
    return record;
  });

describe('a withdrawal by Pix', () => {
  it('holds the funds, is paid under its own id, and debits them', async () => {
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

  it('leaves nothing personal in the log', async () => {
    await ended((await ledger.withdraw('1.00', { pixKey: 'ana.secret@example.com' })).id);
    const log = JSON.stringify(await ledger.events());
    expect(log).not.toContain('ana.secret');
    expect(log).not.toContain(STRANGER_CPF);
  });

  it.each([
    ['is sent again under the same id when the first request was not heard', '10.91', 'completed'],
    ['is read when the bank paid and did not answer', '10.92', 'completed'],
    ['waits for a bank that answers late', '10.93', 'completed'],
    ['is paid once when the bank tells of it early and twice', '10.94', 'completed'],
    ['is rolled back when the bank refuses it', '10.95', 'rolled-back'],
    ['is rolled back when the bank refuses it later', '10.96', 'rolled-back'],
    ['outlasts a bank that is out of order', '10.98', 'completed'],
  ] as const)('%s', async (_case, amount, state) => {
    const { id } = await ledger.withdraw(amount, KEY);
    expect(await ended(id)).toMatchObject({ state });
    const after =
      state === 'completed' ? `${989}.${String(100 - Number(amount.slice(-2))).padStart(2, '0')}` : '1000.00';
    expect(await ledger.balance()).toEqual({ running: after, available: after, held: '0.00' });
    expect(ledger.payouts.totals().completed).toEqual(state === 'completed' ? [paymentIdOf(id)] : []);
    await eventually(() => ledger.assertTrialBalance());
  });

  it('tells why it was rolled back, and its funds can be spent again', async () => {
    expect(await ended((await ledger.withdraw('999.95', KEY)).id)).toMatchObject({
      failure: { code: 'bank-refused', retryable: true },
    });
    expect(await ended((await ledger.withdraw('1000.00', KEY)).id)).toMatchObject({ state: 'completed' });
  });

  // spec: a changed owner must stop the withdrawal
  it('is stopped when the key changed its owner between creation and sending', async () => {
    expect(await ended((await ledger.withdraw('10.00', { pixKey: 'moving@pix.example' })).id)).toMatchObject({
      state: 'rolled-back',
      failure: { code: 'pix-key-owner-changed' },
    });
    expect(ledger.payouts.totals().completed).toEqual([]);
  });

  it('is stopped at the bank when the key changed its owner after a request that was not answered', async () => {
    ledger.payouts.fateOf = () => 'unheard';
    const { id } = await ledger.withdraw('10.00', { pixKey: 'ana@example.com' });
    await eventually(async () => {
      expect(await ledger.withdrawal(id)).toMatchObject({ state: 'processing' });
    });
    ledger.payouts.directory.move(pixKeyOf('ana@example.com') ?? { kind: 'evp', value: '' });
    expect(await ended(id)).toMatchObject({ state: 'rolled-back', failure: { code: 'pix-key-owner-changed' } });
    // A request that reaches the bank late finds the payment ruled out.
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

  it('is ruled out at the bank when the account was frozen after a request that never arrived', async () => {
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

  it('finishes when the bank had it before the account was frozen', async () => {
    ledger.payouts.fateOf = () => 'paid-unanswered';
    const { id } = await ledger.withdraw('10.00', { pixKey: 'ana@example.com' });
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

describe('a request for a withdrawal', () => {
  it('is refused by every rule of the account, and nothing stays behind', async () => {
    expect(await refusal(ledger.withdraw('1000.01', KEY))).toEqual(['insufficient-balance amount']);
    expect(await refusal(ledger.withdraw('10.00', { pixKey: 'unknown@pix.example' }))).toEqual([
      'pix-key-not-found pix-key',
    ]);
    await expect(ledger.withdraw('10.00', { pixKey: 'silent@pix.example' })).rejects.toEqual(
      new Unavailable('rail-unavailable'),
    );
    expect(await refusal(ledger.withdraw('10.001', { pixKey: '1' }))).toEqual([
      'amount-scale-exceeded amount',
      'invalid-pix-key pix-key',
    ]);
    for (const [code, path] of [
      ['invalid-address', 'destination-wallet-address'],
      ['same-source-and-target', 'destination-wallet-address'],
      ['asset-not-supported', 'asset'],
    ] as const) {
      ledger.refusedDestinations.set(CLEAN_ADDRESS, code);
      const asset = { asset: 'eth-base/brlv', method: 'token' } as const;
      expect(await refusal(ledger.withdraw('1', { destinationWalletAddress: CLEAN_ADDRESS }, asset))).toEqual([
        `${code} ${path}`,
      ]);
    }
    ledger.refusedDestinations.clear();
    const tokens = () =>
      ledger.withdraw(
        '1',
        { destinationWalletAddress: '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf' },
        { asset: 'eth-base/usdc', method: null },
      );
    expect(await refusal(tokens())).toEqual(['insufficient-balance amount']);
    jest.replaceProperty(ledger.settings, 'tokenWithdrawals', false);
    expect(await refusal(tokens())).toEqual(['asset-not-supported asset']);
    ledger.status.set(ACCOUNT, 'frozen');
    expect(await refusal(ledger.withdraw('10.00', KEY))).toEqual(['account-not-active ']);
    expect(await ledger.types('withdrawal-')).toEqual([]);
    expect(await ledger.balance()).toMatchObject({ available: '1000.00', held: '0.00' });
  });

  // For operations that move money the key never expires
  it('is one withdrawal for ever under one idempotency key', async () => {
    const scope = { withdrawalId: ledger.freshId(), keyHash: 'k', bodyHash: 'b' };
    const first = await ledger.withdraw('10.00', KEY, scope);
    expect(await ledger.withdraw('10.00', KEY, scope)).toEqual(first);
    expect(await refusal(ledger.withdraw('11.00', KEY, { ...scope, bodyHash: 'c' }))).toEqual([
      'idempotency-key-reused ',
    ]);
    await ended(first.id);
    ledger.now += 40 * 24 * 60 * 60 * 1000;
    expect(await ledger.withdraw('10.00', KEY, scope)).toMatchObject({ id: first.id, state: 'completed' });
    expect((await ledger.balance()).running).toBe('990.00');
  });

  it('uses an external id once per account, also when two ask at once', async () => {
    const both = await Promise.allSettled(
      ['1.00', '2.00'].map((amount) => ledger.withdraw(amount, KEY, { externalId: 'invoice-1' })),
    );
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [refused] = both.flatMap((one) => (one.status === 'rejected' ? [one.reason as Refusal] : []));
    expect(refused?.code).toBe('external-id-already-used');
    await eventually(async () => {
      expect((await ledger.balance()).held).toBe('0.00');
    });
    expect(await refusal(ledger.withdraw('3.00', KEY, { externalId: 'invoice-1' }))).toEqual([
      'external-id-already-used external-id',
    ]);
  });

  it('gives an external id back when it is refused', async () => {
    expect(await refusal(ledger.withdraw('5000.00', KEY, { externalId: 'invoice-2' }))).toEqual([
      'insufficient-balance amount',
    ]);
    expect(await ledger.withdraw('5.00', KEY, { externalId: 'invoice-2' })).toMatchObject({ externalId: 'invoice-2' });
  });
});

describe('a withdrawal by TED', () => {
  // The suite begins on 20 November, a national holiday and a Friday.
  it('waits for banking hours as `created`, and says until when', async () => {
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

  it('waits for the next ones when it missed those that it waited for', async () => {
    const { id } = await ledger.withdraw('100.00', TED, { method: 'ted' });
    ledger.now = Date.parse('2026-11-23T21:00:00.000Z');
    await ledger.tick();
    expect(await ledger.withdrawal(id)).toMatchObject({ state: 'created', scheduledFor: '2026-11-24T09:30:00.000Z' });
  });

  it('goes out at once within them', async () => {
    ledger.now = Date.parse('2026-11-23T15:00:00.000Z');
    expect(await ledger.withdraw('100.00', TED, { method: 'ted' })).toMatchObject({
      state: 'created',
      scheduledFor: null,
    });
  });
});

describe('a payment that the bank returns after completion', () => {
  // A bank return after completion is a new deposit that names the withdrawal
  it('is a new deposit that names the withdrawal, for every payee', async () => {
    const { id } = await ledger.withdraw('10.97', KEY);
    expect(await ended(id)).toMatchObject({ state: 'completed' });
    ledger.now += 3 * 24 * 60 * 60 * 1000;
    await eventually(async () => {
      await ledger.tick();
      expect((await ledger.balance()).running).toBe('1000.00');
    });
    const [deposit] = await ledger.deposits();
    expect(deposit).toMatchObject({
      withdrawalId: id,
      amount: '10.97',
      status: 'credited',
      type: 'pix',
      endToEndId: expect.stringMatching(/^D/),
    });
    expect(await ledger.withdrawal(id)).toMatchObject({ state: 'completed' });
    await ledger.tick();
    expect((await ledger.deposits()).filter(({ withdrawalId }) => withdrawalId !== null)).toHaveLength(1);
    await eventually(() => ledger.assertTrialBalance());
  });

  it('is no deposit when the withdrawal was rolled back, and does not hold up the others', async () => {
    const { id } = await ledger.withdraw('10.95', KEY);
    expect(await ended(id)).toMatchObject({ state: 'rolled-back' });
    const returned = { returnId: 'D1', amount: '10.95', returnedAt: '2026-11-20T12:00:00.000Z' };
    const payment = { paymentId: paymentIdOf(id), refusal: null, endToEndId: 'E1', returns: [returned] };
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

describe('lists of withdrawals', () => {
  it('filter and page, newest first, for the account and for staff', async () => {
    const first = await ledger.withdraw('1.00', KEY, { externalId: 'x-1' });
    ledger.now += 1;
    const second = await ledger.withdraw('2.00', TED, { method: 'ted' });
    await ended(first.id);
    const list = async (filters: object, page = PAGE) =>
      (
        await ledger.ask(ListWithdrawals, { accountId: ACCOUNT, filters: { ...NO_FILTERS, ...filters }, page })
      ).items.map(({ id }) => id);
    expect(await list({})).toEqual([second.id, first.id]);
    expect(await list({ state: 'completed' })).toEqual([first.id]);
    expect(await list({ method: 'ted' })).toEqual([second.id]);
    expect(await list({ externalId: 'x-1' })).toEqual([first.id]);
    expect(await list({ asset: 'eth-base/usdc' })).toEqual([]);
    const { next } = await ledger.ask(ListWithdrawals, {
      accountId: ACCOUNT,
      filters: NO_FILTERS,
      page: { ...PAGE, limit: 1 },
    });
    expect(await list({}, { ...PAGE, cursor: next as never })).toEqual([first.id]);
    expect(
      (await ledger.ask(ListAllWithdrawals, { accountId: null, filters: NO_FILTERS, page: PAGE })).items,
    ).toHaveLength(2);
  });
});

describe('between services', () => {
  it('an outcome of a token withdrawal needs one', async () => {
    const { id } = await ledger.withdraw('1.00', { pixKey: HOLDER_CPF });
    expect(
      await refusal(
        ledger.ask(SettleTokenWithdrawal, { withdrawalId: id, outcome: { state: 'completed', txHash: '0x' } }),
      ),
    ).toEqual(['withdrawal-not-found ']);
  });
});
