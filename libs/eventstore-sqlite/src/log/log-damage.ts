import { copyFileSync, existsSync } from 'node:fs';
import { sqliteCode } from '../database';

/** What to do about a damaged log; the end of each message about one. */
const ADVICE =
  'No event was changed; a "-wal" file is kept as "-wal.damaged". Keep a copy of the folder, then restore the whole folder from a backup. ' +
  '"npm run admin -- log check" reads the whole log and lists what is damaged; in a sandbox, "npm run reset" starts over';

/** The log is not what was acknowledged: events are missing or changed. A process does not start on it. */
export class EventLogDamaged extends Error {
  override readonly name = 'EventLogDamaged';
  constructor(
    readonly file: string,
    readonly damage: string,
    options?: ErrorOptions,
  ) {
    super(`${file} is damaged: ${damage}. ${ADVICE}`, options);
  }
}

/** True for an error that says the file's content is wrong, whatever else may work. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  // A body that is no JSON any more is damage too: nothing but JSON was ever written.
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB' || error instanceof SyntaxError;
}

/**
 * Closing a file moves its write-ahead log into it. What was found there is kept, since events behind a damaged place
 * may be recovered from it. The first copy stays: what later starts find was changed by this one.
 */
export function keepWalOf(file: string): void {
  if (existsSync(`${file}-wal`) && !existsSync(`${file}-wal.damaged`))
    copyFileSync(`${file}-wal`, `${file}-wal.damaged`);
}

/** Has damage that is met while the log is opened named as such. */
export function namingDamage<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isDamage(error))
      throw new EventLogDamaged(file, error instanceof Error ? error.message : 'it cannot be read', { cause: error });
    throw error;
  }
}
