import { pause, retryDelay } from './retry';

/** Waits until something is true; returns false if it is not in time. It is asked at once and after growing delays. */
export async function waitUntil(isTrue: () => Promise<boolean>, patienceMs: number): Promise<boolean> {
  const begun = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    if (await isTrue()) return true;
    const delay = retryDelay(attempt);
    if (performance.now() - begun + delay >= patienceMs) return false;
    await pause(delay);
  }
}
