import type { Position, Recorded } from '@ponte/event-sourcing';
import type { Place } from '../partitions/places';
import type { PublishedLog } from '../partitions/published-log';
import { isAfter } from '../partitions/published-log';

/**
 * True if the event before this one was lost. This one is the first of its stream that was received since a place, so
 * the previous one is before the place, which the log tells. False if that is not known.
 */
export async function isPredecessorLost(
  log: PublishedLog,
  event: Pick<Recorded, 'stream' | 'revision' | 'position'>,
  place: Place | undefined,
): Promise<boolean> {
  const isReceived = (position: Position): boolean =>
    place?.position === undefined || !isAfter(log, position, place.position);
  // The relay repeats earlier events.
  if (isReceived(event.position)) return false;
  const revision = event.revision - 1;
  const [previous] = await log.read(event.stream, { from: revision, limit: 1 });
  return previous?.revision === revision && !isReceived(previous.position);
}
