import { accountLink } from '../shell/account-link.js';
import { actionButton } from '../shell/action-button.js';
import { call, Refused } from '../shell/api.js';
import { card, chip, el, fill, note } from '../shell/dom.js';
import { oneAtATime } from '../shell/one-at-a-time.js';
import { showCurrent, tellDone } from '../shell/outcome.js';
import { hasRole, me } from '../session/session.js';
import { loadStaffNames, staffName } from '../staff/staff-names.js';
import { when } from '../shell/time.js';
import { plain, shortId } from '../shell/words.js';
import { olderLink, statusLinks, statusList } from './status-list.js';
import { comparison, confirmDialog, recordDialog, rejectDialog } from './usd-deposit-dialogs.js';

/**
 * @typedef {import('./types').UsdDeposit} UsdDeposit
 * @typedef {import('../shell/router.js').Visit} Visit
 * @typedef {(path: string, body?: object) => Promise<void>} Send
 */

const ROUTE = '/staff/v1/usd-deposits';
const PAGE = '/console/usd-deposits';

/** @type {Record<string, { label: string, tone: 'good' | 'warn' | '', done: string }>} */
const STATUSES = {
  created: { label: 'To confirm', tone: 'warn', done: 'Recorded. Another staff member must confirm it.' },
  confirmed: { label: 'Confirmed', tone: 'warn', done: 'Confirmed. It is credited once the account is released.' },
  credited: { label: 'Credited', tone: 'good', done: 'Confirmed and credited.' },
  voided: { label: 'Voided', tone: '', done: 'Rejected. Nothing is credited.' },
};

/** Shows the USD deposits that staff recorded, newest first. @param {Visit} visit */
export async function showUsdDeposits({ main, signal }) {
  const read = statusList(ROUTE, signal);
  const show = async () => {
    const [{ body, chosen, next }] = await Promise.all([read(), loadStaffNames(signal)]);
    fill(
      main,
      el('h1', { tabindex: '-1' }, 'USD deposits'),
      el(
        'p',
        { class: 'muted' },
        'USD arrives outside all payment rails. An operator records what the bank received, with the document that proves ' +
          'it. It is credited after another staff member has confirmed it.',
      ),
      hasRole('operator') &&
        el(
          'p',
          null,
          actionButton('Record a deposit…', 'primary', () => void recordDialog((command) => send('', command))),
        ),
      statusLinks(PAGE, chosen, STATUSES),
      body.deposits.length === 0 && note('', 'No deposit has this status.'),
      body.deposits.map((/** @type {UsdDeposit} */ one) => depositCard(one, send)),
      olderLink(PAGE, chosen, next),
    );
  };
  /** @type {Send} */
  const send = async (path, body) => {
    const { deposit } = await call('POST', `${ROUTE}${path}`, { ...(body && { body }) }).catch(
      showCurrent(signal, show),
    );
    await tellDone(STATUSES[deposit.status]?.done ?? 'Recorded.', signal, show);
  };
  await show();
}

/** @param {UsdDeposit} deposit @param {Send} send */
function depositCard(deposit, send) {
  const { label, tone } = STATUSES[deposit.status] ?? { label: plain(deposit.status), tone: '' };
  const account = deposit['account-id'];
  const parties = el('span', null, partiesOf(deposit));
  return card(
    `${deposit.amount} USD`,
    { aside: chip(label, tone) },
    el(
      'div',
      { class: 'facts' },
      el('span', null, 'account ', accountLink(account)),
      el('span', { class: 'mono' }, deposit['end-to-end-id']),
      parties,
      el('span', { class: 'mono muted', title: deposit.id }, shortId(deposit.id)),
      el(
        'span',
        { class: 'muted' },
        `recorded by ${staffName(deposit['recorded-by'])} · ${when(deposit['created-at'])}`,
      ),
    ),
    el(
      'p',
      { class: 'muted small' },
      'Document, SHA-256: ',
      el('span', { class: 'mono' }, deposit['document-sha-256']),
    ),
    el('details', { class: 'stack' }, el('summary', null, 'Compare a document'), comparison(deposit).fields),
    partiesButton(deposit, parties),
    el('div', { class: 'decide-row' }, actions(deposit, send)),
  );
}

/** The source and the target, masked unless the view of them was recorded. @param {UsdDeposit} deposit */
function partiesOf({ coordinates: { source, target } }) {
  return [source && `from ${source}`, target && `to ${target}`].filter(Boolean).join(' ');
}

/**
 * Shows the source and the target to those who decide. The view is recorded.
 * @param {UsdDeposit} deposit @param {HTMLElement} parties
 */
function partiesButton(deposit, parties) {
  if (deposit.status !== 'created' || partiesOf(deposit) === '') return null;
  if (!hasRole('operator', 'compliance-approver')) return null;
  const open = async () => {
    const { deposit: opened } = await call('GET', `${ROUTE}/${deposit.id}?purpose=review`);
    fill(parties, partiesOf(opened));
  };
  const refused = (/** @type {unknown} */ error) => {
    if (!(error instanceof Refused)) throw error;
    fill(parties, note('bad', error.message));
  };
  const show = oneAtATime(() => open().catch(refused));
  return el('button', { type: 'button', class: 'button', onclick: () => void show() }, 'Show source and target');
}

/** @param {UsdDeposit} deposit @param {Send} send */
function actions(deposit, send) {
  if (deposit.status !== 'created') return null;
  if (!hasRole('operator', 'compliance-approver'))
    return el('span', { class: 'muted' }, 'An operator or an approver must decide.');
  const own = deposit['recorded-by'] === me()['staff-id'];
  return [
    own
      ? el('span', { class: 'muted' }, 'You recorded it. Another staff member must confirm it.')
      : actionButton('Confirm…', '', () => void confirmDialog(deposit, () => send(`/${deposit.id}/confirm`))),
    actionButton('Reject…', 'danger', () => void rejectDialog(() => send(`/${deposit.id}/reject`))),
  ];
}
