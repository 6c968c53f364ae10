import { EventLogDamaged } from '@ponte/eventstore-sqlite';
import type { EventStore, KeptCheckpoint, Position } from '@ponte/event-sourcing';
import { join } from 'node:path';

/** A reader of the log and how far it says it has come. */
interface Place {
  readonly of: string;
  readonly position: Position | undefined;
}

/** Positions of the embedded log are counts. A reader of something else, such as the bank, keeps a time. */
const IN_LOG = /^\d+$/;

/**
 * Throws {@link EventLogDamaged} when a reader has passed events that the log does not have: it read them when they
 * were there. For stores with one writer: where others write, another replica of the store may answer, and each reader
 * checks its own place.
 */
export async function assertWithinLog(
  folder: string,
  store: Pick<EventStore, 'head' | 'comparePositions' | 'soleWriter'>,
  places: readonly Place[],
): Promise<void> {
  if (!store.soleWriter) return;
  const head = (await store.head()) ?? '0';
  const beyond = places.filter(
    ({ position }) => position !== undefined && IN_LOG.test(position) && store.comparePositions(position, head) > 0,
  );
  if (beyond.length === 0) return;
  const named = beyond.map(({ of, position }) => `${of} (${position})`).join(', ');
  throw new EventLogDamaged(
    join(folder, 'events.db'),
    `it ends at position ${head}, but these readers are further: ${named}; the end of the log is missing`,
  );
}

export const placesOf = (kept: readonly KeptCheckpoint[]): Place[] =>
  kept.map(({ reader, position }) => ({ of: reader, position }));
