import type { Position, Recorded } from '@ponte/event-sourcing';
import type { Place } from '../partitions/places';
import type { PublishedLog } from '../partitions/published-log';
import { isAfter } from '../partitions/published-log';

/** How many events of a stream are read at once to find the first one that was lost. */
const PAGE = 100;

/**
 * The first revision of the events before this one that were lost. This one is the first of its stream that was
 * received since a place, so the previous ones are before the place, which the log tells. Undefined if none was lost,
 * or if that is not known.
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
  let first: number | undefined;
  // A loss is rare, so the previous event is read alone.
  for (let [end, size] = [event.revision, 1]; end > 0; [end, size] = [end - size, PAGE]) {
    const from = Math.max(0, end - size);
    const page = await log.read(event.stream, { from, limit: end - from });
    const lost = page.filter(({ revision, position }) => revision < end && !isReceived(position));
    if (lost[0] === undefined) break;
    first = lost[0].revision;
    if (first > from) break;
  }
  return first;
}
