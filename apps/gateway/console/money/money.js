/* global FormData, URLSearchParams */
import { accountLink } from '../shell/account-link.js';
import { callList } from '../shell/api.js';
import { chip, el, fill, freshId, tableHead } from '../shell/dom.js';
import { go } from '../shell/router.js';
import { when } from '../shell/time.js';
import { plain, shortId } from '../shell/words.js';

/**
 * @typedef {import('../shell/router.js').Visit} Visit
 * @typedef {Record<string, string | null | undefined>} Row
 * @typedef {object} Kind
 * @property {string} label
 * @property {string} path
 * @property {string} list the member of the response that contains the rows
 * @property {'state' | 'status'} state
 * @property {string[]} states
 * @property {(row: Row) => (string | null | undefined)[]} facts
 */

const PAGE = 50;
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The lists of movements that staff can read. @type {Record<string, Kind>} */
const KINDS = {
  withdrawals: {
    label: 'Withdrawals',
    path: 'withdrawals',
    list: 'withdrawals',
    state: 'state',
    states: ['created', 'processing', 'completed', 'rolled-back'],
    facts: (row) => [row['method'], row['destination-wallet-address'] ?? row['account-holder-tax-id'], row['tx-hash']],
  },
  deposits: {
    label: 'Deposits',
    path: 'deposits',
    list: 'deposits',
    state: 'status',
    states: ['created', 'confirmed', 'credited', 'voided'],
    facts: (row) => [row['type'], row['end-to-end-id'], row['bank-return-id'] ?? row['return-id'], row['tx-hash']],
  },
  transfers: {
    label: 'Token transfers',
    path: 'transfers',
    list: 'transfers',
    state: 'state',
    states: ['created', 'pending', 'completed', 'failed'],
    facts: (row) => [row['source-address'], row['target-address'], row['tx-hash']],
  },
  'nft-transfers': {
    label: 'NFT transfers',
    path: 'nft-transfers',
    list: 'transfers',
    state: 'state',
    states: ['created', 'pending', 'completed', 'failed'],
    facts: (row) => [row['reward-certificate-id'], row['target-address'], row['tx-hash']],
  },
  certificates: {
    label: 'Reward certificates',
    path: 'reward-certificates',
    list: 'reward-certificates',
    state: 'status',
    states: ['issued', 'active', 'transferring', 'transferred', 'failed'],
    facts: (row) => [row['wallet-address'], row['tx-hash']],
  },
};

/** Shows one list, newest first. Its filters are in the URL. @param {Visit} visit */
export async function showMoney({ main, params: [word = 'withdrawals'], signal }) {
  const kind = KINDS[word] ?? /** @type {Kind} */ (KINDS['withdrawals']);
  const asked = new URLSearchParams(globalThis.location.search);
  const query = new URLSearchParams({ limit: String(PAGE) });
  const [account, state, cursor] = ['account', 'state', 'cursor'].map((name) => asked.get(name) ?? '');
  if (account) query.set('account-id', account);
  if (state) query.set(kind.state, state);
  if (cursor) query.set('cursor', cursor);
  const { body, next } = await callList(`/staff/v1/${kind.path}?${query}`, { signal });
  const further = new URLSearchParams({ account: account ?? '', state: state ?? '', cursor: next ?? '' });
  fill(
    main,
    el('h1', { tabindex: '-1' }, 'Money'),
    el(
      'nav',
      { 'aria-label': 'Lists', class: 'page-head' },
      Object.entries(KINDS).map(([name, { label }]) =>
        el(
          'a',
          {
            class: 'button small',
            href: `/console/money/${name}`,
            ...(name === word ? { 'aria-current': 'page' } : {}),
          },
          label,
        ),
      ),
    ),
    filters(word, kind, account ?? '', state ?? ''),
    table(kind, body[kind.list]),
    next && el('p', null, el('a', { class: 'button', href: `/console/money/${word}?${further}` }, 'Older')),
  );
}

/** @param {string} word @param {Kind} kind @param {string} account @param {string} state */
function filters(word, kind, account, state) {
  const [accountField, stateField] = [freshId('account'), freshId('state')];
  const wrong = el('p', { class: 'note bad', role: 'alert', hidden: true });
  return el(
    'form',
    {
      class: 'stack',
      novalidate: true,
      onsubmit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const data = new FormData(/** @type {HTMLFormElement} */ (event.target));
        const id = String(data.get('account') ?? '')
          .trim()
          .toLowerCase();
        if (id !== '' && !ID.test(id)) {
          wrong.hidden = false;
          return fill(wrong, 'This is not the id of an account.');
        }
        return go(
          `/console/money/${word}?${new URLSearchParams({ account: id, state: String(data.get('state') ?? '') })}`,
        );
      },
    },
    el(
      'div',
      { class: 'field' },
      el('label', { for: accountField }, 'Account id'),
      el('input', { id: accountField, name: 'account', value: account, autocomplete: 'off', spellcheck: 'false' }),
    ),
    el(
      'div',
      { class: 'field' },
      el('label', { for: stateField }, 'State'),
      el(
        'select',
        { id: stateField, name: 'state' },
        ['', ...kind.states].map((one) =>
          el('option', { value: one, ...(one === state ? { selected: true } : {}) }, one === '' ? 'Any' : plain(one)),
        ),
      ),
    ),
    wrong,
    el('button', { class: 'button' }, 'Filter'),
  );
}

/** @param {Kind} kind @param {Row[]} rows */
function table(kind, rows) {
  if (rows.length === 0) return el('p', { class: 'muted' }, 'No entries match these filters.');
  return el(
    'table',
    { class: 'plain' },
    tableHead(['Created', 'Id', 'Account', 'Amount', 'State', 'Details']),
    el(
      'tbody',
      null,
      rows.map((row) => {
        const account = row['account-id'] ?? '';
        const state = row[kind.state] ?? '';
        return el(
          'tr',
          null,
          el('td', null, row['created-at'] ? when(row['created-at']) : ''),
          el('td', { class: 'mono', title: row['id'] ?? '' }, shortId(row['id'] ?? '')),
          el('td', null, account && accountLink(account)),
          el('td', null, [row['amount'], row['asset']].filter(Boolean).join(' ')),
          el('td', null, chip(plain(state), TONES[state] ?? '')),
          el('td', { class: 'mono small' }, kind.facts(row).filter(Boolean).join(' · ')),
        );
      }),
    ),
  );
}

/** @type {Record<string, 'good' | 'bad' | 'warn' | ''>} */
const TONES = {
  completed: 'good',
  credited: 'good',
  active: 'good',
  failed: 'bad',
  'rolled-back': 'bad',
  voided: 'bad',
};
