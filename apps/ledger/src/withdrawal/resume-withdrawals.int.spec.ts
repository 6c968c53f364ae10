import { Unavailable } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT, STRANGER_CPF } from '../testing/ledger-under-test';
import { WithdrawalFunds } from './withdrawal-funds.service';
import { withdrawalHoldId } from './withdrawal.state';
import { WithdrawalReadModel } from './withdrawals.read-model';

const ledger = ledgerForEachTest();
beforeEach(() => ledger.fund('1000.00'));

const STUCK = 5;

it('the timer resumes due withdrawals on every page, even if those on the first pages stay stuck', async () => {
  const due = WithdrawalReadModel.prototype.due;
  let pages = 0;
  const inSmallPages = jest.spyOn(WithdrawalReadModel.prototype, 'due').mockImplementation(async function* (
    this: WithdrawalReadModel,
    before,
  ) {
    for await (const ids of due.call(this, before, 2)) {
      pages += 1;
      yield ids;
    }
  });
  ledger.payouts.fateOf = () => 'unheard';
  ledger.payouts.readTimesOut = () => true;
  const withdrawals = await Promise.all(
    Array.from({ length: STUCK + 1 }, (_, at) => ledger.withdraw(`${at + 1}.00`, { pixKey: STRANGER_CPF })),
  );
  await eventually(async () => {
    for (const { id } of withdrawals) expect((await ledger.withdrawal(id))?.state).toBe('processing');
  });
  await ledger.tick();
  // The withdrawals due longest are still stuck; only the one that became due last can be paid.
  const order = await eventually(async () => {
    const all = await Promise.all(withdrawals.map(({ id }) => ledger.withdrawal(id)));
    return all
      .map((one) => `${one?.stateUpdatedAt} ${one?.id}`)
      .sort()
      .map((one) => one.split(' ')[1] ?? '');
  });
  const last = order.at(-1) ?? '';
  pages = 0;
  ledger.payouts.fateOf = ({ paymentId }) => (paymentId === last.replaceAll('-', '') ? 'prompt' : 'unheard');
  ledger.payouts.readTimesOut = (paymentId) => paymentId !== last.replaceAll('-', '');
  await eventually(async () => {
    await ledger.tick();
    expect((await ledger.withdrawal(last))?.state).toBe('completed');
  });
  for (const id of order.slice(0, -1)) expect((await ledger.withdrawal(id))?.state).toBe('processing');
  expect(pages).toBeGreaterThan(STUCK / 2);
  inSmallPages.mockRestore();
});

it('the hold of an interrupted request is counted until the sweep gives it back, and that of an open withdrawal is not', async () => {
  ledger.payouts.fateOf = () => 'unheard';
  ledger.payouts.readTimesOut = () => true;
  await ledger.withdraw('100.00', { pixKey: STRANGER_CPF });
  ledger.store.faults.next({ kind: 'refuse', match: (_stream, events) => events[0]?.type === 'WithdrawalCreated' });
  await expect(ledger.withdraw('1.00', { pixKey: STRANGER_CPF })).rejects.toBeInstanceOf(Unavailable);
  const metric = ledger.engines.metrics.registry.getSingleMetric('ponte_holds_without_withdrawal');
  const counts = (expected: number) =>
    eventually(async () => expect((await metric?.get())?.values).toMatchObject([{ value: expected }]));
  ledger.now += 15 * 60_000;
  await counts(0);
  ledger.now += 1;
  await counts(1);
  await ledger.tick();
  await counts(0);
  expect((await ledger.balance()).held).toBe('100.00');
});

it('the sweep keeps the hold of a withdrawal that was created after the sweep found none', async () => {
  ledger.payouts.fateOf = () => 'unheard';
  ledger.payouts.readTimesOut = () => true;
  const { id } = await ledger.withdraw('100.00', { pixKey: STRANGER_CPF });
  const hold = { accountId: ACCOUNT, holdId: withdrawalHoldId(id, 0), externalId: null } as const;
  const reservation = { ...hold, withdrawalId: id, asset: 'fiat/brl', amount: '100.00' } as const;
  await ledger.part(WithdrawalFunds).abandon(reservation, ledger.context());
  expect(await ledger.types('ledgerAccount-')).not.toContain('HoldReleased');
  expect((await ledger.balance()).held).toBe('100.00');
});
