/* global clearTimeout, document, setTimeout */
import { Refused } from './api.js';

const WATCH_MS = 5_000;

/**
 * Regularly checks whether something that the page shows has changed. `look` reads no personal data and does not keep
 * the session alive.
 * @param {AbortSignal} signal @param {() => Promise<void>} look
 */
export function watch(signal, look) {
  const turn = async () => {
    try {
      if (!document.hidden) await look();
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Refused)) throw error;
    } finally {
      if (!signal.aborted) timer = setTimeout(turn, WATCH_MS);
    }
  };
  let timer = setTimeout(turn, WATCH_MS);
  signal.addEventListener('abort', () => clearTimeout(timer));
}
