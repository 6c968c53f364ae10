/* global URLSearchParams */
import { accountLink } from '../shell/account-link.js';
import { call, callList, Refused } from '../shell/api.js';
import { card, chip, el, fill, note } from '../shell/dom.js';
import { typedId } from '../shell/ids.js';
import { oneAtATime } from '../shell/one-at-a-time.js';
import { showCurrent, tellDone } from '../shell/outcome.js';
import { hasRole, isApprover, maySeeCases, me } from '../session/session.js';
import { when } from '../shell/time.js';
import { plain } from '../shell/words.js';
import { loadStaffNames } from '../staff/staff-names.js';
import {
  accountForm,
  addressOf,
  movementForm,
  movementOf,
  moreWait,
  VIEWS,
  viewLinks,
  WAITING_MOST,
} from './address-views.js';
import { reviewLines } from './address-review.js';
import { verdictDialog } from './address-dialog.js';

/**
 * @typedef {import('../types').AddressReview} AddressReview
 * @typedef {import('../shell/router.js').Visit} Visit
 */

const ROUTE = '/staff/v1/address-reviews';
const REVIEWERS = 2;

/** The name of each subject, and its state while it is held. @type {Record<string, string>} */
const SUBJECTS = {
  withdrawal: 'Withdrawal, funds held',
  transfer: 'Token transfer, funds held',
  'nft-transfer': 'NFT transfer, certificate held',
  order: 'Order, funds held',
  deposit: 'Deposit, not credited',
  wallet: 'Wallet, not on the whitelist',
};

/**
 * Shows the movements that are held because a sanctions list contains their address. Other views, and the account, are
 * in the URL.
 * @param {Visit} visit
 */
export async function showAddresses({ main, signal }) {
  const pageQuery = new URLSearchParams(globalThis.location.search);
  const account = typedId(pageQuery.get('account'));
  const movement = movementOf(pageQuery);
  // The list of waiting reviews has no filter by account: those of an account are among all of its reviews.
  const name = pageQuery.get('view') ?? '';
  const view = account !== '' && name === '' ? 'all' : Object.hasOwn(VIEWS, name) ? name : '';
  const chosen = Object.entries(movement).filter(([, value]) => value !== '');
  const query = new URLSearchParams([...Object.entries(VIEWS[view]?.query ?? {}), ...chosen]);
  if (account !== '') query.set('account-id', account);
  const cursor = pageQuery.get('cursor');
  if (cursor && view !== '') query.set('cursor', cursor);
  const show = async () => {
    const [{ body, next }] = await Promise.all([
      callList(`${ROUTE}${query.size === 0 ? '' : `?${query}`}`, { signal }),
      loadStaffNames(signal),
    ]);
    paint(main, { view, account, movement, next, reviews: body['address-reviews'] }, decide);
  };
  const decide = async (/** @type {AddressReview} */ review, /** @type {object} */ body) => {
    const { 'address-review': now } = await call('POST', `${ROUTE}/${review.id}/verdict`, {
      body: { version: review.version, ...body },
    }).catch(showCurrent(signal, show));
    await tellDone(DONE[now.outcome] ?? 'Decided.', signal, show);
  };
  await show();
}

/**
 * @param {HTMLElement} main
 * @param {{ view: string, account: string, movement: import('./address-views.js').Movement, next: string | null,
 *   reviews: AddressReview[] }} list `next`: the cursor of the next page
 * @param {(review: AddressReview, body: object) => Promise<void>} decide
 */
function paint(main, { view, account, movement, next, reviews }, decide) {
  const isFiltered = Object.values(movement).some((value) => value !== '');
  const none =
    (view === '' || view === 'open') && account === '' && !isFiltered
      ? note('good', 'No address is waiting for a decision.')
      : note('', 'No review matches.');
  const filters = { view, account, ...movement };
  fill(
    main,
    el('h1', { tabindex: '-1' }, 'Addresses'),
    el(
      'p',
      { class: 'muted' },
      'A sanctions list names the address of each of these. Until the review is decided, nothing is signed or ' +
        'credited. The partner is not notified.',
    ),
    viewLinks(view, account, movement),
    movementForm(movement, (filter) => addressOf({ ...filters, ...filter })),
    accountForm(account, 'Show its reviews', (filter) => addressOf({ ...movement, ...filter })),
    reviews.length === 0 ? none : reviews.map((one) => reviewCard(one, (body) => decide(one, body))),
    view === '' && reviews.length >= WAITING_MOST && moreWait(addressOf({ ...filters, view: 'open' })),
    next && el('p', null, el('a', { class: 'button', href: addressOf({ ...filters, cursor: next }) }, 'Older')),
  );
}

