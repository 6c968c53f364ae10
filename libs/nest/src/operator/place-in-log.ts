import { OperatorError, START } from '@ponte/operator';
import type { Engines } from '../engines/engines';

/** A place that is in the log, undefined for its beginning. */
export async function placeIn(store: Engines['store'], to: string): Promise<string | undefined> {
  if (to === START) return undefined;
  const head = await store.head();
  let beyond: boolean;
  try {
    beyond = head === undefined || store.comparePositions(to, head) > 0;
  } catch {
    throw new OperatorError(`${to} is no position of this log; say ${START}, or one that checkpoints has shown`);
  }
  if (beyond)
    throw new OperatorError(
      `${to} lies beyond the end of the log, ${head ?? 'which is empty'}: events would be left out`,
    );
  return to;
}
