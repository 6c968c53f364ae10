/* global FormData */
import { call, Refused } from '../shell/api.js';
import { card, el, fill, freshId, note } from '../shell/dom.js';
import { hasRole } from '../session/session.js';
import { backtestView } from './backtest.js';

/**
 * @typedef {import('../types').AdoptedRules} AdoptedRules
 * @typedef {import('../types').RulesCheck} RulesCheck
 */

const MAX_QUOTES = 500;
const USUAL_QUOTES = 100;

/** Whether the user may see what the last quotes would have cost under other rules. */
const mayBacktest = () => hasRole('operator', 'compliance-approver', 'auditor');

/**
 * A form that checks proposed rules and prices the last quotes with them. Nothing is stored.
 * @param {AdoptedRules} inForce @param {AbortSignal} signal
 */
export function proposalCard(inForce, signal) {
  const [field, count, time] = ['proposal', 'quotes', 'at'].map(freshId);
  const result = el('div', { class: 'stack', role: 'status' });
  const text = el('textarea', {
    id: field,
    name: 'rules',
    rows: 10,
    spellcheck: 'false',
    class: 'mono',
    'aria-describedby': `${field}-hint`,
  });
  const buttons = [
    el('button', { class: 'button', value: 'check' }, 'Check'),
    ...(mayBacktest() ? [el('button', { class: 'button primary', value: 'backtest' }, 'Back-test')] : []),
  ];
  const form = el(
    'form',
    {
      class: 'stack',
      novalidate: true,
      onsubmit: async (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const way = event.submitter?.getAttribute('value');
        for (const button of buttons) button.disabled = true;
        try {
          const shown = await judge(form, way === 'backtest', signal);
          if (!signal.aborted) fill(result, ...shown);
        } finally {
          for (const button of buttons) button.disabled = false;
        }
      },
    },
    el(
      'div',
      { class: 'field' },
      el('label', { for: field }, 'Proposed rules'),
      text,
      el('span', { class: 'hint', id: `${field}-hint` }, 'A JSON document in the form of PONTE_PRICING_RULES.'),
    ),
    mayBacktest() &&
      el(
        'div',
        { class: 'field' },
        el('label', { for: count }, 'How many of the last quotes'),
        el('input', { id: count, name: 'last', type: 'text', inputmode: 'numeric', value: USUAL_QUOTES, size: 6 }),
      ),
    mayBacktest() &&
      el(
        'div',
        { class: 'field' },
        el('label', { for: time }, 'Rules in force at (optional)'),
        el('input', { id: time, name: 'at', type: 'datetime-local', 'aria-describedby': `${time}-hint` }),
        el(
          'span',
          { class: 'hint', id: `${time}-hint` },
          'In your time zone. Without it, the current rules, or those at the start of their validity if that is later.',
        ),
      ),
    el(
      'div',
      { class: 'page-head' },
      buttons,
      el(
        'button',
        {
          type: 'button',
          class: 'button quiet',
          onclick: () => {
            const { version, tables } = { version: versionOf(inForce), tables: inForce.tables };
            text.value = JSON.stringify({ version, ...tables }, null, 2);
            text.focus();
          },
        },
        'Start from the rules in force',
      ),
    ),
    result,
  );
  return card('Try other rules', {}, form);
}

/** @param {AdoptedRules} rules */
const versionOf = (rules) => ({ id: rules.id, 'valid-from': rules['valid-from'], 'valid-to': rules['valid-to'] });

/** @param {HTMLFormElement} form @param {boolean} backtest @param {AbortSignal} signal */
async function judge(form, backtest, signal) {
  const data = new FormData(form);
  let rules;
  try {
    rules = JSON.parse(String(data.get('rules')));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return [note('bad', `This is not JSON: ${error.message}.`)];
  }
  if (rules === null || typeof rules !== 'object' || Array.isArray(rules))
    return [note('bad', 'The document must be a JSON object.')];
  const last = Number(data.get('last'));
  if (backtest && !(Number.isInteger(last) && last >= 1 && last <= MAX_QUOTES))
    return [note('bad', `The number of quotes must be a whole number from 1 to ${MAX_QUOTES}.`)];
  try {
    const { check } = await call('POST', '/staff/v1/pricing-rules/check', { body: { rules }, signal });
    const results = resultsOf(check);
    if (!backtest || check.violations.length > 0) return results;
    const at = String(data.get('at') ?? '');
    const body = { rules, last, ...(at === '' ? {} : { at: new Date(at).toISOString() }) };
    const { backtest: report } = await call('POST', '/staff/v1/pricing-rules/backtest', { body, signal });
    return [...results, ...backtestView(report)];
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return [note('bad', ...error.messages)];
  }
}

/** @param {number} count */
const howMany = (count) => (count === 1 ? 'There is 1 violation' : `There are ${count} violations`);

/** @param {RulesCheck} check */
const resultsOf = ({ violations }) =>
  violations.length === 0
    ? [note('good', 'These rules are valid.')]
    : [
        note('bad', `These rules cannot be used. ${howMany(violations.length)}:`),
        el(
          'ul',
          { class: 'notes' },
          violations.map(({ path, message }) => el('li', null, el('code', null, path || 'document'), ` ${message}`)),
        ),
      ];
