import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_MS = 30_000;
const STEP_MS = 5;

/**
 * Repeats the check until it succeeds; throws its last error after `patienceMs`. Slow checks run less often, so that
 * they do not slow down what they wait for.
 */
export async function eventually<T>(check: () => T | Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
  for (let waited = 0; ; waited += STEP_MS) {
    const began = performance.now();
    try {
      return await check();
    } catch (error) {
      if (waited >= patienceMs) throw error;
    }
    await pause(Math.max(STEP_MS, performance.now() - began));
  }
}
