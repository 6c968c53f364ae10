import type { Position, Recorded } from '@ponte/event-sourcing';
import type { Step } from './feed';
import type { ForeignEvent } from './foreign-event';
import { comparePositions } from './position';

interface GatherOptions {
  /** The position of the reader; earlier steps are ignored. */
  readonly after: Position | undefined;
  /** The largest number of events. */
  readonly limit: number;
  readonly readsCategory: (category: string) => boolean;
  /** Waits at an event that the reader cannot read. False if the reader is closed first. */
  readonly passOver: (foreign: ForeignEvent) => Promise<boolean>;
  readonly isClosed: () => boolean;
}

interface Gathered {
  readonly events: readonly Recorded[];
  /** The position of the last step that is included. */
  readonly position: Position | undefined;
  /** False if the last steps are not included. */
  readonly isWhole: boolean;
}

/**
 * Returns the wanted events of some steps; undefined if the reader was closed meanwhile. It stops before more events
 * than the limit, and before an event that the reader cannot read, unless that is the first one.
 */
export async function gather(
  steps: readonly Step[],
  { after, limit, readsCategory, passOver, isClosed }: GatherOptions,
): Promise<Gathered | undefined> {
  const events: Recorded[] = [];
  let position = after;
  for (const step of steps) {
    if (position !== undefined && comparePositions(step.position, position) <= 0) continue;
    if (step.category !== undefined && readsCategory(step.category)) {
      if (step.foreign && (events.length > 0 || !(await passOver(step.foreign))))
        return { events, position, isWhole: false };
      if (isClosed()) return undefined;
      if (step.event && events.length === limit) return { events, position, isWhole: false };
      if (step.event) events.push(step.event);
    }
    position = step.position;
  }
  return { events, position, isWhole: true };
}
