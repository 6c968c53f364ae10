/* global URLSearchParams */
import { accountLink } from '../shell/account-link.js';
import { call, callList, Refused } from '../shell/api.js';
import { card, chip, el, fill, note } from '../shell/dom.js';
import { typedId } from '../shell/ids.js';
import { oneAtATime } from '../shell/one-at-a-time.js';
import { showCurrent, tellDone } from '../shell/outcome.js';
import { hasRole, isApprover, me, maySeeCases } from '../session/session.js';
import { when } from '../shell/time.js';
import { LISTS, plain, shortId, VERDICT_REASONS, VERDICTS } from '../shell/words.js';
import { accountForm, moreWait, WAITING_MOST } from './address-views.js';
import { findingDialog } from './finding-dialog.js';

/**
 * @typedef {import('./types').ScreeningFinding} ScreeningFinding
 * @typedef {import('../shell/router.js').Visit} Visit
 * @typedef {{ view: string, account: string }} Filters
 */

const ROUTE = '/staff/v1/screening-findings';
const PAGE = '50';

/** The findings that the page lists. @type {Record<string, string>} */
const VIEWS = { '': 'Waiting', open: 'Open', matched: 'Matched', settled: 'Settled', cleared: 'Cleared', all: 'All' };

/** @type {Record<string, { label: string, tone: import('../shell/words.js').Tone }>} */
const STATUSES = {
  open: { label: 'Waiting for a decision', tone: 'warn' },
  matched: { label: 'True match, account not frozen for it yet', tone: 'bad' },
  cleared: { label: 'Cleared', tone: 'good' },
  settled: { label: 'True match, account stopped', tone: 'bad' },
};

/**
 * Shows the people of accounts whom ongoing screening found on a list. The view, account and list are in the URL.
 * @param {Visit} visit
 */
export async function showFindings({ main, signal }) {
  const pageQuery = new URLSearchParams(globalThis.location.search);
  const account = typedId(pageQuery.get('account'));
  const name = pageQuery.get('view') ?? '';
  const list = pageQuery.get('list') ?? '';
  const known = Object.hasOwn(VIEWS, name) ? name : '';
  // The waiting findings have no filter.
  const view = account !== '' ? 'all' : known === '' && list !== '' ? 'open' : known;
  const query = new URLSearchParams(view === '' ? {} : { limit: PAGE });
  if (view !== '' && view !== 'all') query.set('status', view);
  if (account !== '') query.set('account-id', account);
  if (list !== '') query.set('list', list);
  const cursor = pageQuery.get('cursor');
  if (cursor && view !== '') query.set('cursor', cursor);
  const show = async () => {
    const { body, next } = await callList(`${ROUTE}${query.size === 0 ? '' : `?${query}`}`, { signal });
    paint(main, { view, account, list, next, findings: body['screening-findings'] }, decide);
  };
  const decide = async (/** @type {ScreeningFinding} */ finding, /** @type {object} */ body) => {
    const { 'screening-finding': now } = await call('POST', `${ROUTE}/${finding.id}/verdict`, {
      body: { version: finding.version, ...body },
    }).catch(showCurrent(signal, show));
    await tellDone(said(now), signal, show);
  };
  await show();
}

/** @param {ScreeningFinding} finding */
function said({ status, verdicts, 'freeze-requested-at': requested }) {
  if (status === 'cleared') return 'Two approvers agree. The finding is cleared.';
  if (verdicts.at(-1)?.verdict === 'false-positive') return 'Recorded. Another approver must also decide.';
  if (status === 'settled') return 'Recorded. The account is already frozen for it, or closed.';
  return requested === null
    ? 'Recorded. The freeze cannot be requested yet: another step waits.'
    : 'Recorded. The freeze of the account waits for another approver.';
}

/** @param {Record<string, string>} filters */
function addressOf(filters) {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''));
  return query.size === 0 ? '/console/findings' : `/console/findings?${query}`;
}

/**
 * @param {HTMLElement} main
 * @param {{ view: string, account: string, list: string, next: string | null, findings: ScreeningFinding[] }} page
 *   `next`: the cursor of the next page
 * @param {(finding: ScreeningFinding, body: object) => Promise<void>} decide
 */
