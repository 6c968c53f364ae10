import { EventLogDamaged } from '@ponte/eventstore-sqlite';
import type { EventStore, KeptCheckpoint } from '@ponte/event-sourcing';
import { join } from 'node:path';

/** Positions of the embedded log are numbers. Readers of other sources, such as the bank, store a time. */
const IN_LOG = /^\d+$/;

/**
 * Throws {@link EventLogDamaged} if a reader's position is beyond the end of the log, which means that events were
 * lost. Only for stores with one writer: with several, another replica of the store may answer, and each reader checks
 * its own position.
 */
export async function assertReadersWithinLog(
  folder: string,
  store: Pick<EventStore, 'head' | 'comparePositions' | 'soleWriter'>,
  readers: readonly Pick<KeptCheckpoint, 'reader' | 'position'>[],
): Promise<void> {
  if (!store.soleWriter) return;
  const head = (await store.head()) ?? '0';
  const beyond = readers.filter(({ position }) => IN_LOG.test(position) && store.comparePositions(position, head) > 0);
  if (beyond.length === 0) return;
  const named = beyond.map(({ reader, position }) => `${reader} (${position})`).join(', ');
  throw new EventLogDamaged(
    join(folder, 'events.db'),
    `it ends at position ${head}, but these readers are further: ${named}; the end of the log is missing`,
  );
}
