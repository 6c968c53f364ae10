import { GetTrialBalance } from '@ponte/contracts';
import { systemContext } from '@ponte/event-sourcing';
import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import { eventually, rebuiltRows, shownRows } from '@ponte/testing';
import { LEDGER_REBUILDABLE } from '../ledger.read-models';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { STRANGER_CPF } from '../testing/ledger-under-test';
import type { Payout } from '../payouts/payouts.port';
import { paymentIdOf } from '../withdrawal/withdrawal.state';
import { CheckRefusedPayoutCommand } from './check-refused-payout.command';
import { CheckRefusedPayoutsCommand } from './check-refused-payouts.command';
import { CHECK_AGAIN_SECONDS } from './refused-payout.domain';

const ledger = ledgerForEachTest({ booksBalance: true });
beforeEach(() => ledger.fund('1000.00'));

const [HOUR, DAY, WEEK] = CHECK_AGAIN_SECONDS;
const REFUSED = ['WithdrawalCreated', 'WithdrawalProcessingStarted', 'WithdrawalRolledBack'];
const POSTED = [...REFUSED, 'RefusedPayoutPosted'];

/** Runs what the timers run, and the job that checks refused payouts again. */
async function tick(): Promise<void> {
  await ledger.tick();
  await ledger.run(new CheckRefusedPayoutsCommand(systemContext(ledger.engines.ids, 'test')));
}
const ticksUntil = (work: () => Promise<void>): Promise<void> =>
  eventually(async () => {
    await tick();
    await work();
  });
const later = (seconds: number): void => {
  ledger.now += seconds * 1000;
};
/** A withdrawal of 7.00 that was rolled back, because the bank refused it or because Ponte had it cancelled. */
async function rolledBack(how: 'refused' | 'cancelled' = 'refused'): Promise<string> {
  ledger.payouts.fateOf = () => (how === 'refused' ? 'refused' : 'unheard');
  const { id } = await ledger.withdraw('7.00', { pixKey: STRANGER_CPF });
  if (how === 'cancelled') {
    await eventually(async () => expect((await ledger.withdrawal(id))?.state).toBe('processing'));
    ledger.status.set((await ledger.withdrawal(id))?.accountId ?? '', 'frozen');
  }
  await ticksUntil(async () => expect((await ledger.withdrawal(id))?.state).toBe('rolled-back'));
  return id;
}
const make = (id: string) => ledger.payouts.makeRefused(paymentIdOf(id), '7.00');
const types = (id: string) => ledger.types(`withdrawal-${id}`);
const check = (id: string) =>
  ledger.run(new CheckRefusedPayoutCommand({ withdrawalId: id }, systemContext(ledger.engines.ids, 'test')));
const lost = async () =>
  (await ledger.ask(GetTrialBalance, { customers: false })).lines.find(({ account }) => account === 'house:loss')
    ?.amount;
const measured = async () =>
  (await ledger.engines.metrics.registry.getSingleMetric('ponte_refused_payouts_made')?.get())?.values[0]?.value;
const logged = () =>
  ledger.lines.filter(
    (line) => line.includes('"level":50') && line.includes('made a payout after its withdrawal was rolled back'),
  );

