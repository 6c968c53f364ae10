import type { RefusedPayoutStatus } from '@ponte/contracts';
import { ListRefusedPayouts } from '@ponte/contracts';
import { systemContext } from '@ponte/event-sourcing';
import { isoTime } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { STRANGER_CPF } from '../testing/ledger-under-test';
import { paymentIdOf } from '../withdrawal/withdrawal.state';
import { CheckRefusedPayoutCommand } from './check-refused-payout.command';
import { CHECK_AGAIN_SECONDS } from './refused-payout.domain';

const ledger = ledgerForEachTest({ booksBalance: true });
beforeEach(() => ledger.fund('1000.00'));

const [HOUR, , WEEK] = CHECK_AGAIN_SECONDS;
const check = (withdrawalId: string) =>
  ledger.run(new CheckRefusedPayoutCommand({ withdrawalId }, systemContext(ledger.engines.ids, 'test')));
const listed = async (status: RefusedPayoutStatus | null, limit = 10) => {
  const page = { limit, cursor: null, createdFrom: null, createdTo: null };
  return (await ledger.ask(ListRefusedPayouts, { status, page })).items;
};

/** A withdrawal whose payment the bank has refused. */
async function refused(amount: string): Promise<string> {
  ledger.payouts.fateOf = () => 'refused';
  const { id } = await ledger.withdraw(amount, { pixKey: STRANGER_CPF });
  await eventually(async () => {
    await ledger.tick();
    expect((await ledger.withdrawal(id))?.state).toBe('rolled-back');
  });
  return id;
}

it('the ledger lists refused payouts with the time of their next check, the latest rollback first', async () => {
  const first = await refused('7.00');
  const rolledBackAt = (await ledger.withdrawal(first))?.stateUpdatedAt ?? '';
  ledger.now += 1_000;
  const second = await refused('8.00');
  const expected = {
    ...{ withdrawalId: first, orderId: null, status: 'waiting', method: 'pix', asset: 'fiat/brl', amount: '7.00' },
    ...{ reason: 'bank-refused', rolledBackAt, checkAgainAt: isoTime(Date.parse(rolledBackAt) + HOUR * 1_000) },
    ...{ endToEndId: null, postedAt: null },
  };
  // The rows follow the log.
  const found = await eventually(async () => {
    const rows = await listed(null);
    expect(rows).toHaveLength(2);
    return rows;
  });
  expect(found.map(({ withdrawalId }) => withdrawalId)).toEqual([second, first]);
  expect(found[1]).toMatchObject(expected);
  expect(await listed('waiting')).toEqual(found);
  expect(await listed('waiting', 1)).toEqual([found[0]]);
  for (const status of ['made', 'closed'] as const) expect(await listed(status)).toEqual([]);
});

it('the ledger lists the refused payouts that the bank made anyway apart from those that it did not make', async () => {
  const [made, closed] = [await refused('7.00'), await refused('8.00')];
  ledger.payouts.makeRefused(paymentIdOf(made), '7.00');
  ledger.now += (WEEK + 1) * 1_000;
  for (const id of [made, closed]) await check(id);
  await eventually(async () => {
    expect(await listed('waiting')).toEqual([]);
    expect(await listed('made')).toMatchObject([
      { withdrawalId: made, status: 'made', checkAgainAt: null, postedAt: expect.any(String) },
    ]);
    expect(await listed('closed')).toMatchObject([{ withdrawalId: closed, checkAgainAt: null, postedAt: null }]);
  });
});

it('the list of refused payouts has no withdrawal that was paid or waits', async () => {
  const { id } = await ledger.withdraw('9.00', { pixKey: STRANGER_CPF });
  await eventually(async () => {
    await ledger.tick();
    expect((await ledger.withdrawal(id))?.state).toBe('completed');
  });
  expect(await listed(null)).toEqual([]);
});
