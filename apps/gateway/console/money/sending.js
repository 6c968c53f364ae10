import { hasRole, me } from '../session/session.js';
import { actionButton } from '../shell/action-button.js';
import { formDialog } from '../shell/dialogs.js';
import { el, freshId } from '../shell/dom.js';
import { when } from '../shell/time.js';
import { staffName } from '../staff/staff-names.js';
import { field, PLAIN_INPUT, REFERENCE } from './fields.js';

/**
 * @typedef {import('./types').FailedReturn} FailedReturn
 * @typedef {(path: string, body?: object) => Promise<void>} Send
 */

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Asks for the address that tokens in suspense go to. @param {(body: object) => Promise<void>} send */
function proposeDialog(send) {
  const [address, reference] = [freshId('address'), freshId('reference')];
  return formDialog(
    {
      title: 'Propose an address',
      lead:
        'The tokens are sent there once another staff member has confirmed it. The holder of the closed account, or the ' +
        'partner, must have named the address.',
      fields: [
        field(
          address,
          'Address',
          el('input', { id: address, name: 'destination-address', maxlength: 42, ...PLAIN_INPUT, 'data-focus': true }),
        ),
        field(
          reference,
          'Ticket or document, without personal data',
          el('input', { id: reference, name: 'reference', maxlength: 60, ...PLAIN_INPUT }),
        ),
      ],
      button: 'Propose',
      body: (data) => {
        const [destination = '', words = ''] = ['destination-address', 'reference'].map((name) =>
          String(data.get(name) ?? '').trim(),
        );
        if (!ADDRESS.test(destination)) return 'Enter an address: 0x and 40 hexadecimal digits.';
        if (!REFERENCE.test(words)) return 'Enter the ticket or document: 1 to 60 characters without spaces.';
        return { 'destination-address': destination, reference: words };
      },
    },
    send,
  );
}

/** @param {FailedReturn} payment @param {'confirm' | 'reject'} step @param {() => Promise<void>} send */
const decideDialog = ({ amount, asset, sending }, step, send) =>
  formDialog(
    {
      title: step === 'confirm' ? 'Confirm the address' : 'Reject the address',
      lead:
        step === 'confirm'
          ? `${amount} ${asset} are sent to ${sending?.['destination-address']}. Compare the address with ` +
            `${sending?.reference}. This cannot be undone.`
          : 'The tokens stay in suspense, and another address can be proposed.',
      fields: [],
      button: step === 'confirm' ? 'Confirm' : 'Reject',
      danger: step === 'reject',
      body: () => ({}),
    },
    send,
  );

/** Where the tokens go, or why they could not be sent. @param {FailedReturn} payment */
export function sendingOf({ sending, 'sending-failure': failure }) {
  if (!sending) return failure && el('p', { class: 'muted' }, `Not sent: ${failure.message}`);
  const by = (/** @type {string} */ staff) => el('span', { class: 'muted small' }, ` ${staffName(staff)}`);
  return el(
    'ul',
    { class: 'notes' },
    el(
      'li',
      null,
      'To ',
      el('span', { class: 'mono breakable' }, sending['destination-address']),
      ` for ${sending.reference}, ${when(sending['proposed-at'])}`,
      by(sending['proposed-by']),
    ),
    sending['confirmed-by'] && el('li', null, 'Confirmed', by(sending['confirmed-by'])),
    sending['tx-hash'] && el('li', null, 'Sent in ', el('span', { class: 'mono breakable' }, sending['tx-hash'])),
  );
}

/** What a staff member can do about tokens in suspense. @param {FailedReturn} payment @param {Send} send */
export function sendingActions(payment, send) {
  const id = payment['deposit-id'];
  if (payment.status === 'open')
    return hasRole('operator')
      ? actionButton('Propose an address…', '', () => void proposeDialog((body) => send(`${id}/sending`, body)))
      : el('span', { class: 'muted' }, 'An operator proposes an address.');
  if (payment.status !== 'proposed') return null;
  if (payment.sending?.['proposed-by'] === me()['staff-id'])
    return el('span', { class: 'muted' }, 'You proposed it. Another staff member must decide.');
  if (!hasRole('operator', 'compliance-approver'))
    return el('span', { class: 'muted' }, 'An operator or an approver must decide.');
  const decided = { proposal: payment.sending?.proposal };
  /** @param {'confirm' | 'reject'} step */
  const decide = (step) => void decideDialog(payment, step, () => send(`${id}/settlement/${step}`, decided));
  return [
    actionButton('Confirm…', '', () => decide('confirm')),
    actionButton('Reject…', 'danger', () => decide('reject')),
  ];
}
