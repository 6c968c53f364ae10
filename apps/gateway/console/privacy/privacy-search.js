/* global URLSearchParams */
import { call } from '../shell/api.js';
import { typedId } from '../shell/ids.js';
import { select, show, text } from './privacy-fields.js';
import { page } from './privacy.js';

const DEPOSIT = 'deposit';
const NOT_FOUND_BY_DEPOSIT =
  'No data is found by this deposit. If its payer has a tax id or a passport, search by that number.';

/**
 * The report on a person given by a number or, for a payer whom the bank named without a valid tax id, by a deposit.
 * The URL may name the deposit.
 * @param {import('../shell/router.js').Visit} visit
 */
export function showPrivacySearch({ main, signal }) {
  const depositId = typedId(new URLSearchParams(globalThis.location.search).get(DEPOSIT));
  const numbers = [
    text('value', 'CPF, or number of a passport or national id', { maxlength: 40 }),
    text('country', 'Country that issued it', { maxlength: 3, value: 'BRA', size: 4 }),
  ];
  const deposit = text('deposit-id', 'Deposit id', { maxlength: 40, value: depositId, size: 36 });
  const choose = (/** @type {string} */ by) => {
    for (const field of numbers) show(field, by !== DEPOSIT);
    show(deposit, by === DEPOSIT);
  };
  const by = select(
    'by',
    'Find the person by',
    [
      ['number', 'A number of the person'],
      [DEPOSIT, 'A deposit without a tax id'],
    ],
    choose,
  );
  if (depositId) by.querySelectorAll('option')[1]?.setAttribute('selected', '');
  choose(depositId ? DEPOSIT : 'number');
  return page(main, {
    back: null,
    title: ['Privacy'],
    fields: [by, ...numbers, deposit],
    // The number is sent in the body, because the browser and every log on the way would store a URL.
    read: async (data) => {
      const key = keyOf(data);
      if (typeof key === 'string') return key;
      const { 'privacy-report': report } = await call('POST', '/staff/v1/privacy-reports', {
        body: { ...key, purpose: String(data.get('purpose')) },
        signal,
      });
      return { report, key };
    },
    missing: (data) => (data.get('by') === DEPOSIT ? NOT_FOUND_BY_DEPOSIT : undefined),
    signal,
  });
}

/**
 * The person that the form names, or what is wrong with it.
 * @param {FormData} data
 * @returns {Exclude<import('./privacy-report.js').PersonKey, { 'account-request-id': string }> | string}
 */
function keyOf(data) {
  if (data.get('by') === DEPOSIT) {
    const id = typedId(data.get('deposit-id'));
    return id === '' ? 'This is not the id of a deposit.' : { 'deposit-id': id };
  }
  const value = String(data.get('value')).trim();
  return { identifier: { value, country: String(data.get('country')).trim().toUpperCase() } };
}
