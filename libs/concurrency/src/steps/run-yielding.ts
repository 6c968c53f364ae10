import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Steps } from '@ponte/kernel';

/** Other work of the process waits no longer than this plus one step. */
const TURN_MS = 4;

/** Runs the steps, yielding to other work of the process in between. An error of a step is thrown. */
export async function runYielding<T>(steps: Steps<T>): Promise<T> {
  for (let began = performance.now(); ;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - began < TURN_MS) continue;
    await nextTurn();
    began = performance.now();
  }
}
