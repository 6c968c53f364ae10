/* global FormData, URLSearchParams, document */
import { call, Refused } from '../shell/api.js';
import { viewsTable } from '../case/case-history.js';
import { card, chip, el, fill, freshId, note, tableHead } from '../shell/dom.js';
import { eraseDialog } from './privacy-erase.js';
import { isApprover } from '../session/session.js';
import { when } from '../shell/time.js';
import { plain, PURPOSES, shortId } from '../shell/words.js';

/**
 * @typedef {import('../types').PrivacyReport} PrivacyReport
 * @typedef {import('../shell/router.js').Visit} Visit
 * @typedef {{ 'account-request-id': string, person: string } | { identifier: { value: string, country: string } }}
 *   PersonKey
 */

const STATUS = /** @type {Record<string, { label: string, tone: 'good' | 'warn' | '' }>} */ ({
  held: { label: 'Held', tone: '' },
  restricted: { label: 'Restricted', tone: 'warn' },
  erased: { label: 'Erased', tone: 'good' },
});

/** @param {Visit} visit */
export const showPrivacyOfRequest = ({ main, params: [id = ''], signal }) =>
  page(main, {
    back: el('a', { class: 'button small quiet', href: `/console/requests/${id}` }, `‹ Request ${shortId(id)}`),
    title: ['Privacy report of ', el('span', { class: 'mono' }, shortId(id))],
    fields: [
      select('person', 'Whose', [
        ['holder', 'The holder'],
        ['representative', 'The representative'],
      ]),
    ],
    read: async (data) => {
      const person = String(data.get('person'));
      const query = new URLSearchParams({ person, purpose: String(data.get('purpose')) });
      const { 'privacy-report': report } = await call(
        'GET',
        `/staff/v1/account-requests/${id}/privacy-report?${query}`,
        { signal },
      );
      return { report, key: { 'account-request-id': id, person } };
    },
    signal,
  });

/** @param {Visit} visit */
export const showPrivacySearch = ({ main, signal }) =>
  page(main, {
    back: null,
    title: ['Privacy'],
    fields: [
      text('value', 'CPF, or passport number', { maxlength: 40 }),
      text('country', 'Country of it', { maxlength: 3, value: 'BRA', size: 4 }),
    ],
    // The number goes in the body: an address would be kept by the browser and by every log on the way.
    read: async (data) => {
      const identifier = {
        value: String(data.get('value')).trim(),
        country: String(data.get('country')).trim().toUpperCase(),
      };
      const { 'privacy-report': report } = await call('POST', '/staff/v1/privacy-reports', {
        body: { identifier, purpose: String(data.get('purpose')) },
        signal,
      });
      return { report, key: { identifier } };
    },
    signal,
  });

/** @param {string} name @param {string} label @param {[string, string][]} options */
function select(name, label, options) {
  const id = freshId(name);
  return el(
    'div',
    { class: 'field' },
    el('label', { for: id }, label),
    el(
      'select',
      { id, name },
      options.map(([value, says]) => el('option', { value }, says)),
    ),
  );
}

/** @param {string} name @param {string} label @param {Record<string, string | number>} more */
function text(name, label, more) {
  const id = freshId(name);
  return el(
    'div',
    { class: 'field' },
    el('label', { for: id }, label),
    el('input', { id, name, type: 'text', required: true, autocomplete: 'off', spellcheck: 'false', ...more }),
  );
}

/**
 * @param {HTMLElement} main
 * @param {{ back: HTMLElement | null, title: import('../shell/dom.js').Child[],
 *   fields: HTMLElement[], read: (data: FormData)
 *   => Promise<{ report: PrivacyReport, key: PersonKey }>, signal: AbortSignal }} parts
 */
async function page(main, { back, title, fields, read, signal }) {
  const result = el('div', { 'aria-live': 'off' });
  const button = el('button', { class: 'button primary' }, 'Make the report');
  const purposes = select(
    'purpose',
    'Why do you look?',
    Object.entries(PURPOSES)
      .filter(([word]) => ['privacy-request', 'legal-request', 'audit'].includes(word))
      .reverse()
      .map(([word, { label }]) => [word, label]),
  );
  const make = async (/** @type {boolean} */ focus) => {
    const { report, key } = await read(new FormData(form));
    if (signal.aborted) return;
    const heading = el('h2', { tabindex: '-1' }, 'The report');
    fill(
      result,
      heading,
      reportOf(report, key, () => make(true)),
    );
    if (focus) heading.focus();
  };
  const form = el(
    'form',
    {
      class: 'inline',
      onsubmit: async (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        button.disabled = true;
        try {
          await make(true);
        } catch (error) {
          if (signal.aborted) return;
          if (!(error instanceof Refused)) throw error;
          const alert = el('div', { role: 'alert' });
          fill(result, alert);
          fill(
            alert,
            note(
              error.code === 'person-not-found' ? '' : 'bad',
              error.code === 'person-not-found' ? 'Nothing is held of this person.' : error.message,
            ),
          );
        } finally {
          button.disabled = false;
        }
      },
    },
    fields,
    purposes,
    button,
  );
  fill(
    main,
    el('div', { class: 'page-head' }, back, el('h1', { tabindex: '-1' }, title)),
    card(
      'What is held of a person',
      {},
      el(
        'p',
        { class: 'gate-why' },
        'What is held, why, until when, and who looked: for a person who asks. Making a report is written down as a look.',
      ),
      form,
    ),
    result,
  );
  (form.querySelector('input') ?? document.querySelector('h1'))?.focus();
}

/** @param {PrivacyReport} report @param {PersonKey} key @param {() => Promise<void>} again */
function reportOf({ status, holdings, views, 'subject-id': subject }, key, again) {
  const { label, tone } = STATUS[status] ?? { label: plain(status), tone: '' };
  return [
    el(
      'div',
      { class: 'facts' },
      chip(label, tone),
      el('span', { class: 'muted' }, 'Person ', el('span', { class: 'mono' }, shortId(subject))),
      isApprover() &&
        status !== 'erased' &&
        el(
          'button',
          { type: 'button', class: 'button danger small grow', onclick: () => void eraseDialog(key, again) },
          'Erase this person…',
        ),
    ),
    status === 'restricted' &&
      note(
        'warn',
        'An erasure was asked for that the law does not allow yet. Until then approvers and auditors alone look, for a legal reason.',
      ),
    status === 'erased' &&
      note('good', 'The key of this person was destroyed. What is left names no one and cannot be read any more.'),
    card(
      `What is held (${holdings.length})`,
      { wide: true },
      el(
        'table',
        { class: 'plain' },
        tableHead(['What', 'As', 'Categories', 'For', 'Since', 'Until']),
        el(
          'tbody',
          null,
          holdings.map((one) =>
            el(
              'tr',
              null,
              el('td', null, plain(one.kind), el('span', { class: 'mono muted' }, ` ${shortId(one.id)}`)),
              el('td', null, plain(one.role)),
              el('td', null, one.categories.map(plain).join(', ')),
              el('td', null, one.purpose, el('span', { class: 'muted' }, ` ${one['legal-basis']}`)),
              el('td', null, when(one.since)),
              el('td', null, one['retained-until'] ? when(one['retained-until']) : 'As long as it goes on'),
            ),
          ),
        ),
      ),
    ),
    card(`Who looked (${views.length})`, { wide: true }, viewsTable(views)),
  ];
}
