import { performance } from 'node:perf_hooks';
import { derivedId } from '@ponte/kernel';
import { ledgerAccount } from '../../ledger/src/ledger-account/ledger-account.decider';
import { contextOf, depositOf, LONG_ACCOUNT, openAccounts } from './long-account';

/** What the first command of a process took. */
export interface FirstCommand {
  readonly milliseconds: number;
  /** Resident memory that it added. */
  readonly bytes: number;
  readonly events: number;
}

/** A process that has just started: one command on the account of the folder, then it ends. */
async function main(): Promise<void> {
  const { aggregates, close } = openAccounts(process.argv[2] ?? '');
  // Another account first: what every first command pays, such as compiling, is not the long account's.
  await aggregates.handle(
    ledgerAccount,
    derivedId('bench', 'another account'),
    depositOf('warm'),
    contextOf(derivedId('bench', String(process.pid), 'warm')),
  );
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  const began = performance.now();
  const id = `${process.pid}-${Date.now()}`;
  const { revision } = await aggregates.handle(
    ledgerAccount,
    LONG_ACCOUNT,
    depositOf(id),
    contextOf(derivedId('bench', id)),
  );
  const milliseconds = performance.now() - began;
  const bytes = process.memoryUsage.rss() - before;
  // A snapshot that is due is saved before the process ends.
  await new Promise((resolve) => {
    setTimeout(resolve, SAVED_MS);
  });
  await close();
  process.send?.({ milliseconds, bytes, events: revision + 1 } satisfies FirstCommand);
  process.disconnect?.();
}

const SAVED_MS = 2_000;

void main();
