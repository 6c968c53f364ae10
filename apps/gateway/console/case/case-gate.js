/* global document */
import { call, Refused } from '../shell/api.js';
import { historyCard } from './case-history.js';
import { el, fill, freshId } from '../shell/dom.js';
import { usePageKeys } from '../shell/keys.js';
import { flags, stateChip } from '../queue/queue-chips.js';
import { hasRole, isApprover, isReviewer } from '../session/session.js';
import { PURPOSES } from '../shell/words.js';

/** @typedef {import('../types').QueueItem} QueueItem */

/**
 * The most likely reason, preselected so that a reviewer only presses Enter.
 * @param {readonly import('../types').HistoryEntry[]} history
 */
function likeliest(history) {
  if (!isReviewer() && hasRole('auditor')) return 'audit';
  const waiting = history.findLast(({ type }) => type === 'review-decided' || type === 'review-requested');
  return isApprover() && waiting?.type === 'review-decided' && waiting.facts.final === false
    ? 'second-approval'
    : 'review';
}

/**
 * Asks for a reason, which is required to show personal data. Resolves with the case and the reason.
 * @param {{ main: HTMLElement, id: string, history: import('../types').HistoryEntry[], head: HTMLElement, known:
 *   QueueItem | undefined, signal: AbortSignal }} parts
 * @returns {Promise<{ opened: import('../types').Case, purpose: string }>}
 */
export function askReason({ main, id, history, head, known, signal }) {
  return new Promise((resolve) => {
    const errorId = freshId('error');
    const error = el('p', { class: 'note bad', id: errorId, role: 'alert', hidden: true });
    const button = el('button', { class: 'button primary' }, 'Open the case ', el('kbd', null, '↵'));
    const first = likeliest(history);
    const choices = Object.entries(PURPOSES).map(([value, { label, hint }], at) =>
      el(
        'label',
        { class: 'choice' },
        el('input', { type: 'radio', name: 'purpose', value, checked: value === first }),
        el('span', null, el('kbd', null, at + 1), ' ', label, el('small', null, hint)),
      ),
    );
    const noteId = freshId('note');
    const form = el(
      'form',
      {
        class: 'stack',
        // A key that was held since the page before must not choose the reason.
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.repeat && event.key === 'Enter') event.preventDefault();
        },
        onsubmit: async (/** @type {SubmitEvent} */ event) => {
          event.preventDefault();
          const purpose = /** @type {RadioNodeList} */ (form.elements.namedItem('purpose')).value;
          const text = /** @type {HTMLInputElement} */ (form.elements.namedItem('note')).value.trim();
          button.disabled = true;
          try {
            const { case: opened } = await call('POST', `/staff/v1/account-requests/${id}/case`, {
              body: { purpose, ...(text === '' ? {} : { note: text }) },
              signal,
            });
            resolve({ opened, purpose });
          } catch (problem) {
            if (signal.aborted) return;
            if (!(problem instanceof Refused)) throw problem;
            error.hidden = false;
            fill(
              error,
              problem.code === 'personal-data-restricted'
                ? 'The data of this person is restricted. Approvers and auditors may open it for an audit, a legal or a privacy request.'
                : problem.message,
            );
            button.disabled = false;
            button.focus();
          }
        },
      },
      el(
        'fieldset',
        { 'aria-describedby': errorId },
        el('legend', null, 'Why are you opening it?'),
        el('div', { class: 'choices two' }, choices),
      ),
      el(
        'div',
        { class: 'field' },
        el('label', { for: noteId }, 'Note ', el('span', { class: 'muted' }, '(optional, kept with the record)')),
        el('input', { id: noteId, name: 'note', type: 'text', maxlength: 2000, autocomplete: 'off' }),
      ),
      error,
      el('div', null, button),
    );

    fill(
      main,
      head,
      known && el('div', { class: 'facts' }, stateChip(known), flags(known), el('span', null, known.partner.alias)),
      el(
        'div',
        { class: 'gate' },
        el(
          'section',
          { class: 'card', 'aria-label': 'Reason' },
          el(
            'div',
            { class: 'body' },
            el(
              'p',
              { class: 'gate-why' },
              'A case shows personal data. Opening it is recorded with the time and your reason, and the person can ask for that record.',
            ),
            form,
          ),
        ),
        historyCard(history),
      ),
    );
    button.focus();
    // Keeps the key that leads back; the digits choose a reason.
    usePageKeys([
      ...choices.map((choice, at) => ({
        key: String(at + 1),
        says: choice.querySelector('span')?.childNodes[2]?.textContent ?? '',
        run: () => {
          /** @type {HTMLInputElement} */ (choice.querySelector('input')).checked = true;
          button.focus();
        },
      })),
      { key: 'q', says: 'Back to the queue', run: () => document.querySelector('main')?.querySelector('a')?.click() },
    ]);
  });
}
