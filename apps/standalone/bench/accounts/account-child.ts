import { performance } from 'node:perf_hooks';
import { derivedId } from '@ponte/kernel';
import { ledgerAccount } from '../../../ledger/src/ledger-account/ledger-account.decider';
import { contextOf, depositOf, LONG_ACCOUNT, openAccounts } from './long-account';

/** The cost of the first command of a process. */
export interface FirstCommand {
  readonly milliseconds: number;
  /** Resident memory that the command added. */
  readonly bytes: number;
  readonly events: number;
}

/** Runs one command on the long account of the given folder in a new process, reports its cost and exits. */
async function main(): Promise<void> {
  const { aggregates, close } = openAccounts(process.argv[2] ?? '');
  // A command on another account comes first, so that compilation, which every first command pays for, is not counted.
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
  // Leaves time to save a snapshot that is due before the process exits.
  await new Promise((resolve) => {
    setTimeout(resolve, SAVED_MS);
  });
  await close();
  process.send?.({ milliseconds, bytes, events: revision + 1 } satisfies FirstCommand);
  process.disconnect?.();
}

const SAVED_MS = 2_000;

void main();
