/* global URLSearchParams */
import { accountLink } from '../shell/account-link.js';
import { callList, Refused } from '../shell/api.js';
import { card, chip, el, fill, note, tableHead } from '../shell/dom.js';
import { go } from '../shell/router.js';
import { when } from '../shell/time.js';
import { plain, shortId } from '../shell/words.js';
import { filterForm, filtersOf, queryOf } from './movement-filters.js';
import { KINDS, TONES } from './movement-kinds.js';

/**
 * @typedef {import('../shell/router.js').Visit} Visit
 * @typedef {import('./movement-kinds.js').Kind} Kind
 * @typedef {import('./movement-kinds.js').Row} Row
 */

const PAGE = '50';
const WRONG_FILTER = 400;

/** Shows one list, newest first. Its filters are in the URL. @param {Visit} visit */
export async function showMoney({ main, params: [name = ''], signal }) {
  const word = Object.hasOwn(KINDS, name) ? name : 'withdrawals';
  const kind = /** @type {Kind} */ (KINDS[word]);
  const { search } = globalThis.location;
  const chosen = filtersOf(kind, search);
  const shown = await rowsOf(word, kind, chosen, new URLSearchParams(search).get('cursor') ?? '', signal);
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
    filterForm(kind, chosen, (next) => go(`/console/money/${word}?${next}`)),
    shown,
  );
}

/**
 * The rows and the link to the next page, or the message about a filter that the server does not accept.
 * @param {string} word @param {Kind} kind @param {URLSearchParams} chosen @param {string} cursor
 * @param {AbortSignal} signal
 */
async function rowsOf(word, kind, chosen, cursor, signal) {
  const query = queryOf(kind, chosen);
  query.set('limit', PAGE);
  if (cursor) query.set('cursor', cursor);
  try {
    const { body, next } = await callList(`/staff/v1/${kind.path}?${query}`, { signal });
    const further = new URLSearchParams([...chosen, ['cursor', next ?? '']]);
    return [
      card(kind.label, { wide: true }, table(word, kind, body[kind.list])),
      next && el('p', null, el('a', { class: 'button', href: `/console/money/${word}?${further}` }, 'Older')),
    ];
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== WRONG_FILTER) throw error;
    return el('div', { role: 'alert' }, note('bad', ...error.messages));
  }
}

/** @param {string} word @param {Kind} kind @param {Row[]} rows */
function table(word, kind, rows) {
  if (rows.length === 0) return el('p', { class: 'muted' }, 'No entries match these filters.');
  return el(
    'table',
    { class: 'plain' },
    tableHead(['Created', 'Id', 'Account', 'Amount', 'State', 'Details']),
    el(
      'tbody',
      null,
      rows.map((row) => {
        const { id, 'account-id': account } = row;
        const state = row[kind.state];
        return el(
          'tr',
          null,
          el('td', null, when(row['created-at'])),
          el('td', null, el('a', { class: 'mono', href: `/console/money/${word}/${id}`, title: id }, shortId(id))),
          el('td', null, account && accountLink(account)),
          el('td', null, [row['amount'], row['asset']].filter(Boolean).join(' ')),
          el('td', null, chip(plain(state), TONES[state] ?? '')),
          el('td', { class: 'mono small breakable roomy' }, kind.facts(row).filter(Boolean).join(' · ')),
        );
      }),
    ),
  );
}
