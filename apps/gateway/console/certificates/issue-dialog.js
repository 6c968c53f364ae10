import { formDialog } from '../shell/dialogs.js';
import { el, fill, freshId, note } from '../shell/dom.js';
import { typedId } from '../shell/ids.js';
import { field, PLAIN_INPUT, REFERENCE } from '../money/fields.js';

const ADDRESS = /^0x[0-9a-f]{40}$/i;
const AMOUNT = /^\d{1,15}(\.\d{1,18})?$/;
const TIERS = ['90', '93.5', '97'];

/** An amount with digit groups, so that 1.000 is not read as a thousand. @param {string} amount */
function spelled(amount) {
  const [whole = '', decimals = ''] = amount.split('.');
  return `${BigInt(whole).toLocaleString('en-GB')}.${decimals.replace(/0+$/, '').padEnd(2, '0')}`;
}

/** Asks for the certificate to issue. @param {(accountId: string, body: object) => Promise<void>} send */
export function issueDialog(send) {
  const text = (/** @type {string} */ name, /** @type {string} */ label, /** @type {object} */ more = {}) => {
    const id = freshId(name);
    return field(id, label, el('input', { id, name, type: 'text', ...PLAIN_INPUT, ...more }));
  };
  const tierId = freshId('reward-tier');
  let accountId = '';
  /** What was shown in the second step. The certificate is issued only as it was shown. */
  let read = '';
  const summary = el('div', { role: 'status' });
  return formDialog(
    {
      title: 'Issue a reward certificate',
      lead:
        'Its token is minted to the wallet at once. This cannot be undone. Each reference issues one certificate, so ' +
        'use the same reference when you are not sure that it was sent.',
      fields: [
        text('account-id', 'Account id', { 'data-focus': true }),
        text('wallet-address', 'Wallet of the account on eth-base'),
        text('amount', 'Amount in BRLV, such as 100.00', { inputmode: 'decimal' }),
        field(
          tierId,
          'Reward tier',
          el(
            'select',
            { id: tierId, name: 'reward-tier' },
            el('option', { value: '' }, 'The tier of the account'),
            TIERS.map((tier) => el('option', { value: tier }, `${tier} %`)),
          ),
        ),
        text('reference', 'Your reference, such as REW-2026-0017', { maxlength: 60 }),
        summary,
      ],
      button: 'Issue',
      body: (data) => {
        const value = (/** @type {string} */ name) => String(data.get(name) ?? '').trim();
        accountId = typedId(value('account-id'));
        if (accountId === '') return 'Enter the id of the account.';
        if (!ADDRESS.test(value('wallet-address')))
          return 'Enter the address of the wallet: 0x and 40 hexadecimal digits.';
        if (!AMOUNT.test(value('amount'))) return 'Enter the amount with at most 18 decimals, such as 100.00.';
        if (!REFERENCE.test(value('reference'))) return 'Enter your reference: 1 to 60 characters without spaces.';
        const tier = value('reward-tier');
        const facts = [spelled(value('amount')), accountId, value('wallet-address'), tier];
        if (read !== facts.join(' ')) {
          read = facts.join(' ');
          fill(summary, note('warn', `A certificate of ${facts[0]} BRLV is issued to account ${accountId}.`));
          return 'Check the amount and the account, then press Issue again.';
        }
        return {
          'wallet-address': value('wallet-address'),
          amount: value('amount'),
          reference: value('reference'),
          ...(tier === '' ? {} : { 'reward-tier': Number(tier) }),
        };
      },
    },
    (body) => send(accountId, body),
  );
}
