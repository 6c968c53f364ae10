/* global URLSearchParams */
import { callList } from '../shell/api.js';
import { el } from '../shell/dom.js';

const PAGE = 50;

/**
 * One page of a list that the URL filters by status.
 * @param {string} route the route of the staff API
 * @param {AbortSignal} signal
 * @returns {() => Promise<{ body: any, status: string, next: string | null }>} `next`: the cursor of the next page
 */
export function statusList(route, signal) {
  const asked = new URLSearchParams(globalThis.location.search);
  const query = new URLSearchParams({ limit: String(PAGE) });
  for (const name of ['status', 'cursor']) {
    const value = asked.get(name);
    if (value) query.set(name, value);
  }
  return async () => ({ status: asked.get('status') ?? '', ...(await callList(`${route}?${query}`, { signal })) });
}

/**
 * Links that filter a list by status.
 * @param {string} page the path of the page @param {string} status the chosen one, or an empty text
 * @param {Record<string, { label: string }>} statuses
 */
export const statusLinks = (page, status, statuses) =>
  el(
    'nav',
    { 'aria-label': 'Status', class: 'page-head' },
    ['', ...Object.keys(statuses)].map((one) =>
      el(
        'a',
        {
          class: 'button small',
          href: `${page}${one && `?status=${one}`}`,
          ...(one === status ? { 'aria-current': 'page' } : {}),
        },
        statuses[one]?.label ?? 'All',
      ),
    ),
  );

/** The link to the next page. @param {string} page @param {string} status @param {string | null} next its cursor */
export const olderLink = (page, status, next) =>
  next &&
  el(
    'p',
    null,
    el('a', { class: 'button', href: `${page}?${new URLSearchParams({ status, cursor: next })}` }, 'Older'),
  );

/** @param {string} label @param {string} tone @param {() => void} onclick */
export const actionButton = (label, tone, onclick) =>
  el('button', { type: 'button', class: `button ${tone}`, onclick }, label);
