/* global FormData, URLSearchParams, document */
import { call, Refused } from '../shell/api.js';
import { card, el, fill, note } from '../shell/dom.js';
import { PURPOSES, shortId } from '../shell/words.js';
import { select } from './privacy-fields.js';
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

/**
 * The form for a report, and the report. `read` returns what is wrong with the form instead, if something is; `missing`
 * replaces the message for a person who is not found.
 * @param {HTMLElement} main
 * @param {{ back: HTMLElement | null, title: import('../shell/dom.js').Child[],
 *   fields: HTMLElement[], read: (data: FormData)
 *   => Promise<{ report: PrivacyReport, key: PersonKey } | string>,
 *   missing?: (data: FormData) => string | undefined, signal: AbortSignal }} parts
 */
export async function page(main, { back, title, fields, read, missing, signal }) {
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
  const complain = (/** @type {'' | 'bad'} */ tone, /** @type {string} */ text) => {
    const alert = el('div', { role: 'alert' });
    fill(result, alert);
    fill(alert, note(tone, text));
  };
  const make = async (/** @type {boolean} */ focus) => {
    const found = await read(new FormData(form));
    if (signal.aborted) return;
    if (typeof found === 'string') return complain('bad', found);
    const { report, key } = found;
    const heading = el('h2', { tabindex: '-1' }, 'The report');
    fill(
      result,
      heading,
      reportOf(report, key, signal, () => make(true)),
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
          if (error.code !== 'person-not-found') return complain('bad', error.message);
          complain('', missing?.(new FormData(form)) ?? 'No data of this person is stored.');
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
  /** @type {HTMLElement | null} */ (form.querySelector('input:enabled') ?? document.querySelector('h1'))?.focus();
}
