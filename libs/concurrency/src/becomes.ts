import { pause, retryDelay } from './retry';

/** Whether something becomes true within a time. It is asked at once, and again after growing delays. */
export async function becomes(isTrue: () => Promise<boolean>, patienceMs: number): Promise<boolean> {
  const begun = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    if (await isTrue()) return true;
    const delay = retryDelay(attempt);
    if (performance.now() - begun + delay >= patienceMs) return false;
    await pause(delay);
  }
}
