/* global URLSearchParams */
import { el, freshId } from '../shell/dom.js';
import { me } from '../session/session.js';
import { CAUSES } from '../shell/words.js';

/**
 * The filters in the URL of the queue. They contain only ids and our own words, no personal data.
 * @typedef {{ view: string, assignee: string, cause: string, older: string, partner: string, order: string, after:
 *   string }} Filters
 */

/** Views of the queue, with their queries and the counts that they show. */
export const VIEWS = /** @type {const} */ ({
  review: { label: 'To review', query: { stage: 'manual-review' }, counts: ['manual-review'] },
  information: {
    label: 'Information requested',
    query: { stage: 'information-requested' },
    counts: ['information-requested'],
  },
  screening: { label: 'Being screened', query: { stage: 'received,screening' }, counts: ['received', 'screening'] },
  making: {
    label: 'Creating the account',
    query: { status: 'approved,provisioning-failed' },
    counts: ['approved', 'provisioning-failed'],
  },
  ended: { label: 'Ended', query: { status: 'active,rejected,expired,cancelled' }, counts: [] },
  all: { label: 'All', query: {}, counts: [] },
});

/** @param {string} search @returns {Filters} */
export function filtersOf(search) {
  const query = new URLSearchParams(search);
  const get = (/** @type {string} */ name) => query.get(name) ?? '';
  const view = get('view');
  return {
    view: Object.hasOwn(VIEWS, view) ? view : 'review',
    assignee: get('assignee'),
    cause: get('cause'),
    older: get('older'),
    partner: get('partner'),
    order: get('order'),
    after: get('after'),
  };
}

/** The URL of the queue with these filters; default values are omitted. @param {Filters} filters */
export function addressOf(filters) {
  const query = new URLSearchParams(
    Object.entries(filters).filter(([name, value]) => value !== '' && !(name === 'view' && value === 'review')),
  );
  return query.size === 0 ? '/console' : `/console?${query}`;
}

export const PAGE_SIZE = 50;

/** The API request for these filters. @param {Filters} filters */
export function questionOf({ view, assignee, cause, older, partner, order, after }) {
  const days = Number(older);
  const query = new URLSearchParams({
    .../** @type {Record<string, { query: Record<string, string> }>} */ (VIEWS)[view]?.query,
    limit: String(PAGE_SIZE),
  });
  const more = {
    assignee,
    partner,
    cursor: after,
    // Of ended requests, users look for the latest.
    order: order || (view === 'ended' ? 'newest' : 'oldest'),
    ...(cause === 'escalated' ? { escalated: 'true' } : { cause }),
    ...(days > 0 ? { 'older-than-hours': String(Math.round(days * 24)) } : {}),
  };
  for (const [name, value] of Object.entries(more)) if (value) query.set(name, value);
  return `/staff/v1/account-requests?${query}`;
}

/**
 * The row of filters. `choose` is called with the changed filter.
 * @param {Filters} filters
 * @param {{ staff: readonly import('../types').StaffMember[], partners: ReadonlyMap<string, string> }} known
 * @param {(change: Partial<Filters>) => void} choose
 */
export function filterBar(filters, { staff, partners }, choose) {
  const select = (
    /** @type {'assignee' | 'cause' | 'older' | 'partner' | 'order'} */ name,
    /** @type {string} */ label,
    /** @type {[string, string][]} */ options,
  ) => {
    const id = freshId(name);
    const all = options.some(([value]) => value === filters[name])
      ? options
      : [...options, /** @type {[string, string]} */ ([filters[name], filters[name]])];
    return el(
      'div',
      { class: 'filter' },
      el('label', { for: id }, label),
      el(
        'select',
        {
          id,
          'data-keep': name,
          onchange: (/** @type {{ target: HTMLSelectElement }} */ { target }) => choose({ [name]: target.value }),
        },
        all.map(([value, text]) => el('option', { value, selected: value === filters[name] }, text)),
      ),
    );
  };
  const others = staff.filter(
    ({ id, roles }) => id !== me()['staff-id'] && roles.some((role) => role.startsWith('compliance')),
  );
  return [
    select('assignee', 'Assignee', [
      ['', 'Anybody'],
      ['me', 'Me'],
      ['none', 'Unassigned'],
      ...others.map(({ id, name }) => /** @type {[string, string]} */ ([id, name])),
    ]),
    select('cause', 'Flag', [
      ['', 'Any'],
      ['escalated', 'Escalated'],
      ...Object.entries(CAUSES).map(([word, { label }]) => /** @type {[string, string]} */ ([word, label])),
    ]),
    select('older', 'Age', [
      ['', 'Any'],
      ['1', 'Over 1 day'],
      ['3', 'Over 3 days'],
      ['7', 'Over 7 days'],
      ['30', 'Over 30 days'],
    ]),
    select('partner', 'Partner', [['', 'Any'], ...[...partners].sort((a, b) => a[1].localeCompare(b[1]))]),
    select(
      'order',
      'Order',
      filters.view === 'ended'
        ? [
            ['', 'Newest first'],
            ['oldest', 'Oldest first'],
          ]
        : [
            ['', 'Oldest first'],
            ['newest', 'Newest first'],
          ],
    ),
  ];
}
