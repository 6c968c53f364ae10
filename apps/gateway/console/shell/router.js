/* global AbortController, Element, HTMLAnchorElement, addEventListener, document, history, location */
import { Refused } from './api.js';
import { closeDialogs } from './dialogs.js';
import { el, fill, find, focusHeading, note } from './dom.js';
import { usePageKeys } from './keys.js';
import { hush } from './live.js';

/**
 * @typedef {object} Visit
 * @property {HTMLElement} main
 * @property {string[]} params the groups of the route's pattern
 * @property {AbortSignal} signal aborted when the page is left
 *
 * @typedef {{ pattern: RegExp, title: (params: string[]) => string, section: string, show: (visit: Visit) =>
 *   Promise<void> }} Route
 */

/** @type {readonly Route[]} */
let routes = [];
let visit = new AbortController();

/** @param {string} path @param {{ replace?: boolean }} [options] */
export function go(path, { replace = false } = {}) {
  history[replace ? 'replaceState' : 'pushState'](null, '', path);
  void show();
}

/** Changes the URL to match the page, without loading anything. @param {string} path */
export const restate = (path) => history.replaceState(null, '', path);

/** @param {readonly Route[]} known */
export function startRouter(known) {
  routes = known;
  addEventListener('popstate', () => void show());
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link?.classList.contains('skip')) {
      // Moves the focus itself, because a new fragment in the URL would count as another page.
      event.preventDefault();
      find('main').focus();
      return;
    }
    if (
      !(link instanceof HTMLAnchorElement) ||
      event.defaultPrevented ||
      event.button !== 0 ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const url = new URL(link.href, location.href);
    if (
      link.target ||
      link.hasAttribute('download') ||
      url.origin !== location.origin ||
      !url.pathname.startsWith('/console') ||
      url.hash
    )
      return;
    event.preventDefault();
    go(url.pathname + url.search);
  });
  return show();
}

async function show() {
  visit.abort();
  visit = new AbortController();
  const { signal } = visit;
  const main = find('main');
  closeDialogs();
  const before = document.activeElement;
  hush();
  usePageKeys([]);
  const path = location.pathname.replace(/\/+$/, '') || '/console';
  const route = routes.find(({ pattern }) => pattern.test(path));
  const params = route?.pattern.exec(path)?.slice(1) ?? [];
  document.title = `${route ? route.title(params) : 'Not found'} · Ponte compliance`;
  for (const link of document.querySelectorAll('.bar nav a')) {
    if (link.getAttribute('data-section') === route?.section) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  main.setAttribute('aria-busy', 'true');
  try {
    if (route) await route.show({ main, params, signal });
    else
      fill(
        main,
        el('h1', { tabindex: '-1' }, 'There is no such page'),
        el('p', null, el('a', { href: '/console' }, 'Go to the queue')),
      );
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof Refused)) throw error;
    failed(main, error);
  } finally {
    if (!signal.aborted) main.removeAttribute('aria-busy');
  }
  // Leaves the focus alone if the page has set it. A link of the bar, which stays on the page, would keep it.
  const isSet = main.contains(document.activeElement) && document.activeElement !== before;
  if (!signal.aborted && !isSet) focusHeading();
}

/** @param {HTMLElement} main @param {Refused} refusal */
function failed(main, { code, messages }) {
  const missing = code.endsWith('-not-found');
  fill(
    main,
    el('h1', { tabindex: '-1' }, missing ? 'There is no such record' : 'Something went wrong'),
    note(missing ? '' : 'bad', ...messages),
    el(
      'p',
      { class: 'page-head' },
      el('button', { type: 'button', class: 'button', onclick: () => void show() }, 'Try again'),
      el('a', { class: 'button', href: '/console' }, 'Go to the queue'),
    ),
  );
}

/** Loads the page again, for example after another user's change. */
export const again = () => show();
