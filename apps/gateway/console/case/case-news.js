import { Refused } from '../shell/api.js';
import { actorOf, sentence } from './case-history.js';
import { el, note } from '../shell/dom.js';
import { me } from '../session/session.js';
import { tell } from '../shell/live.js';
import { when } from '../shell/time.js';
import { shortId } from '../shell/words.js';

/** @typedef {import('../types').HistoryEntry} HistoryEntry */

/** The history entries of people other than the user. @param {HistoryEntry[]} history */
export const byOthers = (history) =>
  history.filter(({ facts, actor }) => facts['staff-id'] !== me()['staff-id'] && actor !== me()['staff-id']);

/**
 * Shows decisions that others made meanwhile, and the text that was not sent.
 * @param {{ title: string, why: string, others: HistoryEntry[], typed: string, again: () => void }} parts
 */
export const newsNote = ({ title, why, others, typed, again }) =>
  note(
    'warn',
    [el('strong', null, `${title}. `), why],
    others.length > 0
      ? others.map((entry) =>
          el('span', { class: 'line' }, `${when(entry.at)}: ${sentence(entry)}, by ${actorOf(entry)}`),
        )
      : null,
    typed !== '' ? ['You wrote: ', el('q', null, typed)] : null,
    el(
      'button',
      { type: 'button', class: 'button small', onclick: again },
      'Read the case again ',
      el('kbd', null, 'o'),
    ),
  );

/** The note as text for screen readers. @param {string} title @param {string} why @param {HistoryEntry[]} others */
export const newsText = (title, why, others) =>
  [`${title}.`, why, ...others.map((entry) => `${sentence(entry)}, by ${actorOf(entry)}.`)].join(' ');

/**
 * Tells that a decision was made. Names the request if the user has left its page meanwhile.
 * @param {{ id: string, signal: AbortSignal }} parts @param {string} text
 */
export const tellOfRequest = ({ id, signal }, text) => tell(signal.aborted ? `Request ${shortId(id)}: ${text}` : text);

/**
 * Runs an action that has no dialog; a refusal is shown at the foot of the page. An action ends silently when the page
 * is left, or shown again, before it is answered.
 * @param {() => Promise<void>} run
 */
export async function orTell(run) {
  try {
    await run();
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return;
    if (!(error instanceof Refused)) throw error;
    tell(error.message);
  }
}
