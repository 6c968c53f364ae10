import { accountLink } from '../shell/account-link.js';
import { call } from '../shell/api.js';
import { card, chip, el } from '../shell/dom.js';
import { when } from '../shell/time.js';
import { plain, shortId } from '../shell/words.js';

/** @typedef {import('./types').DoubleReturn} DoubleReturn */

/**
 * The newest payments whose money left the bank twice. Null if there are none.
 * @param {AbortSignal} signal
 */
export async function doubleReturns(signal) {
  const body = await call('GET', '/staff/v1/double-returns?limit=20', { signal });
  /** @type {DoubleReturn[]} */
  const found = body['double-returns'];
  if (found.length === 0) return null;
  return el(
    'section',
    { 'aria-label': 'Paid back twice' },
    el('h2', null, 'Paid back twice'),
    el(
      'p',
      { class: 'muted' },
      'These payments were paid back, and the bank then took them back as well. Finance reclaims one of the two amounts.',
    ),
    found.map(doubleReturnCard),
  );
}

/** @param {DoubleReturn} payment */
function doubleReturnCard(payment) {
  const account = payment['account-id'];
  return card(
    `${payment.amount} ${payment.asset}`,
    { aside: chip('Paid back twice', 'bad') },
    el(
      'div',
      { class: 'facts' },
      chip(plain(payment.reason), ''),
      account && el('span', null, 'account ', accountLink(account)),
      el('span', { class: 'mono' }, payment['end-to-end-id'] ?? ''),
      el(
        'span',
        { class: 'mono' },
        payment['bank-return-id'] ?? payment['return-id'] ?? payment['bank-reference'] ?? '',
      ),
      el('span', { class: 'mono muted', title: payment['deposit-id'] }, shortId(payment['deposit-id'])),
      el('span', { class: 'muted' }, `since ${when(payment['posted-at'])}`),
    ),
  );
}
