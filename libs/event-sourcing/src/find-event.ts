import type { Recorded } from './event';
import type { EventStore } from './ports/event-store';
import { pagesOf } from './streams/stream-cache';

/**
 * The event of a stream with this id, wherever the log has it: after a restore, an event may be recorded again at
 * another revision. It is first looked for at `revision`. Undefined if the log does not have it.
 */
export async function findEvent(
  log: Pick<EventStore, 'read'>,
  stream: string,
  { id, revision }: Pick<Recorded, 'id' | 'revision'>,
): Promise<Recorded | undefined> {
  const [same] = await log.read(stream, { from: revision, limit: 1 });
  if (same?.id === id) return same;
  for await (const page of pagesOf(log, stream)) {
    const found = page.find((event) => event.id === id);
    if (found) return found;
  }
  return undefined;
}
