import { viewsTable } from '../case/case-history.js';
import { card, chip, el, note, tableHead } from '../shell/dom.js';
import { eraseDialog } from './privacy-erase.js';
import { isApprover } from '../session/session.js';
import { oneAtATime } from '../shell/one-at-a-time.js';
import { when } from '../shell/time.js';
import { plain, shortId } from '../shell/words.js';

/**
 * @typedef {import('../types').PrivacyReport} PrivacyReport
 * @typedef {{ 'account-request-id': string, person: string } | { identifier: { value: string, country: string } }
 *   | { 'deposit-id': string }} PersonKey
 */

const STATUS = /** @type {Record<string, { label: string, tone: 'good' | 'warn' | '' }>} */ ({
  held: { label: 'Held', tone: '' },
  restricted: { label: 'Restricted', tone: 'warn' },
  erased: { label: 'Erased', tone: 'good' },
});

/**
 * Shows which data of a person is held, and who viewed it.
 * @param {PrivacyReport} report @param {PersonKey} key @param {AbortSignal} signal of the page
 * @param {() => Promise<void>} again
 */
export function reportOf({ status, holdings, views, 'subject-id': subject }, key, signal, again) {
  const erase = oneAtATime(() => eraseDialog(key, signal, again));
  const { label, tone } = STATUS[status] ?? { label: plain(status), tone: '' };
  return [
    el(
      'div',
      { class: 'facts' },
      chip(label, tone),
      el('span', { class: 'muted' }, 'Person ', el('span', { class: 'mono' }, shortId(subject))),
      isApprover() &&
        status !== 'erased' &&
        el(
          'button',
          { type: 'button', class: 'button danger small grow', onclick: () => void erase() },
          'Erase this person…',
        ),
    ),
    status === 'restricted' &&
      note(
        'warn',
        'An erasure was requested that the law does not allow yet. Until then only approvers and auditors may view the data, for a legal reason.',
      ),
    status === 'erased' &&
      note('good', 'The key of this person was destroyed. What is left identifies no one and can no longer be read.'),
    card(
      `What is held (${holdings.length})`,
      { wide: true },
      el(
        'table',
        { class: 'plain' },
        tableHead(['What', 'As', 'Categories', 'For', 'Since', 'Until']),
        el(
          'tbody',
          null,
          holdings.map((one) =>
            el(
              'tr',
              null,
              el('td', null, plain(one.kind), el('span', { class: 'mono muted' }, ` ${shortId(one.id)}`)),
              el('td', null, plain(one.role)),
              el('td', null, one.categories.map(plain).join(', ')),
              el('td', null, one.purpose, el('span', { class: 'muted' }, ` ${one['legal-basis']}`)),
              el('td', null, when(one.since)),
              el('td', null, one['retained-until'] ? when(one['retained-until']) : 'While the relationship lasts'),
            ),
          ),
        ),
      ),
    ),
    card(`Who viewed the data (${views.length})`, { wide: true }, viewsTable(views)),
  ];
}
