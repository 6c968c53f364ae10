/* global URLSearchParams */
import { call, callList } from '../shell/api.js';
import { card, chip, el, fill, note } from '../shell/dom.js';
import { tell } from '../shell/live.js';
import { decideDialog, proposeDialog } from './failed-return-dialogs.js';
import { hasRole, me } from '../session/session.js';
import { when } from '../shell/time.js';
import { plain, shortId } from '../shell/words.js';

/**
 * @typedef {import('./types').FailedReturn} FailedReturn
 * @typedef {import('../shell/router.js').Visit} Visit
 * @typedef {(path: string, body?: object) => Promise<void>} Send
 */

const ROUTE = '/staff/v1/failed-returns';
const PAGE = 50;

/** @type {Record<string, { label: string, tone: 'bad' | 'warn' | 'good' }>} */
const STATUSES = {
  open: { label: 'Open', tone: 'bad' },
  proposed: { label: 'Waits for a second person', tone: 'warn' },
  settled: { label: 'Settled', tone: 'good' },
};

/** @type {Record<string, string>} */
const CAUSES = {
  'return-refused': 'The bank refuses to return it',
  unallocated: 'No account may receive it',
};

/** @type {Record<string, string>} */
const DONE = {
  proposed: 'Recorded. Another staff member must confirm it.',
  settled: 'Settled.',
  open: 'Rejected. The money is still in suspense.',
};

/**
 * Shows the payments whose money is in suspense, newest first. The status and the page are in the URL.
 * @param {Visit} visit
 */
export async function showFailedReturns({ main, signal }) {
  const asked = new URLSearchParams(globalThis.location.search);
  const [status, cursor] = ['status', 'cursor'].map((name) => asked.get(name) ?? '');
  const query = new URLSearchParams({ limit: String(PAGE) });
  if (status) query.set('status', status);
  if (cursor) query.set('cursor', cursor);
  const show = async () => {
    const { body, next } = await callList(`${ROUTE}?${query}`, { signal });
    paint(main, body['failed-returns'], send, status ?? '', next);
  };
  /** @type {Send} */
  const send = async (path, body) => {
    const { 'failed-return': now } = await call('POST', `${ROUTE}/${path}`, { ...(body && { body }), signal });
    await show();
    tell(DONE[now.status] ?? 'Recorded.');
  };
  await show();
}

/**
 * @param {HTMLElement} main @param {FailedReturn[]} rows @param {Send} send @param {string} status
 * @param {string | null} next the cursor of the next page
 */
function paint(main, rows, send, status, next) {
  const further = new URLSearchParams({ status, cursor: next ?? '' });
  fill(
    main,
    el('h1', { tabindex: '-1' }, 'Failed returns'),
    el(
      'p',
      { class: 'muted' },
      'The bank could not send the money of these payments back, so it is in suspense. Send it back at the bank, then ' +
        'propose a settlement with the bank reference of that payment. Another staff member confirms it.',
    ),
    el(
      'nav',
      { 'aria-label': 'Status', class: 'page-head' },
      ['', ...Object.keys(STATUSES)].map((one) =>
        el(
          'a',
          {
            class: 'button small',
            href: `/console/failed-returns${one && `?status=${one}`}`,
            ...(one === status ? { 'aria-current': 'page' } : {}),
          },
          STATUSES[one]?.label ?? 'All',
        ),
      ),
    ),
    rows.length === 0 ? note('good', 'No payment has this status.') : rows.map((one) => paymentCard(one, send)),
    next && el('p', null, el('a', { class: 'button', href: `/console/failed-returns?${further}` }, 'Older')),
  );
}

/** @param {FailedReturn} payment @param {Send} send */
function paymentCard(payment, send) {
  const { label, tone } = STATUSES[payment.status] ?? { label: plain(payment.status), tone: '' };
  const account = payment['account-id'];
  const reference = payment['end-to-end-id'];
  return card(
    `${payment.amount} ${payment.asset}`,
    { aside: chip(label, tone) },
    el(
      'div',
      { class: 'facts' },
      el('span', null, CAUSES[payment.cause] ?? plain(payment.cause)),
      chip(plain(payment.reason), ''),
      account &&
        el(
          'span',
          null,
          'account ',
          el('a', { class: 'mono', href: `/console/accounts/${account}` }, shortId(account)),
        ),
      reference && el('span', { class: 'mono' }, reference),
      el('span', { class: 'mono muted', title: payment['deposit-id'] }, shortId(payment['deposit-id'])),
      el('span', { class: 'muted' }, `since ${when(payment['failed-at'])}`),
    ),
    settlementOf(payment),
    el('div', { class: 'decide-row' }, actions(payment, send)),
  );
}

/** @param {FailedReturn} payment */
function settlementOf({ settlement, 'settled-at': settledAt }) {
  if (!settlement)
    return settledAt && el('p', { class: 'muted' }, `The bank took the payment back itself, ${when(settledAt)}.`);
  const confirmedBy = settlement['confirmed-by'];
  return el(
    'ul',
    { class: 'notes' },
    el(
      'li',
      null,
      'Sent back as ',
      el('span', { class: 'mono' }, settlement['bank-reference']),
      ': ',
      el('q', null, settlement.note),
      el(
        'span',
        { class: 'muted small' },
        ` ${shortId(settlement['proposed-by'])} · ${when(settlement['proposed-at'])}`,
      ),
    ),
    confirmedBy &&
      el(
        'li',
        null,
        'Confirmed',
        el('span', { class: 'muted small' }, ` ${shortId(confirmedBy)} · ${when(settledAt ?? '')}`),
      ),
  );
}

/** @param {FailedReturn} payment @param {Send} send */
function actions(payment, send) {
  const path = `${payment['deposit-id']}/settlement`;
  if (payment.status === 'open')
    return hasRole('operator')
      ? button('Propose a settlement…', '', () => void proposeDialog((body) => send(path, body)))
      : el('span', { class: 'muted' }, 'An operator proposes a settlement.');
  if (payment.status !== 'proposed') return null;
  if (payment.settlement?.['proposed-by'] === me()['staff-id'])
    return el('span', { class: 'muted' }, 'You proposed it. Another staff member must decide.');
  if (!hasRole('operator', 'compliance-approver'))
    return el('span', { class: 'muted' }, 'An operator or an approver must decide.');
  return [
    button('Confirm…', '', () => void decideDialog(payment, 'confirm', () => send(`${path}/confirm`))),
    button('Reject…', 'danger', () => void decideDialog(payment, 'reject', () => send(`${path}/reject`))),
  ];
}

/** @param {string} label @param {string} tone @param {() => void} onclick */
const button = (label, tone, onclick) => el('button', { type: 'button', class: `button ${tone}`, onclick }, label);
