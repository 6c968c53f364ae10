import { call } from '../shell/api.js';
import { card, chip, el, fill } from '../shell/dom.js';
import { when } from '../shell/time.js';
import { plain } from '../shell/words.js';
import { proposalCard } from './proposal.js';
import { ruleText } from './rule-text.js';
import { sheet } from './table.js';

/**
 * @typedef {import('../types').AdoptedRules} AdoptedRules
 * @typedef {import('../types').RulesAdoption} RulesAdoption
 * @typedef {import('../types').RuleRow} RuleRow
 * @typedef {import('../shell/router.js').Visit} Visit
 */

const SHORT = 12;
/** Shortens a version, which is a long hash of the content. @param {string} version */
export const shortVersion = (version) => version.slice(0, SHORT);

/** @param {{ 'valid-from'?: string | null, 'valid-to'?: string | null }} row */
const standing = ({ 'valid-from': from, 'valid-to': to }) => {
  const now = Date.now();
  // A row without a start is defined but not enabled. In a version, no start means any time.
  if (from === null || from === undefined) return chip('Not enabled');
  if (Date.parse(from) > now) return chip('Later', 'info');
  return to && Date.parse(to) <= now ? chip('Ended') : chip('In force', 'good');
};

/** @param {string | null | undefined} time @param {string} otherwise */
const moment = (time, otherwise) => (time ? el('time', { datetime: time }, when(time)) : otherwise);

/** Shows the rules for new quotes, their history, and a form to try other rules. @param {Visit} visit */
export async function showRules({ main, signal }) {
  const { 'in-force': inForce, history } = await call('GET', '/staff/v1/pricing-rules', { signal });
  fill(
    main,
    el('h1', { tabindex: '-1' }, 'Pricing rules'),
    el(
      'p',
      { class: 'muted' },
      'Rules change only by a rollout with another PONTE_PRICING_RULES, never from this page. Here you can view them and try others.',
    ),
    versionCard('In force', inForce),
    ...tableCards(inForce),
    proposalCard(inForce, signal),
    card('History', {}, historyOf(history)),
  );
}

/** Shows one version of the rules, to which quotes refer. @param {Visit} visit */
export async function showRulesVersion({ main, params: [version = ''], signal }) {
  const { 'pricing-rules': rules } = await call('GET', `/staff/v1/pricing-rules/${version}`, { signal });
  fill(
    main,
    el('p', null, el('a', { class: 'button small quiet', href: '/console/rules' }, '‹ Pricing rules')),
    el('h1', { tabindex: '-1' }, 'Version ', el('span', { class: 'mono' }, shortVersion(rules.version))),
    versionCard('Version', rules),
    ...tableCards(rules),
  );
}

/** @param {string} title @param {AdoptedRules} rules */
const versionCard = (title, rules) =>
  card(
    title,
    {},
    el(
      'dl',
      { class: 'data' },
      el('dt', null, 'Name'),
      el('dd', null, rules.id ?? 'without a name'),
      el('dt', null, 'Version'),
      el('dd', { class: 'mono breakable' }, rules.version),
      el('dt', null, 'Valid'),
      el('dd', null, moment(rules['valid-from'], 'any time'), ' – ', moment(rules['valid-to'], 'no end')),
      el('dt', null, 'Adopted'),
      el('dd', null, moment(rules['adopted-at'], 'not yet')),
    ),
  );

/** A card for each table of rows; the other members of the version are shown above. @param {AdoptedRules} rules */
const tableCards = ({ tables }) =>
  Object.entries(tables).flatMap(([name, rows]) =>
    Array.isArray(rows) && rows.length > 0 ? [card(plain(name), {}, tableOf(plain(name), rows))] : [],
  );

/** @param {string} name @param {RuleRow[]} rows */
function tableOf(name, rows) {
  const members = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((key) => !key.startsWith('valid-'));
  return sheet(
    name,
    [
      ...members.map((key) => ({ head: plain(key), of: (/** @type {RuleRow} */ row) => ruleText(key, row[key]) })),
      { head: 'Valid from', of: (row) => moment(row['valid-from'], '–') },
      { head: 'Valid to', of: (row) => moment(row['valid-to'], 'no end') },
      { head: 'Now', of: standing },
    ],
    rows,
  );
}

/** @param {RulesAdoption[]} history */
const historyOf = (history) =>
  history.length === 0
    ? el('p', { class: 'muted' }, 'No version has been adopted yet.')
    : sheet(
        'History',
        [
          {
            head: 'Version',
            of: ({ version }) => el('a', { class: 'mono', href: `/console/rules/${version}` }, shortVersion(version)),
          },
          { head: 'Name', of: ({ id }) => id ?? '–' },
          { head: 'Adopted', of: (row) => moment(row['adopted-at'], '–') },
          { head: 'Valid from', of: (row) => moment(row['valid-from'], 'any time') },
          { head: 'Valid to', of: (row) => moment(row['valid-to'], 'no end') },
        ],
        history,
      );
