/* global clearTimeout, document, setTimeout */
import { Refused } from '../shell/api.js';
import { fill, note } from '../shell/dom.js';
import { announce } from '../shell/live.js';
import { shortId } from '../shell/words.js';

/**
 * @typedef {import('./queue.js').Page} Page
 * @typedef {import('./queue-table.js').QueueTable} QueueTable
 */

/** Short enough to notice that a colleague has claimed a request; the server responds in a few milliseconds. */
const REFRESH_MS = 15_000;

/**
 * Regularly reads the page again in the background, without moving the user's position or extending the session.
 * @param {{ read: () => Promise<Page>, signal: AbortSignal, table: QueueTable, paint: (page: Page) => void,
 *   state: HTMLElement }} parts
 */
export function refresh({ read, signal, table, paint, state }) {
  /** @type {ReturnType<typeof setTimeout>} */
  let timer;
  const turn = async () => {
    const before = new Set(table.ids);
    try {
      if (!document.hidden) {
        const page = await read();
        if (signal.aborted) return;
        paint(page);
        const fresh = page.items.filter(({ id }) => !before.has(id));
        if (fresh.length > 0)
          announce(
            fresh.length === 1
              ? `New in this list: ${shortId(fresh[0]?.id ?? '')}`
              : `${fresh.length} new in this list`,
          );
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Refused)) throw error;
      fill(state, note('warn', 'This list could not be refreshed. The page is trying again.'));
    } finally {
      if (!signal.aborted) timer = setTimeout(turn, REFRESH_MS);
    }
  };
  timer = setTimeout(turn, REFRESH_MS);
  signal.addEventListener('abort', () => clearTimeout(timer));
}
