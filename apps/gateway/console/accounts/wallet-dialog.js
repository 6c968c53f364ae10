import { PLAIN_INPUT, field } from '../money/fields.js';
import { formDialog } from '../shell/dialogs.js';
import { el, freshId } from '../shell/dom.js';

const ADDRESS = /^0x[0-9a-f]{40}$/i;

/** Asks for the wallet to put on the whitelist. @param {(body: object) => Promise<void>} send */
export function whitelistDialog(send) {
  const id = freshId('address');
  return formDialog(
    {
      title: 'Whitelist a wallet',
      lead: 'The address is compared with the sanctions lists first. A wallet stays on the whitelist: it cannot be removed.',
      fields: [
        field(
          id,
          'Address of the wallet',
          el('input', { id, name: 'address', type: 'text', maxlength: 42, ...PLAIN_INPUT, 'data-focus': true }),
        ),
        el(
          'label',
          { class: 'choice' },
          el('input', { type: 'checkbox', name: 'fx' }),
          el(
            'span',
            null,
            'Also for FX orders',
            el('small', null, 'Orders between BRL and USDC or USDT may then send their tokens to it.'),
          ),
        ),
      ],
      button: 'Whitelist',
      body: (data) => {
        const address = String(data.get('address') ?? '').trim();
        if (!ADDRESS.test(address)) return 'Enter the address of the wallet: 0x and 40 hexadecimal digits.';
        return { address, fx: data.has('fx') };
      },
    },
    send,
  );
}

/** Asks whether FX orders may use a wallet. @param {string} address @param {() => Promise<void>} send */
export const allowFxDialog = (address, send) =>
  formDialog(
    {
      title: 'Allow for FX orders',
      lead: [
        'Orders between BRL and USDC or USDT may then send their tokens to ',
        el('span', { class: 'mono breakable' }, address),
        '. This cannot be undone.',
      ],
      fields: [],
      button: 'Allow',
      body: () => ({}),
    },
    send,
  );
