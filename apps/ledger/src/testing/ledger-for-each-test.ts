import { MemoryEventStore, eventually, temporaryFolder } from '@ponte/testing';
import { LedgerModule } from '../ledger.module';
import { LedgerUnderTest } from './ledger-under-test';

interface LedgerOptions {
  /** If true, the books have to balance after each test. */
  readonly booksBalance?: boolean;
  /** If false, another process may write to the log, so a state may be behind it. */
  readonly soleWriter?: boolean;
}

/** A ledger over an in-memory store, created for each test of the file. */
export function ledgerForEachTest({
  booksBalance = false,
  soleWriter = true,
}: LedgerOptions = {}): LedgerUnderTest<MemoryEventStore> {
  const ledger = new LedgerUnderTest({
    module: LedgerModule,
    open: (before?: MemoryEventStore) => new MemoryEventStore({ soleWriter, log: before?.log }),
  });
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(async () => {
    folder = temporaryFolder();
    ledger.reset(folder.path);
    await ledger.boot();
  });
  afterEach(async () => {
    if (booksBalance) await eventually(() => ledger.assertTrialBalance());
    await ledger.stop();
    folder.remove();
  });
  return ledger;
}
