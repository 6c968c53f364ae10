import { OperatorError, START } from '@ponte/operator';
import type { Engines } from '../engines/engines';

/** Validates a position in the log; undefined is its beginning. Throws an OperatorError for an invalid position. */
export async function placeIn(store: Engines['store'], to: string): Promise<string | undefined> {
  if (to === START) return undefined;
  const head = await store.head();
  let beyond: boolean;
  try {
    beyond = head === undefined || store.comparePositions(to, head) > 0;
  } catch {
    throw new OperatorError(`${to} is not a position of this log; use ${START} or a position that "checkpoints" shows`);
  }
  if (beyond)
    throw new OperatorError(`${to} is beyond the end of the log (${head ?? 'empty'}): events would be skipped`);
  return to;
}
