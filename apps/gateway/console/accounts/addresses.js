import { accountLink } from '../shell/account-link.js';
import { call } from '../shell/api.js';
import { formDialog } from '../shell/dialogs.js';
import { card, chip, el, fill, freshId, note } from '../shell/dom.js';
import { tell } from '../shell/live.js';
import { isApprover, me } from '../session/session.js';
import { when } from '../shell/time.js';
import { plain, shortId, VERDICTS } from '../shell/words.js';

/**
 * @typedef {import('../types').AddressReview} AddressReview
 * @typedef {import('../shell/router.js').Visit} Visit
 */

const REASON_MOST = 2000;
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

/** Shows the movements that are held because a sanctions list contains their address. @param {Visit} visit */
export async function showAddresses({ main, signal }) {
  const { 'address-reviews': reviews } = await call('GET', '/staff/v1/address-reviews', { signal });
  paint(main, reviews, signal);
}

/** @param {HTMLElement} main @param {AddressReview[]} reviews @param {AbortSignal} signal */
function paint(main, reviews, signal) {
  const decide = async (/** @type {AddressReview} */ review, /** @type {object} */ body) => {
    const { 'address-review': now } = await call('POST', `/staff/v1/address-reviews/${review.id}/verdict`, {
      body,
      signal,
    });
    const { 'address-reviews': left } = await call('GET', '/staff/v1/address-reviews', { signal });
    paint(main, left, signal);
    tell(DONE[now.outcome] ?? 'Decided.');
  };
  fill(
    main,
    el('h1', { tabindex: '-1' }, 'Addresses'),
    el(
      'p',
      { class: 'muted' },
      'A sanctions list names the address of each of these. Nothing is signed or credited until it is decided, and the partner is not notified of it.',
    ),
    reviews.length === 0
      ? note('good', 'No address waits for a decision.')
      : reviews.map((one) => reviewCard(one, (body) => decide(one, body))),
  );
}

/** @type {Record<string, string>} */
const DONE = {
  waits: 'Recorded. Another approver must also decide.',
  clear: 'Two approvers agree: it continues.',
  refused: 'Refused.',
};

/** @param {AddressReview} review @param {(body: object) => Promise<void>} send */
function reviewCard(review, send) {
  const decided = review.verdicts.some((one) => one['staff-id'] === me()['staff-id']);
  return card(
    SUBJECTS[review.subject] ?? plain(review.subject),
    {},
    el(
      'div',
      { class: 'facts' },
      chip(`${review.verdicts.length} of ${REVIEWERS} false positives`, review.verdicts.length > 0 ? 'warn' : ''),
      el('span', { class: 'mono' }, review.address),
      el('span', null, 'account ', accountLink(review['account-id'])),
      el('span', { class: 'mono muted', title: review['subject-id'] }, shortId(review['subject-id'])),
      el('span', { class: 'muted' }, `since ${when(review['held-at'])}`),
    ),
    el(
      'ul',
      { class: 'notes' },
      review.hits.map((hit) =>
        el(
          'li',
          null,
          `${hit.list}, entry ${hit['entry-id']}`,
          el('span', { class: 'muted' }, ` ${hit.programs.join(', ')}`),
        ),
      ),
      review.verdicts.map((one) =>
        el(
          'li',
          null,
          VERDICTS[one.verdict]?.label ?? plain(one.verdict),
          ': ',
          el('q', null, one.reason),
          el('span', { class: 'muted small' }, ` ${shortId(one['staff-id'])} · ${when(one['reviewed-at'])}`),
        ),
      ),
    ),
    isApprover()
      ? el(
          'div',
          { class: 'decide-row' },
          decided
            ? el('span', { class: 'muted' }, 'You have decided. Another approver must also decide.')
            : verdictButton('False positive…', '', 'false-positive', send),
          verdictButton('True match…', 'danger', 'true-match', send),
        )
      : el('p', { class: 'muted' }, 'Two approvers must decide.'),
  );
}

/** @param {string} label @param {string} tone @param {string} verdict @param {(body: object) => Promise<void>} send */
const verdictButton = (label, tone, verdict, send) =>
  el('button', { type: 'button', class: `button ${tone}`, onclick: () => void verdictDialog(verdict, send) }, label);

/** @param {string} verdict @param {(body: object) => Promise<void>} send */
function verdictDialog(verdict, send) {
  const isTrue = verdict === 'true-match';
  const field = freshId('reason');
  return formDialog(
    {
      title: isTrue ? 'True match' : 'False positive',
      lead: isTrue
        ? 'It is refused at once. This cannot be undone. Held funds are released; received tokens stay in the wallet and are in no balance.'
        : 'It continues once another approver has also marked it as a false positive.',
      fields: [
        el(
          'div',
          { class: 'field' },
          el('label', { for: field }, 'Reason'),
          el('textarea', { id: field, name: 'reason', rows: 3, maxlength: REASON_MOST, 'data-focus': true }),
        ),
      ],
      button: isTrue ? 'Refuse it' : 'Record it',
      danger: isTrue,
      body: (data) => {
        const reason = String(data.get('reason') ?? '').trim();
        return reason === '' ? 'Enter the evidence.' : { verdict, reason };
      },
    },
    send,
  );
}
