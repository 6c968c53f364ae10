import { formDialog } from '../shell/dialogs.js';
import { el, freshId } from '../shell/dom.js';
import { field, PLAIN_INPUT, REFERENCE } from './fields.js';

/** @typedef {import('./types').FailedReturn} FailedReturn */

const NOTE_MOST = 2000;

/** Asks for the settlement of a payment. @param {(body: object) => Promise<void>} send */
export function proposeDialog(send) {
  const [reference, text] = [freshId('reference'), freshId('note')];
  return formDialog(
    {
      title: 'Propose a settlement',
      lead:
        'Propose it only after the bank has sent the money back. Another staff member compares the reference with the ' +
        'bank statement.',
      fields: [
        field(
          reference,
          'Bank reference',
          el('input', { id: reference, name: 'bank-reference', maxlength: 60, ...PLAIN_INPUT, 'data-focus': true }),
        ),
        field(text, 'What was done', el('textarea', { id: text, name: 'note', rows: 3, maxlength: NOTE_MOST })),
      ],
      button: 'Propose',
      body: (data) => {
        const [bankReference = '', words = ''] = ['bank-reference', 'note'].map((name) =>
          String(data.get(name) ?? '').trim(),
        );
        if (!REFERENCE.test(bankReference))
          return 'Enter the reference of the payment at the bank: 1 to 60 characters without spaces.';
        return words === '' ? 'Enter what was done.' : { 'bank-reference': bankReference, note: words };
      },
    },
    send,
  );
}

/**
 * Asks whether a proposed settlement is right.
 * @param {FailedReturn} payment @param {'confirm' | 'reject'} step @param {() => Promise<void>} send
 */
export const decideDialog = ({ amount, asset, settlement }, step, send) =>
  formDialog(
    {
      title: step === 'confirm' ? 'Confirm the settlement' : 'Reject the settlement',
      lead:
        step === 'confirm'
          ? `The bank statement must show that ${amount} ${asset} left under ${settlement?.['bank-reference']}. ` +
            'It is refused while the account of the payer is frozen and its money must not leave. ' +
            'This cannot be undone.'
          : 'The payment stays in suspense, and another settlement can be proposed.',
      fields: [],
      button: step === 'confirm' ? 'Confirm' : 'Reject',
      danger: step === 'reject',
      body: () => ({}),
    },
    send,
  );
