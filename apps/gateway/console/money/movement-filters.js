/* global FormData, URLSearchParams */
import { el, fill, freshId } from '../shell/dom.js';
import { typedId } from '../shell/ids.js';
import { timeZone } from '../shell/time.js';
import { plain } from '../shell/words.js';

/** @typedef {import('./movement-kinds.js').Kind} Kind */

/** The filters that every list has, by their names in the URL. */
const COMMON = ['account', 'state', 'from', 'to'];

/** The filters in the URL. @param {Kind} kind @param {string} search */
export function filtersOf({ filters }, search) {
  const query = new URLSearchParams(search);
  const names = [...COMMON, ...filters.map(({ name }) => name)];
  return new URLSearchParams(
    names.map((name) => [name, query.get(name)?.trim() ?? '']).filter(([, value]) => value !== ''),
  );
}

/** The query of the API for these filters. @param {Kind} kind @param {URLSearchParams} chosen */
export function queryOf({ state }, chosen) {
  /** @type {Record<string, (value: string) => [name: string, value: string]>} */
  const own = {
    account: (id) => ['account-id', id],
    state: (word) => [state, word],
    from: (day) => ['created-from', timeOf(day, '00:00:00.000')],
    to: (day) => ['created-to', timeOf(day, '23:59:59.999')],
  };
  return new URLSearchParams([...chosen].map(([name, value]) => own[name]?.(value) ?? [name, value]));
}

/**
 * A time of the day in the user's time zone, as the API takes it. A text that is no day stays, so that the server
 * refuses it.
 * @param {string} day YYYY-MM-DD @param {string} time hh:mm:ss.SSS
 */
function timeOf(day, time) {
  const at = new Date(`${day}T${time}`);
  return Number.isNaN(at.getTime()) ? day : at.toISOString();
}

/**
 * @param {Kind} kind @param {URLSearchParams} chosen
 * @param {(chosen: URLSearchParams) => void} filter called with the filters that the user typed and chose
 */
export function filterForm(kind, chosen, filter) {
  const wrong = el('p', { class: 'note bad', role: 'alert', hidden: true });
  const value = (/** @type {string} */ name) => chosen.get(name) ?? '';
  return el(
    'form',
    {
      class: 'stack',
      novalidate: true,
      onsubmit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const data = new FormData(/** @type {HTMLFormElement} */ (event.target));
        const account = String(data.get('account') ?? '').trim();
        const id = typedId(account);
        if (account !== '' && id === '') {
          wrong.hidden = false;
          return fill(wrong, 'This is not the id of an account.');
        }
        data.set('account', id);
        const typed = new URLSearchParams([...data].map(([name, text]) => [name, String(text)]));
        return filter(filtersOf(kind, String(typed)));
      },
    },
    el(
      'div',
      { class: 'inline' },
      field('account', 'Account id', value('account')),
      field('state', 'State', value('state'), kind.states),
      el('button', { class: 'button' }, 'Filter'),
    ),
    el(
      'details',
      { open: [...chosen.keys()].some((name) => !['account', 'state'].includes(name)) },
      el('summary', null, 'More filters'),
      el(
        'div',
        { class: 'inline' },
        field('from', 'Created from', value('from'), undefined, 'date'),
        field('to', 'Created until', value('to'), undefined, 'date'),
        kind.filters.map(({ name, label, values }) => field(name, label, value(name), values)),
      ),
      el('p', { class: 'muted small' }, `Days are those of your time zone, ${timeZone}.`),
    ),
    wrong,
  );
}

/**
 * @param {string} name @param {string} label @param {string} value @param {readonly string[]} [values]
 * @param {'text' | 'date'} [type]
 */
function field(name, label, value, values, type = 'text') {
  const id = freshId(name);
  return el(
    'div',
    { class: 'field' },
    el('label', { for: id }, label),
    values
      ? el(
          'select',
          { id, name },
          ['', ...values].map((one) =>
            el('option', { value: one, selected: one === value }, one === '' ? 'Any' : wordOf(one)),
          ),
        )
      : el('input', { id, name, type, value, size: 36, autocomplete: 'off', spellcheck: 'false' }),
  );
}

/** Identifiers of assets stay as they are. @param {string} word */
const wordOf = (word) => (word.includes('/') ? word : plain(word));