/** The lists of Money that the subjects are in. @type {Record<string, string>} */
const LISTS = {
  withdrawal: 'withdrawals',
  transfer: 'transfers',
  'nft-transfer': 'nft-transfers',
  deposit: 'deposits',
};

/** The whole id of what is held, with a link to its page if it has one. @param {AddressReview} review */
function subjectLink({ subject, 'subject-id': id }) {
  const list = LISTS[subject];
  return list
    ? el('a', { class: 'mono breakable', href: `/console/money/${list}/${id}` }, id)
    : el('span', { class: 'mono breakable' }, id);
}

/** @param {AddressReview} review */
const outcomeChip = ({ outcome }) => (outcome === 'refused' ? chip('Refused', 'bad') : chip('Released', 'good'));

/** @type {Record<string, string>} */
const DONE = {
  waits: 'Recorded. Another approver must also decide.',
  clear: 'Two approvers agree: it continues.',
  refused: 'Refused.',
};

/** @param {AddressReview} review @param {(body: object) => Promise<void>} send */
function reviewCard(review, send) {
  const waits = review.outcome === 'waits';
  const decided = review.verdicts.some((one) => one['staff-id'] === me()['staff-id']);
  const lines = el('div', { 'aria-live': 'polite' }, reviewLines(review));
  return card(
    waits ? (SUBJECTS[review.subject] ?? plain(review.subject)) : plain(review.subject),
    waits ? {} : { aside: outcomeChip(review) },
    el(
      'div',
      { class: 'facts' },
      waits &&
        chip(`${review.verdicts.length} of ${REVIEWERS} false positives`, review.verdicts.length > 0 ? 'warn' : ''),
      review.amount && el('strong', null, `${review.amount} ${review.asset}`),
      el('span', { class: 'mono breakable' }, review.address),
      review.chain && el('span', null, `on ${review.chain}`),
      el('span', null, 'account ', accountLink(review['account-id'])),
      subjectLink(review),
      el('span', { class: 'muted' }, `since ${when(review['held-at'])}`),
    ),
    lines,
    review.verdicts.length > 0 && maySeeCases() && reasonsButton(review, lines),
    !waits
      ? null
      : isApprover()
        ? el(
            'div',
            { class: 'decide-row' },
            decided
              ? el('span', { class: 'muted' }, 'You have decided. Another approver must also decide.')
              : verdictButton('False positive…', '', 'false-positive', review, send),
            verdictButton('True match…', 'danger', 'true-match', review, send),
          )
        : el('p', { class: 'muted' }, 'Two approvers must decide.'),
  );
}

/** Shows the reasons of the verdicts. The view is recorded. @param {AddressReview} review @param {HTMLElement} lines */
function reasonsButton(review, lines) {
  const purpose = hasRole('compliance-analyst', 'compliance-approver') ? 'review' : 'audit';
  const open = async () => {
    const { 'address-review': opened } = await call('GET', `${ROUTE}/${review.id}?purpose=${purpose}`);
    fill(lines, reviewLines(opened));
  };
  const refused = (/** @type {unknown} */ error) => {
    if (!(error instanceof Refused)) throw error;
    fill(lines, reviewLines(review), note('bad', error.message));
  };
  const show = oneAtATime(() => open().catch(refused));
  return el('button', { type: 'button', class: 'button', onclick: () => void show() }, 'Show the reasons');
}

/**
 * @param {string} label @param {string} tone @param {string} verdict @param {AddressReview} review
 * @param {(body: object) => Promise<void>} send
 */
const verdictButton = (label, tone, verdict, review, send) => {
  const isLast = review.verdicts.length + 1 === REVIEWERS;
  const open = () => void verdictDialog(review, verdict, isLast, send);
  return el('button', { type: 'button', class: `button ${tone}`, onclick: open }, label);
};
