import { setTimeout as wait } from 'node:timers/promises';

/** What a test may wait for on a busy machine. */
export const PATIENCE_MS = 60_000;
/** Often enough for what takes milliseconds. */
const STEP_MS = 10;

/** Looks again and again until the check holds; throws with its last word when it does not in time. */
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
