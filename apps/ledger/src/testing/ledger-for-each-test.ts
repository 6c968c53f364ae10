import { MemoryEventStore, eventually, temporaryFolder } from '@ponte/testing';
import { LedgerModule } from '../ledger.module';
import { LedgerUnderTest } from './ledger-under-test';

/**
 * A ledger over a store in memory, new for each test of the file. `booksBalance`: after each test the books have to
 * balance.
 */
export function ledgerForEachTest({ booksBalance = false }: { readonly booksBalance?: boolean } = {}): {
  readonly ledger: LedgerUnderTest<MemoryEventStore>;
} {
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
    if (booksBalance) await eventually(() => ledger.assertTrialBalance());
    await ledger.stop();
    place.remove();
  });
  return {
    get ledger() {
      return ledger;
    },
  };
}
