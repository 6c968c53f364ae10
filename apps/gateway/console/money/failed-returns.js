import { accountLink } from '../shell/account-link.js';
import { actionButton } from '../shell/action-button.js';
import { call, Refused } from '../shell/api.js';
import { card, chip, el, fill, note } from '../shell/dom.js';
import { oneAtATime } from '../shell/one-at-a-time.js';
import { showCurrent, tellDone } from '../shell/outcome.js';
import { doubleReturns } from './double-returns.js';
import { decideDialog, proposeDialog } from './failed-return-dialogs.js';
import { sendingActions, sendingOf } from './sending.js';
import { olderLink, statusLinks, statusList } from './status-list.js';
import { hasRole, maySeeCases, me } from '../session/session.js';
import { loadStaffNames, staffName } from '../staff/staff-names.js';
import { when } from '../shell/time.js';
import { plain, shortId } from '../shell/words.js';

/**
 * @typedef {import('./types').FailedReturn} FailedReturn
 * @typedef {import('../shell/router.js').Visit} Visit
 * @typedef {(path: string, body?: object) => Promise<void>} Send
 */

const ROUTE = '/staff/v1/failed-returns';
const PAGE = '/console/failed-returns';

/** @type {Record<string, { label: string, tone: 'bad' | 'warn' | 'good' }>} */
const STATUSES = {
  open: { label: 'Open', tone: 'bad' },
  proposed: { label: 'Waiting for a second staff member', tone: 'warn' },
  sending: { label: 'Being sent', tone: 'warn' },
  settled: { label: 'Settled', tone: 'good' },
};

/** @type {Record<string, { label: string }>} */
const CAUSES = {
  'return-refused': { label: 'The bank refuses to return it' },
  unallocated: { label: 'No account may receive it' },
  'set-aside': { label: 'Tokens of a closed account' },
};

/** @type {Record<string, string>} */
const DONE = {
  proposed: 'Recorded. Another staff member must confirm it.',
  sending: 'Confirmed. The tokens are being sent.',
  settled: 'Settled.',
  open: 'Rejected. The money is still in suspense.',
};

/**
 * Shows the payments whose money is in suspense, newest first. The status and the page are in the URL.
 * @param {Visit} visit
 */
export async function showFailedReturns({ main, signal }) {
  const read = statusList(ROUTE, signal, ['status', 'cause']);
  const show = async () => {
    const [{ body, chosen, next }, paidTwice] = await Promise.all([
      read(),
      doubleReturns(signal),
      loadStaffNames(signal),
    ]);
    fill(
      main,
      el('h1', { tabindex: '-1' }, 'Failed returns'),
      el(
        'p',
        { class: 'muted' },
        'The money of these payments is in suspense. Unless its payer holds an account that is frozen for sanctions, ' +
          'suspected fraud, a court order or compliance, have the bank send it back, then propose a settlement with ' +
          'the bank reference of that payment. For tokens of a closed account, propose the address that Ponte sends ' +
          'them to. Another staff member confirms it.',
      ),
      paidTwice,
      statusLinks(PAGE, chosen, STATUSES),
      statusLinks(PAGE, chosen, CAUSES, { name: 'cause', label: 'Cause', all: 'Any cause' }),
      body['failed-returns'].length === 0 && note('', 'No payment matches.'),
      body['failed-returns'].map((/** @type {FailedReturn} */ one) => paymentCard(one, send)),
      olderLink(PAGE, chosen, next),
    );
  };
  /** @type {Send} */
  const send = async (path, body) => {
    const { 'failed-return': now } = await call('POST', `${ROUTE}/${path}`, { ...(body && { body }) }).catch(
      showCurrent(signal, show),
    );
    await tellDone(DONE[now.status] ?? 'Recorded.', signal, show);
  };
  await show();
}

/** @param {FailedReturn} payment */
const isTokens = ({ cause }) => cause === 'set-aside';

