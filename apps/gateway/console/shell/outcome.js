/* global document */
import { Refused } from './api.js';
import { focusHeading } from './dom.js';
import { tell } from './live.js';

/**
 * Tells that a command was done, and shows the page again. The command itself is never aborted: a user who has left
 * the page meanwhile reads it on the page that is shown now.
 * @param {string} text @param {AbortSignal} signal of the page that sent the command
 * @param {() => void | Promise<void>} repaint
 */
export async function tellDone(text, signal, repaint) {
  tell(`${text}${(await repainted(signal, repaint)) ? '' : ' This page is not up to date: reload it.'}`);
}

/**
 * Whether the page could be shown again, or need not be because it was left.
 * @param {AbortSignal} signal @param {() => void | Promise<void>} repaint
 */
async function repainted(signal, repaint) {
  try {
    if (!signal.aborted) await repaint();
    if (document.activeElement === document.body) focusHeading();
    return true;
  } catch (error) {
    if (!signal.aborted && !(error instanceof Refused)) throw error;
    return signal.aborted;
  }
}

/**
 * Shows the page again after a refusal, because what it showed is out of date, and passes the refusal on.
 * @param {AbortSignal} signal @param {() => void | Promise<void>} repaint
 * @returns {(refusal: unknown) => Promise<never>}
 */
export const showCurrent = (signal, repaint) => async (refusal) => {
  if (refusal instanceof Refused && refusal.status === CONFLICT_STATUS) await repainted(signal, repaint);
  throw refusal;
};

/** The status of a command that the current state does not allow. */
const CONFLICT_STATUS = 422;
