import { copyFileSync, existsSync } from 'node:fs';
import { sqliteCode } from '../database';

/** The end of each message about a damaged log: what to do. */
const ADVICE =
  'No event was changed; a "-wal" file is kept as "-wal.damaged". Keep a copy of the folder, then restore the ' +
  'whole folder from a backup. ' +
  '"npm run admin -- log check" reads the whole log and lists what is damaged; in a sandbox, "npm run reset" ' +
  'starts over';

/** The log differs from what was acknowledged: events are missing or changed. A process does not start with it. */
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

/** True for an error which shows that the file's content is wrong. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  // A body that is not JSON is damaged too: only JSON is ever written.
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB' || error instanceof SyntaxError;
}

/**
 * Copies the write-ahead log, because closing the file moves it into the file, and events after a damaged place may be
 * recoverable from it. An earlier copy is kept, since later starts find a changed write-ahead log.
 */
export function keepWalOf(file: string): void {
  if (existsSync(`${file}-wal`) && !existsSync(`${file}-wal.damaged`))
    copyFileSync(`${file}-wal`, `${file}-wal.damaged`);
}

/** Converts damage that is found while the log is opened to {@link EventLogDamaged}. */
export function reportingDamage<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isDamage(error))
      throw new EventLogDamaged(file, error instanceof Error ? error.message : 'it cannot be read', { cause: error });
    throw error;
  }
}
