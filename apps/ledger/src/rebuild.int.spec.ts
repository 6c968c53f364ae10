import { SANCTIONED_SANDBOX_ADDRESS } from '@ponte/contracts';
import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import { MemoryEventStore, eventually, rebuiltRows, shownRows, temporaryFolder } from '@ponte/testing';
import { LedgerModule } from './ledger.module';
import { fundTokens } from './testing/fund-tokens';
import { LedgerUnderTest } from './testing/ledger-under-test';
import { LEDGER_REBUILDABLE } from './ledger.read-models';

describe('The read models of the ledger', () => {
  it('have the same rows after a rebuild as after the commands', async () => {
    const place = temporaryFolder();
    const open = (before?: MemoryEventStore) => new MemoryEventStore({ log: before?.log });
    const ledger = new LedgerUnderTest<MemoryEventStore>({ module: LedgerModule, folder: place.path, open });
    await ledger.boot();
    await fundTokens(ledger);
    await eventually(async () => expect((await ledger.balance('eth-base/brlv')).available).toMatch(/^100\./));
    await ledger.withdraw(
      '10',
      { destinationWalletAddress: SANCTIONED_SANDBOX_ADDRESS },
      { asset: 'eth-base/brlv', method: 'token' },
    );
    await ledger.pay(await ledger.fundingCode(), '100.00');
    await (await ledger.charge('order-1')).open();
    const lists = LEDGER_REBUILDABLE.find(({ name }) => name === 'ledger-lists');
    if (!lists) throw new Error('the ledger has no lists');
    expect([...lists.tables].sort()).toEqual([
      ...['ledger_address_reviews_v2', 'ledger_charges', 'ledger_deposits', 'ledger_double_returns'],
      ...['ledger_returns', 'ledger_withdrawals'],
    ]);
    await eventually(async () => {
      const shown = await shownRows(ledger.engines.readModels, lists.tables);
      expect(shown['ledger_deposits']?.length).toBeGreaterThan(0);
      expect(shown['ledger_charges']?.length).toBeGreaterThan(0);
      expect(shown['ledger_withdrawals']).toHaveLength(1);
      expect(shown['ledger_address_reviews_v2']).toHaveLength(1);
      const db = openSqliteReadModels<unknown>(':memory:');
      expect(await rebuiltRows([lists], db, ledger.store)).toEqual(shown);
      await db.destroy();
    });
    await ledger.stop();
    place.remove();
  });
});
