import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Steps } from '../steps.domain';

/** What else the process does waits no longer than this and one step more. */
const TURN_MS = 4;

/** Runs the steps between the other work of the process. A step that throws ends it. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (let began = performance.now(); ;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - began < TURN_MS) continue;
    await nextTurn();
    began = performance.now();
  }
}
