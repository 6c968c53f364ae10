import { GetTrialBalance } from '@ponte/contracts';
import { systemContext } from '@ponte/event-sourcing';
import { eventually } from '@ponte/testing';
import type { Payout } from '../payouts/payouts.port';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { STRANGER_CPF } from '../testing/ledger-under-test';
import { failureOf } from '../withdrawal/withdrawal.failures';
import { WithdrawalFunds } from '../withdrawal/withdrawal-funds.service';
import { Withdrawals } from '../withdrawal/withdrawals.repository';
import { paymentIdOf } from '../withdrawal/withdrawal.state';
import { CheckRefusedPayoutCommand } from './check-refused-payout.command';
import { CheckRefusedPayoutsCommand } from './check-refused-payouts.command';
import { CHECK_AGAIN_SECONDS } from './refused-payout.domain';

const ledger = ledgerForEachTest({ booksBalance: true });
beforeEach(() => ledger.fund('1000.00'));

const [HOUR, , WEEK] = CHECK_AGAIN_SECONDS;
const REFUSED = ['WithdrawalCreated', 'WithdrawalProcessingStarted', 'WithdrawalRolledBack'];
const ENDED = [...REFUSED, 'RefusedPayoutAlreadyPosted'];
const types = (id: string) => ledger.types(`withdrawal-${id}`);
const check = (id: string) =>
  ledger.run(new CheckRefusedPayoutCommand({ withdrawalId: id }, systemContext(ledger.engines.ids, 'test')));
const isRolledBack = (id: string) =>
  eventually(async () => {
    await ledger.tick();
    expect((await ledger.withdrawal(id))?.state).toBe('rolled-back');
  });
const lost = async () =>
  (await ledger.ask(GetTrialBalance, { customers: false })).lines.find(({ account }) => account === 'house:loss')
    ?.amount;
const contradictions = async () =>
  (await ledger.engines.metrics.registry.getSingleMetric('ponte_payouts_contradicted_total')?.get())?.values.find(
    ({ labels }) => labels['reason'] === 'payment-posted',
  )?.value;

/** The bank says that it refused every payment. */
const refusals = () =>
  jest.spyOn(ledger.payouts, 'get').mockImplementation(async (paymentId): Promise<Payout> => ({
    ...{ paymentId, status: 'refused', refusal: 'bank-refused', amount: '7.00', endToEndId: null, returns: [] },
  }));

/** A payment that the account was debited for before the process failed. Then the bank says that it refused it. */
async function posted() {
  const refused = refusals();
  const { struck } = ledger.store.faults.next({
    kind: 'refuse',
    match: (_stream, events) => events.some(({ type }) => type === 'WithdrawalCompleted'),
  });
  const { id } = await ledger.withdraw('7.00', { pixKey: STRANGER_CPF });
  await struck;
  expect(ledger.payouts.totals().completed).toEqual([paymentIdOf(id)]);
  return { id, refused };
}

/** The same, but another process had not seen the debit and rolled the withdrawal back. The metrics start again. */
async function postedAndRolledBack(): Promise<string> {
  const { id, refused } = await posted();
  const rollBack = { kind: 'roll-back', from: 'processing', failure: failureOf('bank-refused') } as const;
  await ledger.part(Withdrawals).execute(id, (now) => ({ ...rollBack, now }), ledger.context());
  await ledger.restart();
  refused.mockRestore();
  return id;
}

describe('A payout that the account was debited for and that the bank then reports as refused', () => {
  it('is reported and stays processing, and is completed once the bank says again that it made it', async () => {
    const { id, refused } = await posted();
    for (let round = 0; round < 2; round += 1) await ledger.tick();
    expect((await ledger.withdrawal(id))?.state).toBe('processing');
    expect(await contradictions()).toBeGreaterThanOrEqual(2);
    refused.mockRestore();
    await eventually(async () => {
      await ledger.tick();
      expect((await ledger.withdrawal(id))?.state).toBe('completed');
    });
    expect((await ledger.balance()).running).toBe('993.00');
  });

  it('is reported by the check of refused payouts if another process rolled it back', async () => {
    const id = await postedAndRolledBack();
    const refused = refusals();
    expect(await contradictions()).toBe(0);
    ledger.now += HOUR * 1000;
    await check(id);
    expect([await types(id), await contradictions()]).toEqual([[...REFUSED, 'RefusedPayoutChecked'], 1]);
    refused.mockRestore();
  });

  it('is credited to the account if the bank returns it, although the withdrawal was rolled back', async () => {
    const id = await postedAndRolledBack();
    ledger.payouts.returnPayment(paymentIdOf(id));
    await eventually(async () => {
      await ledger.tick();
      expect((await ledger.deposits())[0]).toMatchObject({ withdrawalId: id, amount: '7.00', status: 'credited' });
      expect((await ledger.balance()).running).toBe('1000.00');
    });
    expect([await types(id), await lost()]).toEqual([ENDED, undefined]);
  });
});

describe('A refused payout that the bank made', () => {
  it('is reported, not posted again, if the account was debited before the rollback', async () => {
    const id = await postedAndRolledBack();
    expect(await contradictions()).toBe(0);
    for (let round = 0; round < 2; round += 1) await check(id);
    expect([await types(id), await lost(), await contradictions()]).toEqual([ENDED, undefined, 1]);
    expect((await ledger.balance()).running).toBe('993.00');
    expect(ledger.lines.join()).toContain('"reason":"payment-posted"');
  });

  it('is neither checked nor reported again after that, even after a restart', async () => {
    const id = await postedAndRolledBack();
    await check(id);
    await ledger.restart();
    const get = jest.spyOn(ledger.payouts, 'get');
    ledger.now += WEEK * 1000;
    await ledger.run(new CheckRefusedPayoutsCommand(systemContext(ledger.engines.ids, 'test')));
    await check(id);
    expect(get).not.toHaveBeenCalled();
    expect([await types(id), await contradictions()]).toEqual([ENDED, 0]);
  });

  it.each(['refuse', 'lose-reply', 'crash-after-append'] as const)(
    'ends once, and is reported, after a fault (%s) at its last event',
    async (kind) => {
      const id = await postedAndRolledBack();
      const { struck } = ledger.store.faults.next({
        kind,
        match: (_stream, events) => events.some(({ type }) => type === 'RefusedPayoutAlreadyPosted'),
      });
      await check(id).catch(() => undefined);
      await struck;
      expect(ledger.lines.join()).toContain('"reason":"payment-posted"');
      if (kind === 'crash-after-append') await ledger.restart();
      await check(id);
      expect([await types(id), await lost()]).toEqual([ENDED, undefined]);
    },
  );

  it('is posted only after the hold has ended, so that no process can debit the account too', async () => {
    const release = jest.spyOn(WithdrawalFunds.prototype, 'release').mockResolvedValue();
    ledger.payouts.fateOf = () => 'refused';
    const { id } = await ledger.withdraw('7.00', { pixKey: STRANGER_CPF });
    await isRolledBack(id);
    release.mockRestore();
    expect((await ledger.balance()).held).toBe('7.00');
    ledger.payouts.makeRefused(paymentIdOf(id), '7.00');
    await check(id);
    expect(await types(id)).toEqual([...REFUSED, 'RefusedPayoutPosted']);
    expect((await ledger.types('ledgerAccount-')).at(-1)).toBe('HoldReleased');
  });
});
