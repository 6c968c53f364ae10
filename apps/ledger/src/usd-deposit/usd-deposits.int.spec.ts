import {
  ConfirmUsdDeposit,
  GetAnyDeposit,
  GetBalance,
  LEDGER_TRANSIT_SUBJECT,
  ListUsdDeposits,
  RecordUsdDeposit,
  RejectUsdDeposit,
} from '@ponte/contracts';
import { Refusal, derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import type { DepositFacts } from '../deposit/deposit.state';
import { Deposits } from '../deposit/deposits.repository';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT, START } from '../testing/ledger-under-test';

const ledger = ledgerForEachTest();

const record = async (
  amount = '2500.00',
  bankReference = 'SWIFT-1',
  accountId = ACCOUNT,
  documentSha256 = 'f'.repeat(64),
  named: { source: string | null; target: string | null } = { source: 'Example Bank of Ana', target: null },
) =>
  ledger.ask(RecordUsdDeposit, {
    accountId,
    amount,
    staffId: 'first',
    evidence: { bankReference, documentSha256 },
    coordinates: await ledger.engines.personalData.seal(LEDGER_TRANSIT_SUBJECT, JSON.stringify(named)),
  });
const CREATED = { status: 'created', page: { limit: 10, cursor: null, createdFrom: null, createdTo: null } } as const;
const code = (response: Promise<unknown>) =>
  response.then(
    () => 'not refused',
    (error: unknown) => (error instanceof Refusal ? error.code : Promise.reject(error as Error)),
  );
const usd = async () => (await ledger.ask(GetBalance, { accountId: ACCOUNT, assets: ['fiat/usd'] })).running;

