/* global AbortController, AbortSignal, FormData, URLSearchParams, location */
import { call, Refused } from '../shell/api.js';
import { card, el, fill, freshId, note } from '../shell/dom.js';
import { restate } from '../shell/router.js';
import { dateOnly } from '../shell/time.js';
import { sheet } from './table.js';

/**
 * @typedef {import('../shell/router.js').Visit} Visit
 * @typedef {{ from: string, to: string, by: string }} Period
 */

const ROUTE = '/staff/v1/reports';
/** Days of reports are days in São Paulo, wherever the user is. */
const today = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: 'America/Sao_Paulo' });

/** @type {import('./table.js').Column[]} */
const FX_COLUMNS = [
  { head: 'Day', of: ({ day }) => dateOnly(day) },
  { head: 'Token', of: ({ asset }) => asset },
  ...[
    ['Orders', 'trades'],
    ['Tokens sold', 'tokens-sold'],
    ['BRL received', 'brl-received'],
    ['Tokens bought', 'tokens-bought'],
    ['BRL paid', 'brl-paid'],
    ['Spread', 'spread'],
    ['Fees', 'fees'],
    ['IOF', 'iof'],
    ['Token position', 'token-position'],
    ['BRL position', 'brl-position'],
    ['Rate', 'rate'],
    ['Profit', 'profit'],
  ].map(([head = '', key = '']) => ({ head, number: true, of: (/** @type {any} */ row) => row[key] })),
];

/** @type {import('./table.js').Column[]} */
const IOF_COLUMNS = [
  { head: 'Period', of: ({ period }) => period },
  { head: 'Orders', number: true, of: ({ trades }) => trades },
  { head: 'IOF, BRL', number: true, of: ({ amount }) => amount },
];

/** Shows reports of the treasury's trades, the house's earnings and the IOF owed. @param {Visit} visit */
export async function showReports({ main, signal }) {
  const query = new URLSearchParams(location.search);
  const last = today.format(new Date());
  const period = {
    from: query.get('from') ?? `${last.slice(0, 8)}01`,
    to: query.get('to') ?? last,
    by: query.get('by') ?? 'month',
  };
  const result = el('div', { class: 'stack' });
  let reading = new AbortController();
  /** Gives up what is still being read, so that it cannot replace what was chosen later. @param {Period} chosen */
  const show = (chosen) => {
    reading.abort();
    reading = new AbortController();
    return read(result, chosen, AbortSignal.any([signal, reading.signal]));
  };
  const form = el(
    'form',
    {
      class: 'inline',
      onsubmit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const data = new FormData(/** @type {HTMLFormElement} */ (event.target));
        const chosen = { from: String(data.get('from')), to: String(data.get('to')), by: String(data.get('by')) };
        restate(`/console/reports?${new URLSearchParams(chosen)}`);
        void show(chosen);
      },
    },
    day('from', 'First day', period.from),
    day('to', 'Last day', period.to),
    grouping(period.by),
    el('button', { class: 'button primary' }, 'Show'),
  );
  fill(main, el('h1', { tabindex: '-1' }, 'Reports'), card('Period, in São Paulo', {}, form), result);
  await show(period);
}

/** @param {string} name @param {string} label @param {string} value */
function day(name, label, value) {
  const id = freshId(name);
  return el(
    'div',
    { class: 'field' },
    el('label', { for: id }, label),
    el('input', { id, name, type: 'date', value, required: true }),
  );
}

/** @param {string} by */
function grouping(by) {
  const id = freshId('by');
  return el(
    'div',
    { class: 'field' },
    el('label', { for: id }, 'IOF by'),
    el(
      'select',
      { id, name: 'by' },
      ['month', 'day'].map((value) => el('option', { value, selected: value === by }, value)),
    ),
  );
}

/** @param {HTMLElement} result @param {Period} period @param {AbortSignal} signal */
async function read(result, { from, to, by }, signal) {
  if (!from || !to || to < from)
    return fill(result, note('bad', 'Choose a first day, and a last day that is not before it.'));
  const days = new URLSearchParams({ from, to });
  const periods = new URLSearchParams({ from, to, by });
  try {
    const [fx, iof] = await Promise.all([
      call('GET', `${ROUTE}/fx-days?${days}`, { signal }),
      call('GET', `${ROUTE}/iof-payable?${periods}`, { signal }),
    ]);
    if (signal.aborted) return;
    fill(
      result,
      report('FX position and profit', fx['fx-days'], FX_COLUMNS, `${ROUTE}/fx-days.csv?${days}`, 'fx-days.csv'),
      report('IOF payable', iof['iof-periods'], IOF_COLUMNS, `${ROUTE}/iof-payable.csv?${periods}`, 'iof-payable.csv'),
    );
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof Refused)) throw error;
    fill(result, note('bad', ...error.messages));
  }
}

/**
 * @param {string} title @param {object[]} rows @param {import('./table.js').Column[]} columns @param {string} href
 * @param {string} file
 */
const report = (title, rows, columns, href, file) =>
  card(
    title,
    { aside: el('a', { class: 'button small grow', href, download: file }, `Download ${title} as CSV`) },
    rows.length === 0 ? el('p', { class: 'muted' }, 'Nothing in this period.') : sheet(title, columns, rows),
  );
