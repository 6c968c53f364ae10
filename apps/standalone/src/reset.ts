import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteEventStore } from '@ponte/engines';

/** Deletes the data folder of a cluster that does not run. Throws when it runs, or when the folder is somebody else's. */
export function reset(dataDirectory: string): void {
  if (!existsSync(dataDirectory)) {
    process.stdout.write(`Nothing to clear in ${dataDirectory}\n`);
    return;
  }
  const log = join(dataDirectory, 'events.db');
  if (!existsSync(log)) {
    if (readdirSync(dataDirectory).length > 0) throw new Error(`${dataDirectory} does not look like a data folder of Ponte; it was left alone`);
  } else {
    // Opening takes the owner's lock, so a running cluster refuses here.
    void openSqliteEventStore({ file: log }).close();
  }
  rmSync(dataDirectory, { recursive: true });
  process.stdout.write(`Cleared ${dataDirectory}\n`);
}
