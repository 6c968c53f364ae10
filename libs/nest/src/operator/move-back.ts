import { fromIso } from '@ponte/kernel';
import type { TimePosition } from '@ponte/operator';
import { OperatorError, START, timeIn } from '@ponte/operator';
import { systemClock } from '../clocks';
import type { Engines } from '../engines/engines';

interface MovedReader {
  readonly name: string;
  /** Its position is a time, not a position in the log. */
  readonly keepsTime: boolean;
  /** Set when the reader keeps its position outside the checkpoints. */
  readonly ownPosition?: TimePosition;
}

/**
 * Moves a reader back to `to`, under the fencing number that the result is called with. Throws an
 * {@link OperatorError} if `to` is not a position of the reader, and when the move would skip anything: if `to` is
 * later than the reader's position, beyond the end of the log or in the future.
 */
export async function moveBack(
  { store, operator }: Pick<Engines, 'store' | 'operator'>,
  { name, keepsTime, ownPosition }: MovedReader,
  to: string,
): Promise<(fence: number) => Promise<void>> {
  const position = keepsTime ? timeIn(to, systemClock.now()) : await positionIn(store, to);
  return async (fence) => {
    if (position !== undefined && ownPosition) return ownPosition.setBack(position);
    // Read here because the reader has stopped by now, so its position no longer changes.
    const current = (await operator.checkpoints()).find(({ reader }) => reader === name)?.position || undefined;
    const isLater = keepsTime ? isLaterTime(position, current) : isLaterPosition(store, position, current);
    if (isLater)
      throw new OperatorError(
        `${to} is later than ${current ?? 'the beginning of the log'}, where ${name} is now: ` +
          'what is between them would be skipped',
      );
    await operator.place(name, position, fence);
  };
}

/** A reader without a checkpoint would start later than any time an operator may name, so every time is earlier. */
const isLaterTime = (to: string | undefined, current: string | undefined): boolean =>
  to !== undefined && current !== undefined && fromIso(to) > fromIso(current);

const isLaterPosition = (store: Engines['store'], to: string | undefined, current: string | undefined): boolean =>
  to !== undefined && (current === undefined || store.comparePositions(to, current) > 0);

/** A position in the log; undefined means its beginning. */
async function positionIn(store: Engines['store'], to: string): Promise<string | undefined> {
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
