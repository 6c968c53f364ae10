import { maySeeCases } from '../session/session.js';
import { actionButton } from '../shell/action-button.js';
import { call } from '../shell/api.js';
import { card, chip, el, fill, tableHead } from '../shell/dom.js';
import { tellDone } from '../shell/outcome.js';
import { shortId } from '../shell/words.js';
import { allowFxDialog, whitelistDialog } from './wallet-dialog.js';

/**
 * @typedef {import('../types').WhitelistedWallet} WhitelistedWallet
 * @typedef {import('../shell/router.js').Visit} Visit
 */

/** Shows the external wallets that an account may use, for operators. @param {Visit} visit */
export async function showWallets({ main, params: [id = ''], signal }) {
  const path = `/staff/v1/accounts/${id}/whitelisted-wallets`;
  const [back, label] = maySeeCases()
    ? [`/console/accounts/${id}`, `‹ Account ${shortId(id)}`]
    : ['/console/accounts', '‹ Accounts'];
  /** @type {readonly WhitelistedWallet[]} */
  let wallets = [];
  const show = async () => {
    wallets = (await call('GET', path, { signal })).wallets;
    fill(
      main,
      el(
        'div',
        { class: 'page-head' },
        el('a', { class: 'button small quiet', href: back }, label),
        el('h1', { tabindex: '-1' }, 'Wallets of ', el('span', { class: 'mono' }, shortId(id))),
      ),
      el(
        'p',
        { class: 'muted' },
        "External wallets to which this account's orders may send tokens, on every chain. The account's own wallets " +
          'need no entry.',
      ),
      el(
        'p',
        null,
        actionButton('Whitelist a wallet…', 'primary', () => void whitelistDialog(add)),
      ),
      card(`On the whitelist (${wallets.length})`, { wide: true }, list(wallets, add)),
    );
  };
  const add = async (/** @type {object} */ body) => {
    const before = wallets;
    const { wallet } = await call('POST', path, { body });
    await tellDone(told(wallet, before), signal, show);
  };
  await show();
}

/** @param {WhitelistedWallet} now @param {readonly WhitelistedWallet[]} before the list that the user saw */
function told(now, before) {
  const known = before.find(({ address }) => address === now.address);
  if (known?.fx === now.fx) return 'Nothing changed: the wallet is already on the whitelist.';
  return now.fx ? 'Whitelisted, including for FX orders.' : 'Whitelisted.';
}

/** @param {readonly WhitelistedWallet[]} wallets @param {(body: object) => Promise<void>} add */
const list = (wallets, add) =>
  wallets.length === 0
    ? el('p', { class: 'muted' }, 'No wallet is whitelisted for this account.')
    : el(
        'table',
        { class: 'plain' },
        tableHead(['Address', 'For', 'Change']),
        el(
          'tbody',
          null,
          wallets.map(({ address, fx }) =>
            el(
              'tr',
              null,
              el('td', { class: 'mono breakable' }, address),
              el('td', null, chip(fx ? 'All orders' : 'Orders without FX', fx ? 'good' : '')),
              el(
                'td',
                null,
                actionButton(
                  'Allow for FX…',
                  'small',
                  () => void allowFxDialog(address, () => add({ address, fx: true })),
                  fx ? 'FX orders may already use it.' : '',
                ),
              ),
            ),
          ),
        ),
      );
