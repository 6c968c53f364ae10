/* global document */
import { el } from '../shell/dom.js';
import { isReviewer } from '../session/session.js';
import { shortId } from '../shell/words.js';
import { KEYS, isMine, isOpen } from './decision-rules.js';

/**
 * @typedef {import('../types').QueueItem} QueueItem
 * @typedef {import('./decision-rules.js').Verb} Verb
 */

/**
 * The buttons of the decisions, or the reason why there is nothing to decide.
 * @param {{ item: QueueItem, why: (verb: Verb) => string, start: (verb: Verb) => void,
 *   next: () => string | undefined }} parts
 * @returns {import('../shell/dom.js').Child[]}
 */
export function decisionRow({ item, why: hindrance, start, next }) {
  const mine = isMine(item);
  const button = (/** @type {Verb} */ verb, /** @type {string} */ label, /** @type {string} */ tone) => {
    const why = hindrance(verb);
    // Not `disabled`, which would remove the focus and hide the reason from users who do not see the grey colour.
    return el(
      'button',
      {
        type: 'button',
        class: `button ${tone}`,
        'data-verb': verb,
        'aria-disabled': why !== '' ? 'true' : null,
        title: why || null,
        'aria-description': why || null,
        onclick: () => start(verb),
      },
      `${label} `,
      el('kbd', null, KEYS[verb]),
    );
  };
  const who =
    item.assignee === null
      ? 'No one has claimed it'
      : mine
        ? 'Claimed by you'
        : `Claimed by ${item.assignee.name ?? shortId(item.assignee.id)}`;
  if (!isReviewer() || !isOpen(item)) {
    const address = next();
    return [
      el(
        'div',
        { class: 'decide-row' },
        el('span', { class: 'muted' }, hindrance('approve')),
        address && el('a', { class: 'button small', href: address }, 'Next request ', el('kbd', null, 'n')),
      ),
    ];
  }
  const reason = hindrance('approve');
  return [
    el(
      'div',
      { class: 'decide-row' },
      el('span', { class: 'assignee' }, who),
      item.assignee === null || !mine
        ? button('claim', item.assignee === null ? 'Claim' : 'Take over', '')
        : button('release', 'Release', ''),
      el('span', { class: 'gap' }),
      button('ask-information', 'Ask for information', ''),
      button('escalate', 'Escalate', ''),
      button('reject', 'Reject', 'danger'),
      button(
        'approve',
        item['four-eyes'] ? (item.approvals > 0 ? 'Approve, second of two' : 'Approve, first of two') : 'Approve',
        'primary',
      ),
    ),
    reason && el('p', { class: 'muted small' }, reason),
  ];
}

/** The keyboard shortcuts of the page. @param {(verb: Verb) => void} start @param {() => void} reopen */
export function decisionKeys(start, reopen) {
  const key = (/** @type {Verb} */ verb, /** @type {string} */ says) => ({
    key: KEYS[verb],
    says,
    run: () => start(verb),
    when: isReviewer,
  });
  return [
    key('claim', 'Claim, or take over'),
    key('release', 'Release'),
    key('approve', 'Approve'),
    key('reject', 'Reject'),
    key('ask-information', 'Ask for information'),
    key('escalate', 'Escalate'),
    { key: 'o', says: 'Read the case again', run: reopen },
  ];
}

/** Focuses the first element that a selector finds, in their order; otherwise the heading of the page.
 * @param {HTMLElement} within @param {string[]} selectors */
export function focusFirst(within, ...selectors) {
  const found = selectors.map((one) => within.querySelector(one)).find((one) => one !== null);
  /** @type {HTMLElement | null} */ (found ?? document.querySelector('h1'))?.focus();
}