/** @param {FailedReturn} payment @param {Send} send */
function paymentCard(payment, send) {
  const { label, tone } = STATUSES[payment.status] ?? { label: plain(payment.status), tone: '' };
  const account = payment['account-id'];
  const reference = payment['end-to-end-id'];
  const settlement = el('div', { 'aria-live': 'polite' }, settlementOf(payment));
  return card(
    `${payment.amount} ${payment.asset}`,
    { aside: chip(label, tone) },
    el(
      'div',
      { class: 'facts' },
      el('span', null, CAUSES[payment.cause]?.label ?? plain(payment.cause)),
      chip(plain(payment.reason), ''),
      account && el('span', null, 'account ', accountLink(account)),
      reference && el('span', { class: 'mono' }, reference),
      el('span', { class: 'mono muted', title: payment['deposit-id'] }, shortId(payment['deposit-id'])),
      el('span', { class: 'muted' }, `since ${when(payment['failed-at'])}`),
    ),
    isTokens(payment) ? sendingOf(payment) : settlement,
    payment.settlement && maySeeCases() && noteButton(payment, settlement),
    el('div', { class: 'decide-row' }, isTokens(payment) ? sendingActions(payment, send) : actions(payment, send)),
  );
}

/** Shows the note of the settlement. The view is recorded. @param {FailedReturn} payment @param {HTMLElement} shown */
function noteButton(payment, shown) {
  const purpose = hasRole('compliance-analyst', 'compliance-approver') ? 'review' : 'audit';
  const open = async () => {
    const path = `${ROUTE}/${payment['deposit-id']}?purpose=${purpose}`;
    const { 'failed-return': opened } = await call('GET', path);
    fill(shown, settlementOf(opened));
  };
  const refused = (/** @type {unknown} */ error) => {
    if (!(error instanceof Refused)) throw error;
    fill(shown, settlementOf(payment), note('bad', error.message));
  };
  const show = oneAtATime(() => open().catch(refused));
  return el('button', { type: 'button', class: 'button', onclick: () => void show() }, 'Show the note');
}

/** The settlement, with its note after its view was recorded. @param {FailedReturn} payment */
function settlementOf({ settlement, 'settled-at': settledAt }) {
  if (!settlement)
    return settledAt && el('p', { class: 'muted' }, `The bank took the payment back itself, ${when(settledAt)}.`);
  const confirmedBy = settlement['confirmed-by'];
  const overtaken = settledAt !== null && confirmedBy === null;
  return el(
    'ul',
    { class: 'notes' },
    el(
      'li',
      null,
      'Sent back as ',
      el('span', { class: 'mono' }, settlement['bank-reference']),
      settlement.note !== undefined && [': ', el('q', null, settlement.note)],
      el(
        'span',
        { class: 'muted small' },
        ` ${staffName(settlement['proposed-by'])} · ${when(settlement['proposed-at'])}`,
      ),
    ),
    overtaken &&
      el(
        'li',
        null,
        chip('Paid twice?', 'bad'),
        ` The bank took the payment back itself, ${when(settledAt)}, before this was confirmed. Tell finance.`,
      ),
    confirmedBy &&
      el(
        'li',
        null,
        'Confirmed',
        el('span', { class: 'muted small' }, ` ${staffName(confirmedBy)} · ${when(settledAt ?? '')}`),
      ),
  );
}

/** @param {FailedReturn} payment @param {Send} send */
function actions(payment, send) {
  const path = `${payment['deposit-id']}/settlement`;
  if (payment.status === 'open')
    return hasRole('operator')
      ? actionButton('Propose a settlement…', '', () => void proposeDialog((body) => send(path, body)))
      : el('span', { class: 'muted' }, 'An operator proposes a settlement.');
  if (payment.status !== 'proposed') return null;
  const decided = { proposal: payment.settlement?.proposal };
  if (payment.settlement?.['proposed-by'] === me()['staff-id'])
    return el('span', { class: 'muted' }, 'You proposed it. Another staff member must decide.');
  if (!hasRole('operator', 'compliance-approver'))
    return el('span', { class: 'muted' }, 'An operator or an approver must decide.');
  return [
    actionButton('Confirm…', '', () => void decideDialog(payment, 'confirm', () => send(`${path}/confirm`, decided))),
    actionButton(
      'Reject…',
      'danger',
      () => void decideDialog(payment, 'reject', () => send(`${path}/reject`, decided)),
    ),
  ];
}
