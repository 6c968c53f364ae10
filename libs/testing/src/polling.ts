import { setTimeout as pause } from 'node:timers/promises';

const PATIENCE_MS = 30_000;
const STEP_MS = 5;

/**
 * Waits until the check holds, looking again and again; throws with the last word when it never does. A check that
 * costs something is made less often, so that looking does not take the time of what is looked for.
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
