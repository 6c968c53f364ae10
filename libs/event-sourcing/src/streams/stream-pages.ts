import type { Recorded } from '../event';
import type { EventStore } from '../ports/event-store';

/** Events in one page: about 0.5 MB in memory, and few enough that folding them does not delay other work. */
export const STREAM_PAGE = 1_000;

/**
 * Reads the events of a stream from a revision on, in order and in pages, so that a reader never holds more than one
 * page. `limit` is the total number of events. A read from the beginning passes no `from`.
 */
export async function* pagesOf(
  store: Pick<EventStore, 'read'>,
  stream: string,
  from = 0,
  limit = Infinity,
): AsyncGenerator<readonly Recorded[], void, undefined> {
  let next = from;
  for (let left = limit; left > 0;) {
    const size = Math.min(STREAM_PAGE, left);
    const page = await store.read(stream, { ...(next > 0 ? { from: next } : {}), limit: size });
    if (page.length > 0) yield page;
    if (page.length < size) return;
    left -= page.length;
    next = (page.at(-1)?.revision ?? next) + 1;
  }
}
