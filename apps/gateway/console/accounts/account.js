import { actionButton } from '../shell/action-button.js';
import { call, Refused } from '../shell/api.js';
import { chip, el, fill, note } from '../shell/dom.js';
import { tell } from '../shell/live.js';
import { oneAtATime } from '../shell/one-at-a-time.js';
import { tellDone } from '../shell/outcome.js';
import { hasRole, isApprover, isReviewer, me } from '../session/session.js';
import { plain, shortId } from '../shell/words.js';
import { statusChip, STEPS } from './account-words.js';
import { freezesCard, matchesCard, historyCard } from './account-cards.js';
import { askDialog } from './account-dialog.js';
import { decisionDialog, pendingLines } from './account-decision.js';

/**
 * @typedef {import('../types').AccountStanding} AccountStanding
 * @typedef {import('../shell/router.js').Visit} Visit
 */

// After these refusals, the page shows the account again: it showed another state.
const CHANGED = ['freeze-step-not-pending', 'review-changed'];

/** Shows one account and the actions that the user may take on it. @param {Visit} visit */
export async function showAccount(visit) {
  const {
    main,
    params: [id = ''],
    signal,
  } = visit;
  paint(main, await standingOf(id, signal), signal);
}

/**
 * Shows the evidence too, and the view of it is recorded. While the holder's data is restricted, the evidence is left
 * out.
 *
 * @param {string} id @param {AbortSignal} signal @returns {Promise<AccountStanding>}
 */
async function standingOf(id, signal) {
  const route = `/staff/v1/accounts/${id}/standing`;
  try {
    return (await call('GET', `${route}?purpose=${isReviewer() ? 'review' : 'audit'}`, { signal })).account;
  } catch (error) {
    if (!(error instanceof Refused && error.code === 'personal-data-restricted')) throw error;
    return (await call('GET', route, { signal })).account;
  }
}

/** @param {string} id */
const walletsLink = (id) =>
  hasRole('operator')
    ? el('a', { class: 'button small', href: `/console/accounts/${id}/wallets` }, 'Whitelisted wallets')
    : actionButton('Whitelisted wallets', 'small', () => undefined, 'Only operators see and change the whitelist.');

/**
 * @param {HTMLElement} main @param {AccountStanding} account @param {AbortSignal} signal
 * @param {string} [notDone] why the user's last decision did nothing
 */
function paint(main, account, signal, notDone = '') {
  const { id, alias, status, pending, freezes, history, 'address-matches': matches = [] } = account;
  // Absent while the ledger, which has the reviews of addresses, does not answer.
  const { 'address-match-count': matchCount } = account;
  /** @param {string} path @param {string} done @param {object} [body] */
  const send = async (path, done, body) => {
    const { account: now } = await call('POST', `/staff/v1/accounts/${id}/${path}`, {
      ...(body ? { body } : {}),
    });
    await tellDone(done, signal, () => paint(main, now, signal));
  };
  /** If the page is out of date, shows it again with the reason. Throws all other refusals, which the dialog shows. */
  const decide = async (/** @type {string} */ path, /** @type {string} */ done) => {
    try {
      await send(path, done, decided);
    } catch (error) {
      if (!(error instanceof Refused && CHANGED.includes(error.code)) || signal.aborted) throw error;
      // The page shows the current request and the current address matches before the next decision.
      const why = error.messages.join('; ');
      paint(main, await standingOf(id, signal), signal, why);
      tell(why);
    }
  };
  const withdraw = oneAtATime(() =>
    decide('freeze-request/close', 'Withdrawn.').catch((error) => {
      if (!(error instanceof Refused)) throw error;
      if (!signal.aborted) paint(main, account, signal, error.messages.join('; '));
      tell(error.messages.join('; '));
    }),
  );
  // A decision names the request that this page shows. If another one has replaced it, the decision is refused.
  const decided = { request: pending?.request };
  const own = pending?.['requested-by'].id === me()['staff-id'];
  const button = (/** @type {string} */ label, /** @type {string} */ tone, /** @type {() => void} */ run) =>
    el('button', { type: 'button', class: `button ${tone}`, onclick: run }, label);
  const actions = !isReviewer()
    ? []
    : pending === null
      ? Object.entries(STEPS)
          .filter(([, { from }]) => from.includes(status))
          .map(([path, step]) =>
            button(
              path === 'freeze' && status === 'frozen' ? 'Freeze for another reason…' : `${step.ask}…`,
              step.danger ? 'danger' : 'primary',
              () => void askDialog(step, (body) => send(path, 'Requested. Another approver must confirm it.', body)),
            ),
          )
      : [
          isApprover() &&
            !own &&
            button(
              `Confirm the ${STEPS[pending.step].noun}…`,
              STEPS[pending.step].danger ? 'danger' : 'primary',
              () =>
                void decisionDialog({ id, alias, pending }, 'confirm', () =>
                  decide(`${pending.step}/confirm`, STEPS[pending.step].confirmed),
                ),
            ),
          own && button('Withdraw', '', () => void withdraw()),
          isApprover() &&
            !own &&
            button(
              'Refuse…',
              '',
              () =>
                void decisionDialog({ id, alias, pending }, 'refuse', () => decide('freeze-request/close', 'Refused.')),
            ),
        ];
  fill(
    main,
    el(
      'div',
      { class: 'page-head' },
      el('a', { class: 'button small quiet', href: '/console/accounts' }, '‹ Accounts'),
      el('h1', { tabindex: '-1' }, 'Account ', el('span', { class: 'mono' }, shortId(id))),
      walletsLink(id),
    ),
    el(
      'div',
      { class: 'facts' },
      statusChip(account),
      !!matchCount && chip(matchCount === 1 ? '1 sanctioned address' : `${matchCount} sanctioned addresses`, 'bad'),
      el('span', null, alias),
      el('span', { class: 'mono muted' }, id),
    ),
    notDone !== '' && note('bad', [el('strong', null, 'Nothing was done. '), notDone]),
    pending &&
      note(
        'warn',
        el('strong', null, `${plain(STEPS[pending.step].noun)} waits for an approver.`),
        ...pendingLines(pending),
        own && 'Another approver must confirm it. You cannot.',
      ),
    el(
      'section',
      { class: 'decide', 'aria-label': 'Decide' },
      el(
        'div',
        { class: 'decide-row' },
        actions.some(Boolean)
          ? actions
          : el(
              'span',
              { class: 'muted' },
              isReviewer() ? 'There is nothing for you to do here.' : 'Your role may read this, but not change it.',
            ),
      ),
    ),
    freezesCard(freezes, status),
    matchCount === undefined &&
      note('warn', 'Sanctioned addresses of this account cannot be shown now. There may be some: reload the page.'),
    !!matchCount && matchesCard(id, matches, matchCount),
    historyCard(history),
  );
}
