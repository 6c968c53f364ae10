import type { Recorded } from '../event';
import type { EventStore } from '../ports/event-store';

/** Events in one page: some 0.5 MB in memory, and few enough that folding them does not hold up other work. */
export const STREAM_PAGE = 1_000;

/**
 * The events of a stream from a revision on, in order and in pages, so that a reader who folds them never holds more
 * than one page. `limit` bounds how many come in all. The first page of a stream that is read from its beginning names
 * no `from`.
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