describe('A USD deposit that staff record', () => {
  it('is credited once a different staff member confirms it, and not before', async () => {
    const { id, status } = await record();
    expect(status).toBe('created');
    await ledger.tick();
    expect(await usd()).toBe('0.00');
    expect(await code(ledger.ask(ConfirmUsdDeposit, { depositId: id, staffId: 'first' }))).toBe(
      'second-approver-required',
    );
    expect(await ledger.ask(ConfirmUsdDeposit, { depositId: id, staffId: 'second' })).toMatchObject({
      status: 'credited',
      type: 'manual-fx',
      asset: 'fiat/usd',
      amount: '2500.00',
    });
    expect(await ledger.ask(ConfirmUsdDeposit, { depositId: id, staffId: 'third' })).toMatchObject({
      status: 'credited',
    });
    expect(await usd()).toBe('2500.00');
    expect(await ledger.types('ledgerAccount-')).toEqual(['DepositPosted']);
    expect(JSON.stringify(await ledger.events())).not.toContain('Example Bank');
    await eventually(() => ledger.assertTrialBalance());
  });

  it('shows in a metric for how long it has waited for the second staff member, but not for a frozen account', async () => {
    const waiting = async (): Promise<string | undefined> => {
      const text = await ledger.engines.metrics.registry.metrics();
      return /^ponte_usd_deposit_oldest_unconfirmed_seconds (.+)$/m.exec(text)?.[1];
    };
    await eventually(async () => expect(await waiting()).toBe('0'));
    const { id } = await record();
    await eventually(async () => expect(await ledger.ask(ListUsdDeposits, CREATED)).toMatchObject({ items: [{ id }] }));
    ledger.now += 5 * 3_600_000;
    expect(Number(await waiting())).toBeGreaterThanOrEqual(5 * 3_600);
    ledger.status.set(ACCOUNT, 'frozen');
    await ledger.ask(ConfirmUsdDeposit, { depositId: id, staffId: 'second' });
    await eventually(async () => expect(await waiting()).toBe('0'));
  });

  it('is a single deposit per bank reference', async () => {
    const first = await record();
    expect((await record()).id).toBe(first.id);
    expect(await code(record('2600.00'))).toBe('external-id-already-used');
    expect(await code(record('1.00', 'SWIFT-2', 'unknown'))).toBe('account-not-found');
    for (const named of [
      { source: 'Example Bank of Eva', target: null },
      { source: null, target: null },
      { source: 'Example Bank of Ana', target: 'Account 2' },
    ])
      expect(await code(record('2500.00', 'SWIFT-1', ACCOUNT, 'f'.repeat(64), named))).toBe('external-id-already-used');
    // A reference is typed by hand: neither its case nor the leading zeros of a number make another payment.
    expect((await record('2500.00', 'Swift-1')).id).toBe(first.id);
    expect((await ledger.ask(ListUsdDeposits, CREATED)).items).toHaveLength(1);
  });

  it('refuses another document for the same payment, which no one would see', async () => {
    await record();
    expect(await code(record('2500.00', 'SWIFT-1', ACCOUNT, 'e'.repeat(64)))).toBe('external-id-already-used');
  });

  it('is a single deposit per control number, with or without its leading zeros', async () => {
    const first = await record('2500.00', '00042');
    expect((await record('2500.00', '42')).id).toBe(first.id);
  });

  it('is recognised if an earlier release recorded its reference as it was typed', async () => {
    const depositId = derivedId('deposit', 'manual-fx', 'swift-1');
    const evidence = { bankReference: 'swift-1', documentSha256: 'f'.repeat(64) };
    const facts: DepositFacts = {
      ...{ depositId, accountId: ACCOUNT, parentId: null, orderId: null },
      type: 'manual-fx',
      asset: 'fiat/usd',
      amount: '2500.00',
      endToEndId: evidence.bankReference,
      recorded: { staffId: 'first', evidence },
      coordinates: { source: null, target: null },
      ...{ settledAt: START, createdAt: START },
    };
    await ledger.part(Deposits).execute(depositId, { kind: 'create', facts }, ledger.context());
    const named = { source: null, target: null };
    expect((await record('2500.00', 'swift-1', ACCOUNT, 'f'.repeat(64), named)).id).toBe(depositId);
  });

  it('is voided when it is rejected, and nothing is sent back', async () => {
    const { id } = await record();
    expect(await ledger.ask(RejectUsdDeposit, { depositId: id, staffId: 'second' })).toMatchObject({
      status: 'voided',
      voidReason: 'refused-by-staff',
    });
    await ledger.tick();
    expect(await code(ledger.ask(RejectUsdDeposit, { depositId: id, staffId: 'third' }))).toBe('not refused');
    expect(await code(ledger.ask(ConfirmUsdDeposit, { depositId: id, staffId: 'second' }))).toBe('review-not-open');
    expect([await usd(), await ledger.types('deposit-')]).toEqual(['0.00', ['DepositCreated', 'DepositVoided']]);
    expect(await code(ledger.ask(ConfirmUsdDeposit, { depositId: ledger.freshId(), staffId: 'second' }))).toBe(
      'deposit-not-found',
    );
  });

  it('can be recorded again with correct data after a rejection', async () => {
    const { id } = await record('25000.00');
    await ledger.ask(RejectUsdDeposit, { depositId: id, staffId: 'second' });
    const again = await record('2500.00');
    expect([again.id === id, again.status]).toEqual([false, 'created']);
    expect((await record('2500.00')).id).toBe(again.id);
    await ledger.ask(ConfirmUsdDeposit, { depositId: again.id, staffId: 'second' });
    expect([await usd(), await code(record('2600.00'))]).toEqual(['2500.00', 'external-id-already-used']);
  });

  it('cannot be rejected once it is confirmed', async () => {
    const { id } = await record();
    await ledger.ask(ConfirmUsdDeposit, { depositId: id, staffId: 'second' });
    expect(await code(ledger.ask(RejectUsdDeposit, { depositId: id, staffId: 'third' }))).toBe('review-not-open');
    expect(await usd()).toBe('2500.00');
  });

  it('stays confirmed while the account is frozen', async () => {
    const { id } = await record();
    ledger.status.set(ACCOUNT, 'frozen');
    expect(await ledger.ask(ConfirmUsdDeposit, { depositId: id, staffId: 'second' })).toMatchObject({
      status: 'confirmed',
    });
    ledger.status.set(ACCOUNT, 'active');
    await eventually(async () => {
      await ledger.tick();
      expect(await usd()).toBe('2500.00');
    });
  });

  it('is neither recorded nor confirmed for a closed account, and can be rejected', async () => {
    const { id } = await record();
    ledger.status.set(ACCOUNT, 'closed');
    expect(await code(record('1.00', 'SWIFT-2'))).toBe('account-not-active');
    expect(await code(ledger.ask(ConfirmUsdDeposit, { depositId: id, staffId: 'second' }))).toBe('account-not-active');
    expect(await ledger.ask(RejectUsdDeposit, { depositId: id, staffId: 'second' })).toMatchObject({
      status: 'voided',
    });
    expect(await usd()).toBe('0.00');
  });

  it('is not credited if the account is closed after the confirmation', async () => {
    const { id } = await record();
    ledger.status.set(ACCOUNT, 'frozen');
    await ledger.ask(ConfirmUsdDeposit, { depositId: id, staffId: 'second' });
    ledger.status.set(ACCOUNT, 'closed');
    await eventually(async () => {
      await ledger.tick();
      expect((await ledger.ask(GetAnyDeposit, { depositId: id }))?.status).toBe('voided');
    });
    expect(await code(ledger.ask(ConfirmUsdDeposit, { depositId: id, staffId: 'second' }))).toBe('review-not-open');
    expect(await usd()).toBe('0.00');
  });
});
