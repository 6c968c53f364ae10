import { maySeePrivacy } from '../session/session.js';
import { accountLink } from '../shell/account-link.js';
import { call } from '../shell/api.js';
import { card, chip, el, fill, note } from '../shell/dom.js';
import { loadStaffNames } from '../staff/staff-names.js';
import { when } from '../shell/time.js';
import { plain, shortId } from '../shell/words.js';
import { reviewLines } from '../accounts/address-review.js';
import { KINDS, TONES } from './movement-kinds.js';
import { setAsideCard } from './set-aside.js';

/**
 * @typedef {import('../shell/router.js').Visit} Visit
 * @typedef {import('./movement-kinds.js').Row} Row
 */

/** Members that name a movement of another list. @type {Record<string, string>} */
const LINKS = {
  'withdrawal-id': 'withdrawals',
  'reward-certificate-id': 'certificates',
};
/** Members that the page shows elsewhere. */
const ELSEWHERE = [
  'id',
  'account-id',
  'amount',
  'asset',
  'state',
  'status',
  'failure',
  'review',
  'coordinates',
  'set-aside',
];
/** The names of members that are times. What a text looks like does not say so: partners choose texts themselves. */
const TIME = /-at$|^scheduled-for$/;
/** Members whose values are words of the API. All others are shown exactly as they were sent. */
const WORDS = ['method', 'type'];

/** Shows one movement with everything that staff may read of it. @param {Visit} visit */
export async function showMovement(visit) {
  const [word = '', id = ''] = visit.params;
  const kind = /** @type {import('./movement-kinds.js').Kind} */ (KINDS[word]);
  const [{ [kind.envelope]: row }] = await Promise.all([
    call('GET', `/staff/v1/${kind.path}/${id}`, { signal: visit.signal }),
    loadStaffNames(visit.signal),
  ]);
  draw(visit, kind, row);
}

/** @param {Visit} visit @param {import('./movement-kinds.js').Kind} kind @param {Row} row */
function draw(visit, kind, row) {
  const {
    main,
    params: [word = '', id = ''],
    signal,
  } = visit;
  const { failure, review, coordinates } = row;
  const state = row[kind.state];
  fill(
    main,
    el(
      'div',
      { class: 'page-head' },
      el('a', { class: 'button small quiet', href: `/console/money/${word}` }, `‹ ${kind.label}`),
      el('h1', { tabindex: '-1' }, `${kind.one} `, el('span', { class: 'mono' }, shortId(id))),
    ),
    el(
      'div',
      { class: 'facts' },
      chip(plain(state), TONES[state] ?? ''),
      row['amount'] && el('strong', null, [row['amount'], row['asset']].filter(Boolean).join(' ')),
      el('span', null, 'account ', accountLink(row['account-id'])),
      el('span', { class: 'mono muted breakable' }, id),
    ),
    failure && note('bad', [el('strong', null, `${plain(failure.code)}. `), failure.message]),
    card('Details', {}, facts(row)),
    coordinates && card('Where it came from', {}, facts(coordinates)),
    review && card('On a sanctions list', {}, reviewLines(review)),
    word === 'deposits' &&
      setAsideCard(
        row,
        signal,
        (changed) => draw(visit, kind, changed),
        () => showMovement(visit),
      ),
    word === 'deposits' && payerLink(row),
  );
}

/** @param {Row} row */
const facts = (row) =>
  el(
    'dl',
    { class: 'data' },
    Object.entries(row)
      .filter(([name]) => !ELSEWHERE.includes(name))
      .flatMap(([name, value]) => [el('dt', null, plain(name)), el('dd', null, shown(name, value))]),
  );

/** @param {string} name @param {unknown} value */
function shown(name, value) {
  if (value === null || value === '') return el('span', { class: 'muted' }, 'none');
  const text = String(value);
  const list = LINKS[name];
  if (list) return el('a', { class: 'mono', href: `/console/money/${list}/${text}` }, text);
  if (TIME.test(name)) return when(text);
  return WORDS.includes(name) ? plain(text) : el('span', { class: 'mono' }, text);
}

/**
 * A payer whom the bank named without a valid tax id is found by the deposit alone.
 * @param {Row} deposit
 */
const payerLink = ({ id, type }) =>
  ['pix', 'ted'].includes(type) &&
  maySeePrivacy() &&
  el(
    'p',
    { class: 'muted' },
    'Did the bank name the payer without a tax id? ',
    el('a', { href: `/console/privacy?deposit=${id}` }, 'Find the data by this deposit'),
  );
