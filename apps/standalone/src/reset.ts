import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteEventStore } from '@ponte/eventstore-sqlite';
import { endLeftBehind } from '../../movements/src/chain/adapters/local-anvil/local-anvil';

/**
 * Deletes the data folder of a cluster that does not run. Throws when it runs, or when the folder is someone else's.
 */
export async function reset(dataDirectory: string): Promise<void> {
  if (!existsSync(dataDirectory)) {
    process.stdout.write(`Nothing to clear in ${dataDirectory}\n`);
    return;
  }
  const log = join(dataDirectory, 'events.db');
  if (!existsSync(log) && readdirSync(dataDirectory).length > 0) {
    throw new Error(`${dataDirectory} does not look like a data folder of Ponte; it was left alone`);
  }
  // Opening takes the owner's lock, so a running cluster refuses here.
  const store = openSqliteEventStore({ file: log });
  // After a crash the chains may still run, and the folder holds the only record of their processes.
  await endLeftBehind(join(dataDirectory, 'chains'));
  await store.close();
  rmSync(dataDirectory, { recursive: true });
  process.stdout.write(`Cleared ${dataDirectory}\n`);
}
