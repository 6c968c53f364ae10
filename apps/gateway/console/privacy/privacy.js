/* global FormData, URLSearchParams, document */
import { call, Refused } from '../shell/api.js';
import { card, el, fill, freshId, note } from '../shell/dom.js';
import { PURPOSES, shortId } from '../shell/words.js';
import { reportOf } from './privacy-report.js';

/**
 * @typedef {import('../shell/router.js').Visit} Visit
 * @typedef {import('../types').PrivacyReport} PrivacyReport
 * @typedef {import('./privacy-report.js').PersonKey} PersonKey
 */

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
    // The number is sent in the body, because the browser and every log on the way would store a URL.
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
  const button = el('button', { class: 'button primary' }, 'Create the report');
  const purposes = select(
    'purpose',
    'Why are you viewing this data?',
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
              error.code === 'person-not-found' ? 'No data of this person is stored.' : error.message,
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
      'Personal data held',
      {},
      el(
        'p',
        { class: 'gate-why' },
        'The data held, the legal basis, the retention period, and who has viewed it, for a person who asks. Creating a report is recorded as a view.',
      ),
      form,
    ),
    result,
  );
  (form.querySelector('input') ?? document.querySelector('h1'))?.focus();
}
