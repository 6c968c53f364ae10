/* global FormData, URLSearchParams */
import { el, freshId } from '../shell/dom.js';
import { ASSETS } from '../money/movement-kinds.js';
import { idForm } from '../shell/id-form.js';
import { go } from '../shell/router.js';
import { plain } from '../shell/words.js';

const PAGE = '50';
/** The most that a list of waiting reviews or findings shows. */
export const WAITING_MOST = 200;

/** Says that more may wait than the page shows. @param {string} href a view that has all of them, page by page */
export const moreWait = (href) =>
  el(
    'p',
    { class: 'muted' },
    `These are the ${WAITING_MOST} that have waited longest. More may wait: `,
    el('a', { href }, 'show all of them, newest first'),
    '.',
  );

/** The reviews that the page lists. @type {Record<string, { label: string, query: Record<string, string> }>} */
export const VIEWS = {
  '': { label: 'Waiting', query: {} },
  open: { label: 'Waiting, newest first', query: { verdict: 'none', limit: PAGE } },
  refused: { label: 'True match', query: { verdict: 'true-match', limit: PAGE } },
  cleared: { label: 'False positive', query: { verdict: 'false-positive', limit: PAGE } },
  all: { label: 'All', query: { limit: PAGE } },
};

/**
 * What a review is about. Empty texts do not filter.
 * @typedef {{ subject: string, chain: string, asset: string }} Movement
 */

const TOKENS = ASSETS.filter((asset) => !asset.startsWith('fiat/'));
const CHAINS = [...new Set(TOKENS.map((token) => token.split('/')[0] ?? ''))];

/**
 * The filters by what is moved, with their values.
 * @type {Record<keyof Movement, { label: string, values: string[] }>}
 */
const MOVEMENT = {
  subject: { label: 'Held', values: ['withdrawal', 'transfer', 'nft-transfer', 'order', 'deposit', 'wallet'] },
  chain: { label: 'Chain', values: CHAINS },
  asset: { label: 'Asset', values: TOKENS },
};

/** The filters in the URL, without unknown values. @param {URLSearchParams} query @returns {Movement} */
export function movementOf(query) {
  const known = (/** @type {keyof Movement} */ name) => {
    const value = query.get(name) ?? '';
    return MOVEMENT[name].values.includes(value) ? value : '';
  };
  return { subject: known('subject'), chain: known('chain'), asset: known('asset') };
}

/**
 * A form that filters the view by what is moved.
 * @param {Movement} movement @param {(movement: Movement) => string} address the URL of the page with these filters
 */
export function movementForm(movement, address) {
  const select = (/** @type {keyof Movement} */ name) => {
    const id = freshId(name);
    const { label, values } = MOVEMENT[name];
    const option = (/** @type {string} */ value) =>
      el(
        'option',
        { value, selected: value === movement[name] },
        value === '' ? 'Any' : name === 'subject' ? plain(value) : value,
      );
    return el(
      'div',
      { class: 'field' },
      el('label', { for: id }, label),
      el('select', { id, name }, ['', ...values].map(option)),
    );
  };
  return el(
    'form',
    {
      class: 'inline',
      onsubmit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const data = new FormData(/** @type {HTMLFormElement} */ (event.target));
        const chosen = new URLSearchParams([...data].map(([name, value]) => [name, String(value)]));
        go(address(movementOf(chosen)));
      },
    },
    select('subject'),
    select('chain'),
    select('asset'),
    el('button', { class: 'button' }, 'Filter'),
  );
}

/** The URL of the page with these filters. @param {Record<string, string>} filters */
export function addressOf(filters) {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''));
  return query.size === 0 ? '/console/addresses' : `/console/addresses?${query}`;
}

/** @param {string} view @param {string} account @param {Movement} movement */
export const viewLinks = (view, account, movement) =>
  el(
    'nav',
    { 'aria-label': 'Reviews', class: 'page-head' },
    Object.entries(VIEWS).map(([name, { label }]) =>
      el(
        'a',
        {
          class: 'button small',
          // The list of waiting reviews has no filter by account.
          href: addressOf({ ...movement, view: name, account: name === '' ? '' : account }),
          ...(name === view ? { 'aria-current': 'page' } : {}),
        },
        label,
      ),
    ),
  );

/**
 * A form that shows all reviews or findings of an account.
 * @param {string} account @param {string} button @param {(filters: Record<string, string>) => string} address the URL
 *   of the page with these filters
 */
export const accountForm = (account, button = 'Show its reviews', address = addressOf) =>
  idForm({
    ...{ of: 'an account', label: 'Account id', button, value: account, mayBeEmpty: true },
    open: (id) => go(address({ account: id })),
  });
