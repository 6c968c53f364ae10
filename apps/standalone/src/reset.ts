import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteEventStore } from '@ponte/eventstore-sqlite';
import { stopLeftoverNodes } from '../../movements/src/chain/adapters/local-anvil/local-anvil';

/**
 * Deletes the data folder of a stopped cluster. Throws if the cluster is running or the folder is not a data folder.
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
  // Opening takes the owner's lock, so this throws while a cluster is running.
  const store = openSqliteEventStore({ file: log });
  // After a crash the chains may still be running, and only this folder records their processes.
  await stopLeftoverNodes(join(dataDirectory, 'chains'));
  await store.close();
  rmSync(dataDirectory, { recursive: true });
  process.stdout.write(`Cleared ${dataDirectory}\n`);
}
