import { olderLink, statusLinks, statusList } from '../money/status-list.js';
import { hasRole, me } from '../session/session.js';
import { accountLink } from '../shell/account-link.js';
import { actionButton } from '../shell/action-button.js';
import { call, Refused } from '../shell/api.js';
import { card, chip, el, fill, note } from '../shell/dom.js';
import { typedId } from '../shell/ids.js';
import { announce } from '../shell/live.js';
import { tellDone } from '../shell/outcome.js';
import { when } from '../shell/time.js';
import { watch } from '../shell/watch.js';
import { plain, shortId } from '../shell/words.js';
import { issueDialog } from './issue-dialog.js';

/**
 * @typedef {import('./types').Certificate} Certificate
 * @typedef {import('../shell/router.js').Visit} Visit
 */

const ROUTE = '/staff/v1/reward-certificates';
const PAGE = '/console/certificates';

/** @type {Record<string, { label: string, tone: 'good' | 'warn' | 'bad' | '' }>} */
const STATUSES = {
  issued: { label: 'To be minted', tone: 'warn' },
  active: { label: 'Active', tone: 'good' },
  transferring: { label: 'Transferring', tone: 'warn' },
  transferred: { label: 'Transferred', tone: '' },
  failed: { label: 'Failed', tone: 'bad' },
};
/** The statuses that end without staff. */
const PASSING = ['issued', 'transferring'];

/** Shows the reward certificates of all accounts, newest first. @param {Visit} visit */
export async function showCertificates({ main, signal }) {
  const read = statusList(ROUTE, signal);
  /**
   * The certificates on the page, with their cards. @type {Map<string, { shown: Certificate, element: HTMLElement }>}
   */
  const cards = new Map();
  const show = async () => {
    const { body, chosen, next } = await read();
    cards.clear();
    for (const shown of /** @type {Certificate[]} */ (body['reward-certificates']))
      cards.set(shown.id, { shown, element: certificateCard(shown) });
    fill(
      main,
      el('h1', { tabindex: '-1' }, 'Certificates'),
      el(
        'p',
        { class: 'muted' },
        "A reward certificate is an NFT that represents an account's right to rewards. An operator issues it to a " +
          'wallet of the account, and its token is then minted. The account itself transfers it.',
      ),
      el(
        'p',
        null,
        issueButton(() => void issueDialog(issue)),
      ),
      statusLinks(PAGE, chosen, STATUSES),
      cards.size === 0 && note('', 'No certificate has this status.'),
      [...cards.values()].map(({ element }) => element),
      olderLink(PAGE, chosen, next),
    );
  };
  const issue = async (/** @type {string} */ accountId, /** @type {object} */ body) => {
    const issued = await issueCertificate(accountId, body);
    // A new certificate waits to be minted. An older one may be on another page of the list.
    const before = cards.has(issued.id) || issued['issued-by'] !== me()['staff-id'] || issued.status !== 'issued';
    await tellDone(
      before
        ? 'Nothing new: this certificate had already been issued under the reference.'
        : 'Issued. Its token is being minted.',
      signal,
      show,
    );
  };
  await show();
  watch(signal, () => follow(cards, read, signal));
}

/** @param {() => void} issue */
const issueButton = (issue) =>
  actionButton(
    'Issue a certificate…',
    'primary',
    issue,
    hasRole('operator') ? '' : 'Only operators issue certificates.',
  );

/** @param {string} accountId @param {object} body @returns {Promise<Certificate>} */
async function issueCertificate(accountId, body) {
  const path = `/staff/v1/accounts/${accountId}/reward-certificates`;
  try {
    return (await call('POST', path, { body }))['reward-certificate'];
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'idempotency-key-reused') throw error;
    const message = 'Another certificate was issued under this reference. Look for it in the list, or use a new one.';
    throw new Refused(error.status, { code: error.code, message });
  }
}

/**
 * Shows what became of the certificates on the page whose status ends without staff. Others keep their place.
 * @param {Map<string, { shown: Certificate, element: HTMLElement }>} cards
 * @param {(background: boolean) => Promise<{ body: any }>} read
 * @param {AbortSignal} signal
 */
async function follow(cards, read, signal) {
  const open = [...cards.values()].filter(({ shown }) => PASSING.includes(shown.status));
  if (open.length === 0) return;
  const { body } = await read(true);
  /** @type {Certificate[]} */
  const listed = body['reward-certificates'];
  for (const { shown, element } of open) {
    const now = listed.find(({ id }) => id === shown.id) ?? (await certificateOf(shown.id, signal));
    if (signal.aborted || cards.get(shown.id)?.element !== element) return;
    if (now.status === shown.status) continue;
    const changed = certificateCard(now);
    element.replaceWith(changed);
    cards.set(now.id, { shown: now, element: changed });
    announce(`Certificate ${shortId(now.id)}: ${labelOf(now)}`);
  }
}

/** One that the list no longer contains, because of its filter. @param {string} id @param {AbortSignal} signal */
const certificateOf = async (id, signal) =>
  /** @type {Certificate} */ (
    (await call('GET', `${ROUTE}/${id}`, { background: true, signal }))['reward-certificate']
  );

/** @param {Certificate} certificate */
const labelOf = ({ status }) => STATUSES[status]?.label ?? plain(status);

/** The amount with at least two decimals. @param {string} amount */
const shortAmount = (amount) => amount.replace(/(\.\d{2}\d*?)0+$/, '$1');

/** @param {Certificate} certificate */
function certificateCard(certificate) {
  const { id, amount, status, failure, 'issued-by': issuedBy, 'tx-hash': txHash } = certificate;
  const by = issuedBy === me()['staff-id'] ? 'you' : typedId(issuedBy) === '' ? issuedBy : shortId(issuedBy);
  return card(
    `${shortAmount(amount)} BRLV, tier ${certificate['reward-tier']} %`,
    { aside: chip(labelOf(certificate), STATUSES[status]?.tone ?? '') },
    el(
      'div',
      { class: 'facts' },
      el('span', null, 'account ', accountLink(certificate['account-id'])),
      el('span', { class: 'mono breakable' }, certificate['wallet-address']),
      el('a', { class: 'mono', href: `/console/money/certificates/${id}`, title: id }, shortId(id)),
      el('span', { class: 'muted' }, `issued by ${by} · ${when(certificate['created-at'])}`),
    ),
    failure && note('bad', el('strong', null, 'It was not minted. '), failure.message),
    txHash &&
      el('p', { class: 'muted small' }, 'Minting transaction: ', el('span', { class: 'mono breakable' }, txHash)),
  );
}
