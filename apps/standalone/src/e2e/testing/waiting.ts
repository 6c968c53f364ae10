import { setTimeout as wait } from 'node:timers/promises';

/** How long a test may wait on a busy machine. */
export const PATIENCE_MS = 60_000;
/** Short enough for operations that take milliseconds. */
const STEP_MS = 10;

/** Repeats `check` until it does not throw. Rethrows its last error if the time is up. */
export async function until<T>(check: () => T | Promise<T>, patienceMs = PATIENCE_MS, stepMs = STEP_MS): Promise<T> {
  const end = Date.now() + patienceMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() >= end) throw error;
    }
    await wait(stepMs);
  }
}
