import type { AmountOf } from '@ponte/contracts';
import { AccountClosed, GetTrialBalance } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT } from '../testing/ledger-under-test';

const ledger = ledgerForEachTest({ booksBalance: true });

const unclaimed = async () =>
  (await ledger.ask(GetTrialBalance, { customers: false })).lines.filter(
    ({ account, amount }) => account === 'house:unclaimed' && amount !== '0.00',
  );
const posted = async () => (await ledger.types('ledgerAccount-')).filter((type) => type === 'BalanceWrittenOff');
const cents = (amount: string): AmountOf => ({ asset: 'fiat/brl', amount });

/** Onboarding closed the account. */
async function close(writeOff?: readonly AmountOf[]): Promise<void> {
  ledger.status.set(ACCOUNT, 'closed');
  const id = ledger.freshId();
  const data = {
    ...{ accountId: ACCOUNT, reason: 'holder-request', evidence: null },
    ...{ requestedBy: 'one', confirmedBy: 'two', closedAt: '2026-11-20T12:00:00.000Z' },
    ...(writeOff && { writeOff }),
  } satisfies AccountClosed['data'];
  const meta = { commandId: id, index: 0, count: 1, occurredAt: data.closedAt, correlationId: id };
  await ledger.store.append(`account-${ACCOUNT}`, -1, [{ id, type: AccountClosed.type, version: 1, data, meta }]);
}

describe('What is left of an account that was closed', () => {
  it('is written off as two staff members decided, once, and the balance is zero', async () => {
    await ledger.fund('0.01');
    await close([cents('0.01')]);
    await eventually(async () => {
      expect(await ledger.balance()).toEqual({ running: '0.00', available: '0.00', held: '0.00' });
      expect(await unclaimed()).toEqual([{ account: 'house:unclaimed', ...cents('0.01') }]);
    });
    await ledger.restart();
    await ledger.tick();
    expect(await posted()).toHaveLength(1);
  });

  it('is written off although the first attempt fails', async () => {
    await ledger.fund('0.01');
    const { struck } = ledger.store.faults.next({
      kind: 'refuse',
      match: (_stream, events) => events.some(({ type }) => type === 'BalanceWrittenOff'),
    });
    await close([cents('0.01')]);
    await struck;
    await eventually(async () => expect(await posted()).toHaveLength(1));
  });

  it('is not written off if the balance is another by then, which is reported', async () => {
    await ledger.fund('0.02');
    await close([cents('0.01')]);
    await eventually(() => expect(ledger.lines.join()).toContain('the event and its stream are parked'));
    expect([(await ledger.balance()).running, await posted(), await unclaimed()]).toEqual(['0.02', [], []]);
  });

  it('is nothing if the closing wrote nothing off', async () => {
    await close();
    await ledger.tick();
    expect(await ledger.types('ledgerAccount-')).toEqual([]);
  });
});
