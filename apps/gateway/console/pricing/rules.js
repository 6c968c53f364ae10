import { call } from '../shell/api.js';
import { card, chip, el, fill } from '../shell/dom.js';
import { when } from '../shell/time.js';
import { plain } from '../shell/words.js';
import { proposalCard } from './proposal.js';
import { quoteForm } from './quote.js';
import { rowStanding, versionStanding } from './rule-standing.js';
import { ruleText } from './rule-text.js';
import { sheet } from './table.js';

/**
 * @typedef {import('../types').AdoptedRules} AdoptedRules
 * @typedef {import('../types').RulesAdoption} RulesAdoption
 * @typedef {import('../types').RuleRow} RuleRow
 * @typedef {import('../shell/router.js').Visit} Visit
 * @typedef {import('./rule-standing.js').Standing} Standing
 */

const SHORT = 12;
/** Shortens a version, which is a long hash of the content. @param {string} version */
export const shortVersion = (version) => version.slice(0, SHORT);

/** @param {Standing} standing */
const standingChip = (standing) =>
  chip(standing, standing === 'In force' ? 'good' : standing === 'Later' ? 'info' : undefined);

/** @param {string | null | undefined} time @param {string} otherwise */
const moment = (time, otherwise) => (time ? el('time', { datetime: time }, when(time)) : otherwise);

/** Shows the rules for new quotes, their history, and a form to try other rules. @param {Visit} visit */
export async function showRules({ main, signal }) {
  const { 'in-force': inForce, history } = await call('GET', '/staff/v1/pricing-rules', { signal });
  const standing = versionStanding(inForce, true, Date.now());
  fill(
    main,
    el('h1', { tabindex: '-1' }, 'Pricing rules'),
    el(
      'p',
      { class: 'muted' },
      'Rules change only by a rollout with another PONTE_PRICING_RULES, never from this page. Here you can view them and try others.',
    ),
    card('The price of a quote', {}, quoteForm()),
    versionCard(inForce, standing),
    ...tableCards(inForce, standing),
    proposalCard(inForce, signal),
    card('History', {}, historyOf(history)),
  );
}

/** Shows one version of the rules, to which quotes refer. @param {Visit} visit */
export async function showRulesVersion({ main, params: [version = ''], signal }) {
  const [{ 'pricing-rules': rules }, { 'in-force': inForce }] = await Promise.all([
    call('GET', `/staff/v1/pricing-rules/${version}`, { signal }),
    call('GET', '/staff/v1/pricing-rules', { signal }),
  ]);
  const standing = versionStanding(rules, rules.version === inForce.version, Date.now());
  fill(
    main,
    el('p', null, el('a', { class: 'button small quiet', href: '/console/rules' }, '‹ Pricing rules')),
    el('h1', { tabindex: '-1' }, 'Version ', el('span', { class: 'mono' }, shortVersion(rules.version))),
    versionCard(rules, standing),
    ...tableCards(rules, standing),
  );
}

/** @param {AdoptedRules} rules @param {Standing} standing */
const versionCard = (rules, standing) =>
  card(
    'Version',
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
      el('dt', null, 'Now'),
      el('dd', null, standingChip(standing)),
    ),
  );

/**
 * A card for each table of rows; the other members of the version are shown above.
 * @param {AdoptedRules} rules @param {Standing} standing the standing of the version
 */
const tableCards = ({ tables }, standing) =>
  Object.entries(tables).flatMap(([name, rows]) =>
    Array.isArray(rows) && rows.length > 0 ? [card(plain(name), {}, tableOf(plain(name), rows, standing))] : [],
  );

/** @param {string} name @param {RuleRow[]} rows @param {Standing} standing the standing of their version */
function tableOf(name, rows, standing) {
  const members = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((key) => !key.startsWith('valid-'));
  return sheet(
    name,
    [
      ...members.map((key) => ({ head: plain(key), of: (/** @type {RuleRow} */ row) => ruleText(key, row[key]) })),
      { head: 'Valid from', of: (row) => moment(row['valid-from'], '–') },
      { head: 'Valid to', of: (row) => moment(row['valid-to'], 'no end') },
      { head: 'Now', of: (row) => standingChip(rowStanding(row, standing, Date.now())) },
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
