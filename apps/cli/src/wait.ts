import { setTimeout as sleep } from 'node:timers/promises';
import { CliError, EXIT } from './failures';

const FIRST_MS = 150;
const LONGEST_MS = 2_000;
const PATIENCE_MS = 60_000;

/** Reads repeatedly until `done` returns true. Throws after a minute. */
export async function waitFor<Value>(
  what: string,
  read: () => Promise<Value>,
  done: (value: Value) => boolean,
  signal: AbortSignal,
): Promise<Value> {
  const until = Date.now() + PATIENCE_MS;
  for (let delay = FIRST_MS; ; delay = Math.min(LONGEST_MS, delay * 2)) {
    const value = await read();
    if (done(value)) return value;
    if (Date.now() > until)
      throw new CliError(
        'timeout',
        `Waited 60 s for ${what}.`,
        'Read it again later; it may still complete.',
        EXIT.notVerified,
      );
    await sleep(delay, undefined, { signal });
  }
}
