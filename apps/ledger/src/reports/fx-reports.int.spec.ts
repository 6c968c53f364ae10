import { GetTrialBalance, GetFxDays, GetIofPayable, PlaceHold, PostExchange } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { ACCOUNT } from '../testing/ledger-under-test';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';

const ledger = ledgerForEachTest();
beforeEach(() => ledger.fund('5000.00'));

const PERIOD = { from: '2026-11-01', to: '2026-11-30' };

async function buy(name: string): Promise<void> {
  const [orderId, holdId] = [derivedId('order', name), derivedId('hold', name)];
  const debit = { asset: 'fiat/brl', amount: '1000.00' } as const;
  await ledger.ask(PlaceHold, {
    accountId: ACCOUNT,
    hold: { holdId, owner: { kind: 'order', id: orderId }, ...debit },
  });
  await ledger.ask(PostExchange, {
    accountId: ACCOUNT,
    orderId,
    holdId,
    debit,
    credit: { asset: 'eth-base/usdc', amount: '179.096457' },
    custody: true,
    charges: { spread: '7.66', fee: '2.00', tax: '33.75' },
    deliveryHold: null,
  });
}

describe('The reports of the books', () => {
  it('count every trade once, even across a restart, and agree with the trial balance', async () => {
    await buy('one');
    await buy('two');
    await eventually(async () => expect((await ledger.ask(GetFxDays, PERIOD)).days[0]?.trades).toBe(2));
    await ledger.restart();
    await buy('three');
    await eventually(async () => expect((await ledger.ask(GetFxDays, PERIOD)).days[0]?.trades).toBe(3));
    const { days } = await ledger.ask(GetFxDays, PERIOD);
    const { lines } = await ledger.ask(GetTrialBalance, { customers: false });
    const line = (account: string) => lines.find((one) => one.account === account)?.amount;
    expect(days).toHaveLength(1);
    expect(days[0]).toMatchObject({ spread: line('house:spread'), fees: line('house:fees') });
    expect(days[0]).toMatchObject({ brlPosition: line('house:fx-position'), tokenPosition: line('house:treasury') });
    const { periods } = await ledger.ask(GetIofPayable, { ...PERIOD, by: 'month' });
    expect(periods).toEqual([{ period: '2026-11', trades: 3, amount: line('house:tax') }]);
    expect((await ledger.ask(GetFxDays, { from: '2026-12-01', to: '2026-12-31' })).days).toEqual([]);
  });
});
