import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { holdFolder } from '@ponte/eventstore-sqlite';
import { stopLeftoverNodes } from '../../movements/src/chain/adapters/local-anvil/local-anvil';

/** Deletes the data folder of a stopped cluster. Data in given engines is not touched, because it is not ours. */
export async function reset(dataDirectory: string): Promise<void> {
  if (!existsSync(dataDirectory)) return void process.stdout.write(`Nothing to clear in ${dataDirectory}\n`);
  const file = join(dataDirectory, 'cluster.db');
  if (!existsSync(file))
    throw new Error(`${dataDirectory} does not look like the data folder of a cluster; it was left alone`);
  const folder = holdFolder(file);
  await stopLeftoverNodes(join(dataDirectory, 'chains'));
  folder.release();
  // After a kill the engines may take a moment to exit.
  rmSync(dataDirectory, { recursive: true, maxRetries: 20, retryDelay: 250 });
  process.stdout.write(`Cleared ${dataDirectory}\n`);
}
