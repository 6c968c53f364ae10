import type { Position, Recorded } from '@ponte/event-sourcing';
import type { PartitionOffset } from '../partitions/partition-offsets';
import type { PublishedLog } from '../partitions/published-log';
import { isAfter } from '../partitions/published-log';

/** How many events of a stream are read at once to find the first one that was lost. */
const PAGE = 100;

/**
 * The first revision of the events before this one that were lost. This one is the first of its stream that was
 * received since `readFrom`, so the log tells which of the previous ones were read. Undefined if none was lost,
 * or if that is not known.
 */
export async function firstLost(
  log: PublishedLog,
  event: Pick<Recorded, 'stream' | 'revision' | 'position'>,
  readFrom: PartitionOffset | undefined,
): Promise<number | undefined> {
  const isReceived = (position: Position): boolean =>
    readFrom?.position === undefined || !isAfter(log, position, readFrom.position);
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
