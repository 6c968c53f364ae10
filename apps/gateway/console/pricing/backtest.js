import { chip, el } from '../shell/dom.js';
import { when } from '../shell/time.js';
import { quoteLink } from './quote.js';
import { sheet } from './table.js';

/**
 * @typedef {import('../types').Backtest} Backtest
 * @typedef {import('../types').RepricedQuote} RepricedQuote
 */

/** @param {{ 'source-asset': string, 'target-asset': string }} pair */
const pairOf = (pair) => `${pair['source-asset']} → ${pair['target-asset']}`;

/** @param {number | null} bps */
const signed = (bps) => (bps === null ? '–' : bps > 0 ? `+${bps}` : String(bps));

/**
 * An amount before and after, or a single amount when both are equal.
 * @param {string} old @param {string | undefined} proposed
 */
const change = (old, proposed) => (proposed === undefined || proposed === old ? old : `${old} → ${proposed}`);

/** Shows what the last quotes would have cost under the proposed rules. @param {Backtest} report */
export function backtestView(report) {
  const { quotes, changed, refused, at, pairs, items } = report;
  const different = items.filter((item) => item.changed || item.refusal !== null);
  return [
    el('h3', null, 'Back-test'),
    el(
      'p',
      { class: 'backtest-sum' },
      quotes === 0
        ? 'There is no quote to price again.'
        : `${quotes} quotes priced again with the rules in force at ${when(at)}: ${changed} changed, of these ${refused} refused.`,
    ),
    ...(pairs.length === 0 ? [] : [sheet('Totals of each pair', PAIR_COLUMNS, pairs)]),
    ...(different.length === 0 ? [] : [sheet('Quotes that differ', QUOTE_COLUMNS, different)]),
  ];
}

/** @type {import('./table.js').Column[]} */
const PAIR_COLUMNS = [
  { head: 'Pair', of: pairOf },
  { head: 'Quotes', number: true, of: ({ quotes }) => quotes },
  { head: 'Changed', number: true, of: ({ changed }) => changed },
  { head: 'Refused', number: true, of: ({ refused }) => refused },
  { head: 'Source', number: true, of: ({ old, proposed }) => change(old.source, proposed.source) },
  { head: 'Target', number: true, of: ({ old, proposed }) => change(old.target, proposed.target) },
  { head: 'Spread, BRL', number: true, of: ({ old, proposed }) => change(old.spread, proposed.spread) },
  { head: 'Fees, BRL', number: true, of: ({ old, proposed }) => change(old.fee, proposed.fee) },
  { head: 'IOF, BRL', number: true, of: ({ old, proposed }) => change(old.iof, proposed.iof) },
];

/** @type {import('./table.js').Column[]} */
const QUOTE_COLUMNS = [
  { head: 'Quote', of: (quote) => quoteLink(quote['quote-id']) },
  { head: 'Issued', of: (quote) => when(quote['created-at']) },
  { head: 'Pair', of: pairOf },
  { head: 'Source', number: true, of: termOf('source-amount') },
  { head: 'Target', number: true, of: termOf('target-amount') },
  { head: 'Spread, BRL', number: true, of: termOf('spread') },
  { head: 'IOF, BRL', number: true, of: termOf('iof') },
  {
    head: 'Difference',
    number: true,
    of: (quote) =>
      quote.refusal
        ? el('span', null, chip(quote.refusal, 'bad'), ' ', quote['refusal-message'])
        : (quote.difference ?? '–'),
  },
  { head: 'bps', number: true, of: (quote) => signed(quote['difference-bps']) },
];

/** @param {'source-amount' | 'target-amount' | 'spread' | 'iof'} name @returns {(quote: RepricedQuote) => string} */
function termOf(name) {
  return ({ old, proposed }) => change(old[name], proposed?.[name]);
}
