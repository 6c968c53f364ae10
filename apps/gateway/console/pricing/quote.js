import { call } from '../shell/api.js';
import { card, chip, el, fill } from '../shell/dom.js';
import { idForm } from '../shell/id-form.js';
import { go } from '../shell/router.js';
import { when } from '../shell/time.js';
import { plain, shortId } from '../shell/words.js';
import { ruleText } from './rule-text.js';
import { sheet } from './table.js';

/**
 * @typedef {import('../types').ExplainedQuote} ExplainedQuote
 * @typedef {import('../shell/router.js').Visit} Visit
 */

/** The kinds of rates. @type {Record<string, string>} */
const RATES = { 'usd-brl': 'USD in BRL', reference: 'Reference rate', 'share-price': 'Share price of the vault' };

/** @param {string} id @param {string} [text] */
export const quoteLink = (id, text = shortId(id)) =>
  el('a', { class: 'mono', href: `/console/quotes/${id}`, title: id }, text);

/** A form that opens a quote by its id. Orders have the id of their quote. */
export const quoteForm = () =>
  idForm({
    of: 'a quote',
    label: 'Quote id (an order has it as quote-id)',
    button: 'Explain the price',
    open: (id) => go(`/console/quotes/${id}`),
  });

/** Shows a quote and how its price was computed. @param {Visit} visit */
export async function showQuote({ main, params: [id = ''], signal }) {
  /** @type {ExplainedQuote} */
  const { quote, state, explanation } = await call('GET', `/staff/v1/quotes/${id}`, { signal });
  const { rates, steps, rules } = explanation;
  fill(
    main,
    el('p', null, el('a', { class: 'button small quiet', href: '/console/rules' }, '‹ Pricing rules')),
    el('h1', { tabindex: '-1' }, 'Quote ', el('span', { class: 'mono' }, shortId(id))),
    card('Quote', { aside: chip(plain(state)) }, termsOf({ quote, explanation })),
    card('Rates', {}, sheet('Rates', RATE_COLUMNS, rates)),
    ...rates
      .filter(({ readings }) => readings.length > 0)
      .map((rate) => {
        const name = `Sources of ${RATES[rate.of] ?? plain(rate.of)}`;
        return card(name, {}, sheet(name, READING_COLUMNS, rate.readings));
      }),
    card('Steps', {}, sheet('Steps', STEP_COLUMNS, steps)),
    card('Rules that were used', {}, sheet('Rules that were used', RULE_COLUMNS, rules)),
  );
}

/** @param {Pick<ExplainedQuote, 'quote' | 'explanation'>} explained */
function termsOf({ quote, explanation }) {
  const { 'given-side': side, 'given-amount': given, 'rules-version': version } = explanation;
  const spread = quote.pricing.spread;
  /** @type {[string, import('../shell/dom.js').Child][]} */
  const facts = [
    ['Id', el('span', { class: 'mono breakable' }, quote.id)],
    ['Source', `${quote['source-amount']} ${quote['source-asset']}`],
    ['Target', `${quote['target-amount']} ${quote['target-asset']}`],
    ['Requested', `${given} (${side} amount)`],
    ['Spread', `${spread.amount} ${spread.asset}, ${spread.bps} bps`],
    ['Fee', `${quote.pricing.fee.amount} ${quote.pricing.fee.asset}`],
    ['IOF', `${quote.pricing.iof.amount} ${quote.pricing.iof.asset}`],
    ['Issued', when(quote['created-at'])],
    ['Expires', when(quote['expires-at'])],
    [
      'Off-market price',
      (quote['off-market-pricing'] ? 'yes' : 'no') +
        (explanation['reference-missing'] ? ', the reference rate was missing' : ''),
    ],
    ['Rules', version && el('a', { class: 'mono breakable', href: `/console/rules/${version}` }, version)],
  ];
  return el(
    'dl',
    { class: 'data' },
    facts.filter(([, shown]) => shown).flatMap(([name, shown]) => [el('dt', null, name), el('dd', null, shown)]),
  );
}

/** @type {import('./table.js').Column[]} */
const RATE_COLUMNS = [
  { head: 'Rate', of: ({ of }) => RATES[of] ?? plain(of) },
  { head: 'BRL for one', number: true, of: ({ rate }) => rate },
  { head: 'Source', of: ({ source, 'block-number': block }) => (block ? `${source}, block ${block}` : source) },
  { head: 'Published', of: ({ 'observed-at': at }) => (at ? when(at) : 'no time given') },
];
/** @type {import('./table.js').Column[]} */
const READING_COLUMNS = [
  { head: 'Source', of: ({ source }) => source },
  { head: 'Rate', number: true, of: ({ rate }) => rate },
  { head: 'Published', of: ({ 'observed-at': at }) => when(at) },
  { head: 'Weight', number: true, of: ({ weight }) => weight },
  { head: 'Bid-ask spread, bps', number: true, of: ({ 'spread-bps': bps }) => bps ?? '–' },
  { head: 'Used', of: ({ verdict }) => chip(plain(verdict), verdict === 'used' ? 'good' : 'warn') },
];
/** @type {import('./table.js').Column[]} */
const STEP_COLUMNS = [
  { head: 'Name', of: ({ name }) => el('span', { class: 'mono' }, name) },
  { head: 'Formula', of: ({ formula }) => el('span', { class: 'mono' }, formula) },
  { head: 'Value', number: true, of: ({ value }) => value },
];
/** @type {import('./table.js').Column[]} */
const RULE_COLUMNS = [
  { head: 'Table', of: ({ table }) => plain(table) },
  { head: 'Row', number: true, of: ({ row }) => row },
  {
    head: 'Values',
    of: ({ values }) =>
      Object.entries(values)
        .filter(([name]) => !name.startsWith('valid-'))
        .map(([name, value]) => `${plain(name)}: ${ruleText(name, value)}`)
        .join(' · '),
  },
];
