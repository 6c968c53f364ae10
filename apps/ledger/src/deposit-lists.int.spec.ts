import type { DepositVoidReason } from '@ponte/contracts';
import { ListDeposits } from '@ponte/contracts';
import { MemoryEventStore, eventually, temporaryFolder } from '@ponte/testing';
import { depositIdOf } from './deposit/deposit.state';
import { LedgerModule } from './ledger.module';
import { ACCOUNT, LedgerUnderTest, STRANGER_CPF } from './testing/ledger-under-test';

let place: ReturnType<typeof temporaryFolder>;
let ledger: LedgerUnderTest<MemoryEventStore>;
beforeEach(async () => {
  place = temporaryFolder();
  ledger = new LedgerUnderTest({
    module: LedgerModule,
    folder: place.path,
    open: (before) => new MemoryEventStore({ log: before?.log }),
  });
  await ledger.boot();
});
afterEach(async () => {
  await eventually(() => ledger.assertTrialBalance());
  await ledger.stop();
  place.remove();
});

const credited = (endToEndId: string) =>
  eventually(async () => {
    expect(await ledger.types(`deposit-${depositIdOf(endToEndId)}`)).toEqual([
      'DepositCreated',
      'DepositConfirmed',
      'DepositCredited',
    ]);
  });
const voided = (endToEndId: string, reason: DepositVoidReason) =>
  eventually(async () => {
    const events = await ledger.events(`deposit-${depositIdOf(endToEndId)}`);
    expect(events.map(({ type }) => type)).toEqual(['DepositCreated', 'DepositVoided', 'DepositReturned']);
    expect(events[1]?.data).toMatchObject({ reason });
  });

describe('holds and books', () => {
  it('lists page newest first and filter', async () => {
    const code = await ledger.fundingCode();
    for (let at = 0; at < 5; at += 1) {
      ledger.now += 1_000;
      const { endToEndId } = await ledger.pay(code, `${at + 1}.00`, at === 2 ? STRANGER_CPF : null);
      await (at === 2 ? voided(endToEndId, 'payer-tax-id-mismatch') : credited(endToEndId));
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
