/* global document, location */
import { call, callList } from '../shell/api.js';
import { el, fill, focusHeading } from '../shell/dom.js';
import { usePageKeys } from '../shell/keys.js';
import { addressOf, filterBar, filtersOf, PAGE_SIZE, questionOf, VIEWS } from './queue-filters.js';
import { QueueTable } from './queue-table.js';
import { go } from '../shell/router.js';
import { me } from '../session/session.js';
import { searchField } from './queue-search.js';
import { refresh } from './queue-refresh.js';

/**
 * @typedef {import('../types').QueueItem} QueueItem
 * @typedef {import('../types').QueuePage} QueuePage
 */

/** The queue as last shown, for the ways back and to the next request. */
export const lastQueue = {
  address: '/console',
  ids: /** @type {string[]} */ ([]),
  opened: '',
  items: /** @type {Map<string, QueueItem>} */ (new Map()),
};

/** @param {import('../shell/router.js').Visit} visit */
export async function showQueue({ main, signal }) {
  const filters = filtersOf(location.search);
  // A filter that was changed with the keyboard keeps the focus on the new page.
  const kept = document.activeElement?.getAttribute('data-keep') ?? null;
  const [{ staff }, partners, first] = await Promise.all([
    call('GET', '/staff/v1/staff', { signal }),
    readPartners(signal),
    read(filters, { signal }),
  ]);
  if (signal.aborted) return;
  lastQueue.address = addressOf(filters);

  const table = new QueueTable(me()['staff-id']);
  const views = el('nav', { class: 'views', 'aria-label': 'Views of the queue' });
  const found = el('p', { class: 'muted small' });
  const search = searchField(table, found);
  const state = el('p', { class: 'muted small refreshed' });
  const pager = el('div', { class: 'pager' });
  const bar = el('div', { class: 'filters', role: 'group', 'aria-label': 'Filters' });

  const paint = (/** @type {Page} */ page) => {
    keep(page.items);
    table.show(page.items);
    paintViews(views, filters, page.counts);
    fill(
      pager,
      filters.after !== '' &&
        el('a', { class: 'button small', href: addressOf({ ...filters, after: '' }) }, 'First page'),
      page.next &&
        el(
          'a',
          { class: 'button small', 'data-next': true, href: addressOf({ ...filters, after: page.next }) },
          `Next ${PAGE_SIZE} `,
          el('kbd', null, 'l'),
        ),
    );
    fill(state, `As of ${new Date().toLocaleTimeString('en-GB')}`);
  };
  const paintFilters = () =>
    fill(
      bar,
      search,
      // A filter may change before the page for the last change is shown, so the address is read and not `filters`.
      filterBar(filters, { staff, partners }, (change) =>
        go(addressOf({ ...filtersOf(location.search), ...change, after: '' })),
      ),
    );

  paint(first);
  paintFilters();
  fill(
    main,
    el('div', { class: 'page-head' }, el('h1', { tabindex: '-1' }, 'Queue'), views, state),
    el('div', { class: 'card' }, bar, table.element, el('footer', null, found, pager)),
  );
  const last = lastQueue.opened;
  lastQueue.opened = '';
  /** @type {HTMLElement | null} */ (kept === null ? null : main.querySelector(`[data-keep="${kept}"]`))?.focus();
  if (!main.contains(document.activeElement) && !table.focus(last)) focusHeading();
  usePageKeys(keys(table, search, pager));
  refresh({ read: () => read(filters, { signal, background: true }), signal, table, paint, state });
}

/** The names of all partners, by id. @param {AbortSignal} signal */
async function readPartners(signal) {
  /** @type {Map<string, string>} */
  const partners = new Map();
  let cursor = '';
  do {
    const { body, next } = await callList(`/staff/v1/partners?limit=200${cursor && `&cursor=${cursor}`}`, { signal });
    for (const { id, alias } of body.partners) partners.set(id, alias);
    cursor = encodeURIComponent(next ?? '');
  } while (cursor !== '');
  return partners;
}

/** @typedef {{ items: QueueItem[], counts: Record<string, number>, next: string | null }} Page */

/**
 * @param {import('./queue-filters.js').Filters} filters @param {{ signal: AbortSignal, background?: boolean }}
 *   options @returns {Promise<Page>}
 */
async function read(filters, options) {
  const { body, next } = await callList(questionOf(filters), options);
  return { items: body['account-requests'], counts: body.counts, next };
}

/** @param {readonly QueueItem[]} items */
function keep(items) {
  lastQueue.ids = items.map(({ id }) => id);
  for (const item of items) lastQueue.items.set(item.id, item);
}

/**
 * @param {HTMLElement} views @param {import('./queue-filters.js').Filters} filters @param {Record<string, number>}
 *   counts
 */
function paintViews(views, filters, counts) {
  const links = Object.entries(VIEWS).map(([view, { label, counts: names }]) => {
    const sum = names.reduce((total, name) => total + (counts[name] ?? 0), 0);
    return {
      href: addressOf({ ...filters, view, after: '', order: '' }),
      current: view === filters.view,
      content: [label, names.length > 0 ? el('b', { class: 'number' }, String(sum)) : null],
    };
  });
  // Keeps the link elements, so that a refresh does not remove the focus from one of them.
  if (views.childElementCount === 0)
    views.append(...Object.keys(VIEWS).map((view) => el('a', { href: '', 'data-keep': view })));
  links.forEach(({ href, current, content }, at) => {
    const link = /** @type {HTMLElement} */ (views.children[at]);
    link.setAttribute('href', href);
    if (current) link.setAttribute('aria-current', 'true');
    fill(link, content);
  });
}

/** @param {QueueTable} table @param {HTMLElement} search @param {HTMLElement} pager */
const keys = (table, search, pager) => [
  { key: 'j', says: 'Next request', run: () => table.step(1) },
  { key: 'k', says: 'Request before', run: () => table.step(-1) },
  {
    key: 'Enter',
    says: 'Open the request',
    run: () => table.open(),
    when: () => !document.activeElement?.closest('a, button'),
  },
  {
    key: 'l',
    says: 'Next page',
    run: () => {
      /** @type {HTMLElement | null} */ (pager.querySelector('[data-next]'))?.click();
    },
  },
  { key: '/', says: 'Find on this page', run: () => search.querySelector('input')?.focus() },
  ...Object.entries(VIEWS).map(([view, { label }], at) => ({
    key: String(at + 1),
    says: label,
    run: () => go(addressOf({ ...filtersOf(location.search), view, after: '', order: '' })),
  })),
];
