import { accountLink } from '../shell/account-link.js';
import { card, chip, el, fill, note } from '../shell/dom.js';
import { when } from '../shell/time.js';
import { plain, shortId } from '../shell/words.js';
import { olderLink, statusLinks, statusList } from './status-list.js';

/**
 * @typedef {import('./types').RefusedPayout} RefusedPayout
 * @typedef {import('../shell/router.js').Visit} Visit
 */

const ROUTE = '/staff/v1/refused-payouts';
const PAGE = '/console/refused-payouts';

/** @type {Record<string, { label: string, tone: 'bad' | 'warn' | 'good' }>} */
const STATUSES = {
  waiting: { label: 'The bank will be asked again', tone: 'warn' },
  made: { label: 'The bank made it anyway', tone: 'bad' },
  closed: { label: 'The bank did not make it', tone: 'good' },
};

/**
 * Shows the payouts whose withdrawals were rolled back, the latest first. The status and the page are in the URL.
 * @param {Visit} visit
 */
export async function showRefusedPayouts({ main, signal }) {
  const { body, chosen, next } = await statusList(ROUTE, signal)();
  fill(
    main,
    el('h1', { tabindex: '-1' }, 'Refused payouts'),
    el(
      'p',
      { class: 'muted' },
      'The bank refused or cancelled these payments, or did not have them, so the accounts have their funds back. ' +
        'Ponte asks the bank again whether it made one anyway. Finance then has the bank recover the money.',
    ),
    statusLinks(PAGE, chosen, STATUSES),
    body['refused-payouts'].length === 0 && note('', 'No payout matches.'),
    body['refused-payouts'].map(payoutCard),
    olderLink(PAGE, chosen, next),
  );
}

/** @param {RefusedPayout} payout */
function payoutCard(payout) {
  const { label, tone } = STATUSES[payout.status] ?? { label: plain(payout.status), tone: '' };
  const { 'withdrawal-id': id, 'end-to-end-id': reference, 'check-again-at': checkAgainAt } = payout;
  return card(
    `${payout.amount} ${payout.asset}`,
    { aside: chip(label, tone) },
    el(
      'div',
      { class: 'facts' },
      chip(plain(payout.reason), ''),
      el('span', null, 'account ', accountLink(payout['account-id'])),
      el(
        'span',
        null,
        `${payout.method === 'ted' ? 'TED' : 'Pix'} withdrawal `,
        el('a', { class: 'mono', href: `/console/money/withdrawals/${id}`, title: id }, shortId(id)),
      ),
      reference && el('span', { class: 'mono' }, reference),
      el('span', { class: 'muted' }, `rolled back ${when(payout['rolled-back-at'])}`),
      checkAgainAt && el('span', { class: 'muted' }, `next check ${when(checkAgainAt)}`),
    ),
    payout.status === 'made' && el('p', null, lossOf(payout)),
  );
}

/** @param {RefusedPayout} payout */
const lossOf = ({ 'posted-at': postedAt }) =>
  postedAt === null
    ? 'The account was debited for it, so there is no loss.'
    : `The house bears the loss, posted ${when(postedAt)}.`;
