import type { Position } from './event';
import type { EventStore } from './ports/event-store';

/**
 * A reader's position is beyond the end of the log: events were lost, or the position belongs to another log. Reading
 * on would skip events.
 */
export class PositionBeyondLog extends Error {
  override readonly name = 'PositionBeyondLog';
  constructor(
    position: Position,
    /** The end of the log; undefined if it is empty. */
    readonly head: Position | undefined,
  ) {
    super(
      `the position ${position} is beyond the end of the log (${head ?? 'empty'}): the log has lost events, or ` +
        'the position belongs to another log. ' +
        'Reading on would skip events. Restore the log, or move the reader to a position of this log',
    );
  }
}

const MAX_READS = 5;

/**
 * Throws {@link PositionBeyondLog} if the position is beyond the end of the log. With several writers the end that is
 * read may lag, so it is read several times with `pause` in between. With a sole writer, one read suffices.
 */
export async function assertWithinLog(
  store: Pick<EventStore, 'head' | 'comparePositions' | 'soleWriter'>,
  position: Position | undefined,
  pause: () => Promise<void>,
): Promise<void> {
  if (position === undefined) return;
  for (let attempt = 1; ; attempt += 1) {
    const head = await store.head();
    if (head !== undefined && store.comparePositions(position, head) <= 0) return;
    if (store.soleWriter || attempt >= MAX_READS) throw new PositionBeyondLog(position, head);
    await pause();
  }
}
