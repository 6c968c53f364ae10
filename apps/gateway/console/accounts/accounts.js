/* global FormData */
import { accountLink } from '../shell/account-link.js';
import { callList } from '../shell/api.js';
import { card, chip, el, fill, freshId } from '../shell/dom.js';
import { go } from '../shell/router.js';
import { maySeeCases } from '../session/session.js';
import { plain, shortId } from '../shell/words.js';
import { statusChip } from './account-words.js';

/**
 * @typedef {import('../types').AccountLine} AccountLine
 * @typedef {import('../shell/router.js').Visit} Visit
 */

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Lists accounts with a freeze or a pending one, and opens any other account by its id. @param {Visit} visit */
export async function showAccounts({ main, signal }) {
  const { body } = await callList('/staff/v1/frozen-accounts?limit=200', { signal });
  const field = freshId('account');
  const wrong = el('p', { class: 'note bad', role: 'alert', hidden: true });
  const find = el(
    'form',
    {
      class: 'stack',
      novalidate: true,
      onsubmit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const id = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get('account') ?? '')
          .trim()
          .toLowerCase();
        if (ID.test(id)) return go(`/console/accounts/${id}`);
        wrong.hidden = false;
        fill(wrong, 'This is not the id of an account.');
      },
    },
    el(
      'div',
      { class: 'field' },
      el('label', { for: field }, 'Account id'),
      el('input', { id: field, name: 'account', autocomplete: 'off', spellcheck: 'false' }),
    ),
    wrong,
    el('button', { class: 'button' }, 'Open'),
  );
  /** @type {AccountLine[]} */
  const accounts = body.accounts;
  const list =
    accounts.length === 0
      ? el('p', { class: 'muted' }, 'No account is frozen, and no freeze is waiting.')
      : el(
          'ul',
          { class: 'notes' },
          accounts.map((one) =>
            el(
              'li',
              null,
              el(
                'p',
                null,
                maySeeCases() ? accountLink(one.id) : el('span', { class: 'mono' }, shortId(one.id)),
                ` ${one.alias} `,
                statusChip(one),
                ' ',
                one['pending-step'] && chip(`${plain(one['pending-step'])} waits for a second member`, 'warn'),
              ),
            ),
          ),
        );
  fill(
    main,
    el('h1', { tabindex: '-1' }, 'Accounts'),
    card('Frozen, or about to be', {}, list),
    maySeeCases() && card('Another account', {}, find),
  );
}
