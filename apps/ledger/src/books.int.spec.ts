import { GetTrialBalance, ListOpenHolds, PlaceHold, ReleaseHold } from '@ponte/contracts';
import { addSeconds, isoTime } from '@ponte/kernel';
import { anEvent, eventually } from '@ponte/testing';
import { createReadModelCheckpoints } from '@ponte/read-models';
import { TRIAL_BALANCE_READER } from './trial-balance/trial-balance.read-model';
import { ACCOUNT } from './testing/ledger-under-test';
import { ledgerForEachTest } from './testing/ledger-for-each-test';

const ledger = ledgerForEachTest({ booksBalance: true });

const hold = (orderId: string, amount: string, holdId = `hold-${orderId}`) =>
  ledger.ask(PlaceHold, {
    accountId: ACCOUNT,
    hold: { holdId, owner: { kind: 'order', id: orderId }, asset: 'fiat/brl', amount },
  });

describe('Holds and books', () => {
  it('let exactly k of 64 parallel spends win when the balance covers k', async () => {
    for (const k of [1, 7, 63]) {
      await ledger.payIn(`${k}.00`);
      const before = await ledger.balance();
      const results = await Promise.allSettled(Array.from({ length: 64 }, (_, at) => hold(`k${k}-${at}`, '1.00')));
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(k);
      for (const result of results)
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'insufficient-balance' });
      expect(await ledger.balance()).toMatchObject({ running: before.running, available: '0.00' });
    }
  });

  it('list forgotten holds oldest first, without the payments of charges', async () => {
    await ledger.payIn('10.00');
    await hold('o1', '1.00');
    ledger.now += 1_000;
    await hold('o2', '2.00');
    await hold('o3', '3.00');
    await ledger.ask(ReleaseHold, { accountId: ACCOUNT, holdId: 'hold-o3', reason: 'test' });
    const { open } = await ledger.charge('o4');
    await ledger.credited((await ledger.pay((await open()).brcode)).endToEndId);
    const list = (placedBefore: string, limit = 10) =>
      ledger
        .ask(ListOpenHolds, { ownerKind: 'order', placedBefore, limit })
        .then(({ holds }) => holds.map(({ holdId }) => holdId));
    const later = addSeconds(isoTime(ledger.now), 1);
    await eventually(async () => expect(await list(later)).toEqual(['hold-o1', 'hold-o2']));
    expect(await list(later, 1)).toEqual(['hold-o1']);
    expect(await list(isoTime(ledger.now))).toEqual(['hold-o1']);
  });

  it('show every house account, add up to zero, and stay the same after a restart', async () => {
    await ledger.payIn('100.00');
    await hold('o1', '60.00');
    await ledger.exchange('o1', 'hold-o1', '60.00');
    const expected = [
      { account: 'house:issuance', asset: 'eth-base/brlv', amount: '-60.000000000000000000' },
      { account: 'house:reserve', asset: 'fiat/brl', amount: '60.00' },
      { account: 'house:settlement', asset: 'fiat/brl', amount: '-100.00' },
    ];
    const books = () =>
      eventually(async () => {
        const trialBalance = await ledger.ask(GetTrialBalance, { customers: true });
        expect(trialBalance.lines.filter(({ account }) => account.startsWith('house:'))).toEqual(expected);
        return trialBalance;
      });
    const before = await books();
    expect(before.customers).toEqual(
      expect.arrayContaining([
        { asset: 'fiat/brl', amount: '40.00' },
        { asset: 'eth-base/brlv', amount: '60.000000000000000000' },
      ]),
    );
    expect(before.sums.map(({ amount }) => Number(amount))).toEqual([0, 0]);
    const atBank = await ledger.engines.metrics.registry.getSingleMetric('ponte_settlement_minor_units')?.get();
    expect(atBank?.values.map(({ labels, value }) => [labels['asset'], value])).toEqual([
      ['fiat/brl', 10_000],
      ['fiat/usd', 0],
    ]);
    await ledger.restart();
    expect(await books()).toEqual(before);
    await ledger.payIn('1.00');
    expect(await ledger.balance()).toMatchObject({ running: '41.00' });
    expect(
      (
        await ledger.ask(PlaceHold, {
          accountId: ACCOUNT,
          hold: { holdId: 'h', owner: { kind: 'order', id: 'o9' }, asset: 'fiat/brl', amount: '41.00' },
        })
      ).holdId,
    ).toBe('h');
    expected[2] = { account: 'house:settlement', asset: 'fiat/brl', amount: '-101.00' };
    await books();
  });

  it('advance the checkpoint past events that do not concern them', async () => {
    await ledger.store.append('order-unknown', -1, anEvent());
    const head = await ledger.store.head();
    const checkpoints = createReadModelCheckpoints(ledger.engines.readModels);
    await eventually(async () => expect(await checkpoints.load(TRIAL_BALANCE_READER)).toBe(head));
  });
});
