import type { Position, Recorded } from '@ponte/event-sourcing';
import type { Place } from '../partitions/places';
import type { PublishedLog } from '../partitions/published-log';
import { isAfter } from '../partitions/published-log';

/** Events per read when more than the previous one was lost. */
const AT_ONCE = 64;

/**
 * The first revision before this event that was lost; undefined if none was, or if that is not known. The event is the
 * first of its stream that was received since a place, so the previous ones are before the place, which the log tells.
 */
export async function firstLost(
  log: PublishedLog,
  event: Pick<Recorded, 'stream' | 'revision' | 'position'>,
  place: Place | undefined,
): Promise<number | undefined> {
  const isReceived = (position: Position): boolean =>
    place?.position === undefined || !isAfter(log, position, place.position);
  // The relay repeats earlier events.
  if (isReceived(event.position)) return undefined;
  const revision = event.revision - 1;
  const [previous] = await log.read(event.stream, { from: revision, limit: 1 });
  if (previous?.revision !== revision || isReceived(previous.position)) return undefined;
  let first = revision;
  while (first > 0) {
    const from = Math.max(0, first - AT_ONCE);
    const earlier = await log.read(event.stream, { from, limit: first - from });
    first = earlier.find(({ position }) => !isReceived(position))?.revision ?? first;
    if (first > from) break;
  }
  return first;
}
