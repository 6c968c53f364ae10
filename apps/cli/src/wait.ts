import { setTimeout as sleep } from 'node:timers/promises';
import { CliError, EXIT } from './failures';

const FIRST_MS = 150;
const LONGEST_MS = 2_000;
const PATIENCE_MS = 60_000;
const MS_PER_SECOND = 1_000;

/** Reads repeatedly until `done` returns true. Throws `timeout` after `patienceMs`. */
export async function waitFor<Value>(
  what: string,
  read: () => Promise<Value>,
  done: (value: Value) => boolean,
  signal: AbortSignal,
  patienceMs: number = PATIENCE_MS,
): Promise<Value> {
  const until = Date.now() + patienceMs;
  for (let delay = FIRST_MS; ; delay = Math.min(LONGEST_MS, delay * 2)) {
    const value = await read();
    if (done(value)) return value;
    if (Date.now() >= until)
      throw new CliError(
        'timeout',
        `Waited ${patienceMs / MS_PER_SECOND} s for ${what}.`,
        'Read it again later; it may still complete.',
        EXIT.waitedTooLong,
      );
    await sleep(delay, undefined, { signal });
  }
}
