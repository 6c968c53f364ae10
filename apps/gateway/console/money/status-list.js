/* global URLSearchParams */
import { callList } from '../shell/api.js';
import { el } from '../shell/dom.js';

const PAGE = '50';

/**
 * One page of a list that the URL filters, as a rule by status.
 * @param {string} route the route of the staff API
 * @param {AbortSignal} signal
 * @param {readonly string[]} [names] the filters, by their names in the URL and in the API
 * @returns {(background?: boolean) => Promise<{ body: any, chosen: URLSearchParams, next: string | null }>} `next`: the
 *   cursor of the next page; `background`: does not keep the session alive
 */
export function statusList(route, signal, names = ['status']) {
  const pageQuery = new URLSearchParams(globalThis.location.search);
  const of = (/** @type {readonly string[]} */ wanted) =>
    wanted.map((name) => [name, pageQuery.get(name) ?? '']).filter(([, value]) => value !== '');
  const query = new URLSearchParams([['limit', PAGE], ...of([...names, 'cursor'])]);
  return async (background = false) => ({
    chosen: new URLSearchParams(of(names)),
    ...(await callList(`${route}?${query}`, { background, signal })),
  });
}

/** @param {string} page @param {URLSearchParams} query */
const addressOf = (page, query) => (query.size === 0 ? page : `${page}?${query}`);

/**
 * Links that filter a list by status, or by another filter. They keep the other filters.
 * @param {string} page the path of the page @param {URLSearchParams} chosen the filters in the URL
 * @param {Record<string, { label: string }>} values
 * @param {{ name: string, label: string, all: string }} [filter] `all`: the link without the filter
 */
export const statusLinks = (
  page,
  chosen,
  values,
  { name, label, all } = { name: 'status', label: 'Status', all: 'All' },
) =>
  el(
    'nav',
    { 'aria-label': label, class: 'page-head' },
    ['', ...Object.keys(values)].map((one) => {
      const query = new URLSearchParams(chosen);
      if (one === '') query.delete(name);
      else query.set(name, one);
      return el(
        'a',
        {
          class: 'button small',
          href: addressOf(page, query),
          ...(one === (chosen.get(name) ?? '') ? { 'aria-current': 'page' } : {}),
        },
        values[one]?.label ?? all,
      );
    }),
  );

/**
 * The link to the next page. @param {string} page @param {URLSearchParams} chosen @param {string | null} next its
 * cursor
 */
export const olderLink = (page, chosen, next) =>
  next &&
  el(
    'p',
    null,
    el('a', { class: 'button', href: `${page}?${new URLSearchParams([...chosen, ['cursor', next]])}` }, 'Older'),
  );
