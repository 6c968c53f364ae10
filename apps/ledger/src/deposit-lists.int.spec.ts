import { ListDeposits } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { ACCOUNT, STRANGER_CPF } from './testing/ledger-under-test';
import { ledgerForEachTest } from './testing/ledger-for-each-test';

const ledger = ledgerForEachTest({ booksBalance: true });

describe('The list of deposits', () => {
  it('is paged newest first and can be filtered', async () => {
    const code = await ledger.fundingCode();
    for (let at = 0; at < 5; at += 1) {
      ledger.now += 1_000;
      const { endToEndId } = await ledger.pay(code, `${at + 1}.00`, at === 2 ? STRANGER_CPF : null);
      await (at === 2 ? ledger.voided(endToEndId, 'payer-tax-id-mismatch') : ledger.credited(endToEndId));
    }
    const filters = { assets: ['fiat/brl'] as const, status: null, type: null, endToEndId: null, txHash: null };
    const page = (change: object, cursor: { createdAt: string; id: string } | null = null, limit = 2) =>
      ledger.ask(ListDeposits, {
        accountId: ACCOUNT,
        filters: { ...filters, ...change },
        page: { limit, cursor, createdFrom: null, createdTo: null },
      });
    await eventually(async () =>
      expect((await page({ status: 'credited' }, null, 10)).items.map(({ amount }) => amount)).toEqual([
        '5.00',
        '4.00',
        '2.00',
        '1.00',
      ]),
    );
    const amounts: string[] = [];
    let cursor = null;
    do {
      const { items, next } = await page({}, cursor);
      amounts.push(...items.map(({ amount }) => amount));
      cursor = next;
    } while (cursor !== null);
    expect(amounts).toEqual(['5.00', '4.00', '3.00', '2.00', '1.00']);
    expect((await page({ assets: ['eth-base/usdc', 'eth-mainnet/usdc'] })).items).toEqual([]);
    expect((await page({ assets: [] })).items).toEqual([]);
    expect((await page({ assets: ['fiat/brl', 'fiat/usd'] }, null, 3)).items.map(({ amount }) => amount)).toEqual([
      '5.00',
      '4.00',
      '3.00',
    ]);
    expect((await page({ type: 'ted' })).items).toEqual([]);
  });
});
