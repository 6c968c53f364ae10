/* global crypto */
import { formDialog } from '../shell/dialogs.js';
import { el, fill, freshId, note } from '../shell/dom.js';
import { typedId } from '../shell/ids.js';
import { field, PLAIN_INPUT, REFERENCE } from './fields.js';

/** @typedef {import('./types').UsdDeposit} UsdDeposit */

const AMOUNT = /^\d{1,15}(\.\d{1,2})?$/;
const COORDINATE_MOST = 200;
const OTHER_DOCUMENT = 'This is another document: its hash is not the recorded one.';

/** The SHA-256 hash of a file, in lower-case hex. The file stays in the browser. @param {Blob} file */
async function sha256(file) {
  const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Asks for the deposit that the bank received. @param {(body: object) => Promise<void>} send */
export function recordDialog(send) {
  const text = (/** @type {string} */ name, /** @type {string} */ label, /** @type {object} */ more = {}) => {
    const id = freshId(name);
    return field(id, label, el('input', { id, name, ...PLAIN_INPUT, ...more }));
  };
  const [fileId, hashId] = [freshId('document'), freshId('hash')];
  const hash = el('input', { id: hashId, name: 'document-sha-256', maxlength: 64, ...PLAIN_INPUT });
  const file = el('input', {
    id: fileId,
    type: 'file',
    onchange: async () => {
      const [chosen] = file.files ?? [];
      if (chosen) hash.value = await sha256(chosen);
    },
  });
  return formDialog(
    {
      title: 'Record a USD deposit',
      lead: 'Record what the bank statement shows. Each bank reference is one deposit.',
      fields: [
        text('account-id', 'Account id', { 'data-focus': true }),
        text('amount', 'Amount in USD, such as 2500.00', { inputmode: 'decimal' }),
        text('bank-reference', 'Bank reference', { maxlength: 60 }),
        field(fileId, 'Document that proves the payment (only its hash is sent)', file),
        field(hashId, 'SHA-256 of the document', hash),
        text('source', 'Source of the payment (optional)', { maxlength: COORDINATE_MOST }),
        text('target', 'Account that received it (optional)', { maxlength: COORDINATE_MOST }),
      ],
      button: 'Record',
      body: (data) => {
        const value = (/** @type {string} */ name) => String(data.get(name) ?? '').trim();
        const accountId = typedId(value('account-id'));
        if (accountId === '') return 'Enter the id of the account.';
        if (!AMOUNT.test(value('amount'))) return 'Enter the amount with at most 2 decimals, such as 2500.00.';
        if (!REFERENCE.test(value('bank-reference')))
          return 'Enter the reference of the payment at the bank: 1 to 60 characters without spaces.';
        if (!/^[0-9a-f]{64}$/.test(value('document-sha-256'))) return 'Choose the document that proves the payment.';
        return {
          'account-id': accountId,
          ...Object.fromEntries(
            ['amount', 'bank-reference', 'document-sha-256', 'source', 'target']
              .map((name) => [name, value(name)])
              .filter(([, entered]) => entered !== ''),
          ),
        };
      },
    },
    send,
  );
}

/**
 * A field that compares a document with the recorded hash, and its result. `isOther` says whether they differ.
 * @param {UsdDeposit} deposit
 */
export function comparison(deposit) {
  const [fileId, resultId] = [freshId('document'), freshId('result')];
  const result = el('div', { id: resultId, role: 'status' });
  let isOther = false;
  const file = el('input', {
    id: fileId,
    type: 'file',
    'aria-describedby': resultId,
    onchange: async () => {
      const [chosen] = file.files ?? [];
      isOther = chosen !== undefined && (await sha256(chosen)) !== deposit['document-sha-256'];
      if (chosen === undefined) fill(result);
      else if (isOther) fill(result, note('bad', OTHER_DOCUMENT));
      else fill(result, note('good', 'This is the recorded document.'));
    },
  });
  const fields = [field(fileId, 'Compare a document with the recorded hash (it is not sent)', file), result];
  return { fields, isOther: () => isOther };
}

/** Asks a second person whether the deposit is right. @param {UsdDeposit} deposit @param {() => Promise<void>} send */
export function confirmDialog(deposit, send) {
  const { fields, isOther } = comparison(deposit);
  return formDialog(
    {
      title: 'Confirm the deposit',
      lead: [
        `The bank statement must show ${deposit.amount} USD under ${deposit['end-to-end-id']}, and the document must ` +
          'have the recorded hash. The amount is credited to account ',
        el('span', { class: 'mono breakable' }, deposit['account-id']),
        '. This cannot be undone.',
      ],
      fields,
      button: 'Confirm and credit',
      body: () => (isOther() ? OTHER_DOCUMENT : {}),
    },
    send,
  );
}

/** @param {() => Promise<void>} send */
export const rejectDialog = (send) =>
  formDialog(
    {
      title: 'Reject the deposit',
      lead: 'It was recorded by mistake. Nothing is credited. This cannot be undone.',
      fields: [],
      button: 'Reject',
      danger: true,
      body: () => ({}),
    },
    send,
  );