function paint(main, { view, account, list, next, findings }, decide) {
  const filters = { view, account };
  const none = view === '' ? note('good', 'No finding waits for a decision.') : note('', 'No finding matches.');
  fill(
    main,
    el('h1', { tabindex: '-1' }, 'Findings'),
    el(
      'p',
      { class: 'muted' },
      'Everyone with an account is screened again every day. Each of these people may be on a list, or a liveness session failed after the approval. The partner is not notified of it.',
    ),
    el(
      'nav',
      { 'aria-label': 'Findings', class: 'page-head' },
      Object.entries(VIEWS).map(([name, label]) =>
        el(
          'a',
          {
            class: 'button small',
            href: addressOf({ view: name, list: name === '' ? '' : list }),
            ...(name === view ? { 'aria-current': 'page' } : {}),
          },
          label,
        ),
      ),
    ),
    accountForm(account, 'Show its findings', addressOf),
    list !== '' &&
      el(
        'p',
        null,
        `Only the list ${LISTS[list] ?? plain(list)}. `,
        el('a', { href: addressOf(filters) }, 'All lists'),
      ),
    findings.length === 0 ? none : findings.map((one) => findingCard(one, filters, (body) => decide(one, body))),
    view === '' && findings.length >= WAITING_MOST && moreWait(addressOf({ view: 'open' })),
    next && el('p', null, el('a', { class: 'button', href: addressOf({ ...filters, list, cursor: next }) }, 'Older')),
  );
}

/** @param {ScreeningFinding} finding @param {Filters} filters @param {(body: object) => Promise<void>} send */
function findingCard(finding, filters, send) {
  const status = STATUSES[finding.status] ?? { label: plain(finding.status), tone: '' };
  const shown = el('div', { 'aria-live': 'polite' });
  return card(
    `${LISTS[finding.list] ?? plain(finding.list)}, entry ${finding['entry-id']}`,
    { aside: chip(status.label, status.tone) },
    el(
      'div',
      { class: 'facts' },
      el('span', null, `score ${finding.score}`),
      el('a', { href: addressOf({ ...filters, list: finding.list }) }, 'Only this list'),
      el('span', null, `${finding.person} of account `, accountLink(finding['account-id'])),
      el('span', { class: 'muted' }, `since ${when(finding['opened-at'])}`),
      finding['freeze-requested-at'] &&
        el('span', { class: 'muted' }, `freeze requested ${when(finding['freeze-requested-at'])}`),
    ),
    el(
      'ul',
      { class: 'notes' },
      finding.verdicts.map((one) =>
        el(
          'li',
          null,
          `${VERDICTS[one.verdict]?.label ?? plain(one.verdict)}: ${VERDICT_REASONS[one.reason] ?? plain(one.reason)}`,
          el('span', { class: 'muted small' }, ` ${one.staff.name ?? shortId(one.staff.id)} · ${when(one.at)}`),
        ),
      ),
    ),
    shown,
    el('div', { class: 'decide-row' }, maySeeCases() && compareButton(finding, shown), verdictButtons(finding, send)),
  );
}

/** Shows what was compared. The view is recorded. @param {ScreeningFinding} finding @param {HTMLElement} shown */
function compareButton(finding, shown) {
  const purpose = hasRole('compliance-analyst', 'compliance-approver') ? 'review' : 'audit';
  const open = async () => {
    const { 'screening-finding': opened } = await call('POST', `${ROUTE}/${finding.id}/open`, { body: { purpose } });
    const notes = opened.verdicts.filter((/** @type {{ note: string | null }} */ one) => one.note !== null);
    fill(
      shown,
      el('p', null, opened.match),
      notes.map((/** @type {{ note: string }} */ one) => el('p', null, el('q', null, one.note))),
    );
  };
  const refused = (/** @type {unknown} */ error) => {
    if (!(error instanceof Refused)) throw error;
    fill(shown, note('bad', error.message));
  };
  const show = oneAtATime(() => open().catch(refused));
  return el('button', { type: 'button', class: 'button', onclick: () => void show() }, 'Show what was compared');
}

/** @param {ScreeningFinding} finding @param {(body: object) => Promise<void>} send */
function verdictButtons(finding, send) {
  const { status, verdicts } = finding;
  if (status === 'cleared') return null;
  if (!isApprover()) return el('span', { class: 'muted' }, 'Two approvers must decide.');
  const lastMatch = verdicts.findLastIndex(({ verdict }) => verdict === 'true-match');
  const cleared = verdicts.slice(lastMatch + 1).some(({ staff }) => staff.id === me()['staff-id']);
  const button = (/** @type {string} */ label, /** @type {string} */ tone, /** @type {string} */ verdict) => {
    const open = () => void findingDialog(finding.id, verdict, send);
    return el('button', { type: 'button', class: `button ${tone}`, onclick: open }, label);
  };
  return [
    cleared
      ? el('span', { class: 'muted' }, 'You have decided. Another approver must also decide.')
      : button('False positive…', '', 'false-positive'),
    status === 'open' && button('True match…', 'danger', 'true-match'),
  ];
}