describe('A payout that the bank makes', () => {
  it.each(['refused', 'cancelled'] as const)(
    'after it was %s is a loss of the house, once, and is counted and logged',
    async (how) => {
      const id = await rolledBack(how);
      const shown = await ledger.withdrawal(id);
      expect(await measured()).toBe(0);
      const endToEndId = make(id);
      later(HOUR);
      await ticksUntil(async () => expect(await types(id)).toEqual(POSTED));
      const [posted] = (await ledger.events(`withdrawal-${id}`)).slice(-1);
      expect(posted?.data).toMatchObject({ endToEndId, amount: { asset: 'fiat/brl', amount: '7.00' } });
      await eventually(async () =>
        expect([await measured(), await lost(), logged()]).toEqual([1, '-7.00', [expect.anything()]]),
      );
      expect(await ledger.withdrawal(id)).toEqual(shown);
      expect((await ledger.balance()).available).toBe('1000.00');
      await ledger.restart();
      later(WEEK);
      await tick();
      await check(id);
      expect([await types(id), await measured(), await lost()]).toEqual([POSTED, 1, '-7.00']);
    },
  );

  it('after the first check is found by a later one, even after a restart', async () => {
    const id = await rolledBack();
    later(HOUR);
    await ticksUntil(async () => expect(await types(id)).toEqual([...REFUSED, 'RefusedPayoutChecked']));
    await tick();
    make(id);
    await ledger.restart();
    await tick();
    expect(await types(id)).toEqual([...REFUSED, 'RefusedPayoutChecked']);
    later(DAY);
    await ticksUntil(async () => expect(await types(id)).toEqual([...REFUSED, 'RefusedPayoutChecked', POSTED.at(-1)]));
  });

  it('is found when its money comes back after the last check', async () => {
    const id = await rolledBack();
    later(WEEK);
    const CHECKED = [...REFUSED, 'RefusedPayoutChecked'];
    await ticksUntil(async () => expect(await types(id)).toEqual(CHECKED));
    later(WEEK);
    await tick();
    expect(await types(id)).toEqual(CHECKED);
    make(id);
    ledger.payouts.returnPayment(paymentIdOf(id));
    await ticksUntil(async () => expect(await types(id)).toEqual([...CHECKED, 'RefusedPayoutPosted']));
    expect((await ledger.balance()).available).toBe('1000.00');
  });

  it('is found at once if the bank sends a notice', async () => {
    const id = await rolledBack();
    ledger.payouts.makeRefused(paymentIdOf(id), '7.00', 'announced');
    await eventually(async () => expect(await types(id)).toEqual(POSTED));
  });

  it('with another amount is reported, and posted only once the bank corrects it', async () => {
    const id = await rolledBack();
    make(id);
    const get = ledger.payouts.get.bind(ledger.payouts);
    const wrong = jest
      .spyOn(ledger.payouts, 'get')
      .mockImplementation(async (one) => ({ ...((await get(one)) as Payout), amount: '7.01' }));
    later(HOUR);
    const reports = (): number => ledger.lines.filter((line) => line.includes('"reason":"payment-amount"')).length;
    // Each check reports it, so that the alert stays.
    await ticksUntil(async () => expect(reports()).toBeGreaterThan(1));
    expect([await types(id), await measured()]).toEqual([REFUSED, 0]);
    wrong.mockRestore();
    await ticksUntil(async () => expect(await types(id)).toEqual(POSTED));
  });

  it('is posted once if it is checked several times at the same time', async () => {
    const id = await rolledBack();
    make(id);
    await Promise.all(Array.from({ length: 8 }, () => check(id)));
    expect(await types(id)).toEqual(POSTED);
  });

  it.each(
    (['refuse', 'lose-reply', 'crash-after-append'] as const).flatMap((kind) =>
      ['SettlementReferenceBooked', 'RefusedPayoutPosted'].map((type) => [kind, type] as const),
    ),
  )('is posted once after a fault (%s) at the append of %s', async (kind, type) => {
    const id = await rolledBack();
    make(id);
    const { struck } = ledger.store.faults.next({
      kind,
      match: (_stream, events) => events.some((event) => event.type === type),
    });
    await check(id).catch(() => undefined);
    await struck;
    if (kind === 'crash-after-append') await ledger.restart();
    later(HOUR);
    await ticksUntil(async () => expect(await types(id)).toEqual(POSTED));
    await eventually(async () => expect(await lost()).toBe('-7.00'));
  });
});

it('The list of refused payouts is the same after a rebuild from the log', async () => {
  const [made, refused] = [await rolledBack(), await rolledBack()];
  make(made);
  await check(made);
  const name = 'ledger_refused_payouts_v2';
  await eventually(async () => {
    const { [name]: rows } = await shownRows(ledger.engines.readModels, [name]);
    expect(rows?.map((row) => (row as { posted_at: string | null }).posted_at === null).sort()).toEqual([false, true]);
    const db = openSqliteReadModels<unknown>(':memory:');
    expect((await rebuiltRows(LEDGER_REBUILDABLE, db, ledger.store))[name]).toEqual(rows);
    await db.destroy();
  });
  expect(await types(refused)).toEqual(REFUSED);
});

describe('A payout that stays refused', () => {
  it('is checked three times, and without an answer again until there is one', async () => {
    const id = await rolledBack();
    ledger.payouts.readTimesOut = () => true;
    later(HOUR);
    await tick();
    expect(await types(id)).toEqual(REFUSED);
    ledger.payouts.readTimesOut = () => false;
    for (const [count, seconds] of [0, DAY, WEEK].entries()) {
      later(seconds);
      const CHECKED = [...REFUSED, ...Array.from({ length: count + 1 }, () => 'RefusedPayoutChecked')];
      await ticksUntil(async () => expect(await types(id)).toEqual(CHECKED));
    }
    await eventually(async () => {
      const rows = await shownRows(ledger.engines.readModels, ['ledger_refused_payouts_v2']);
      expect(rows['ledger_refused_payouts_v2']).toMatchObject([{ id, check_again_at: null }]);
    });
    const reads = jest.spyOn(ledger.payouts, 'get');
    later(4 * WEEK);
    for (let round = 0; round < 3; round += 1) await tick();
    expect(reads).not.toHaveBeenCalled();
    expect([(await types(id)).length, await measured(), await lost()]).toEqual([6, 0, undefined]);
  });
});
