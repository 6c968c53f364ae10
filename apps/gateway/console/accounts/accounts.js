/* global URLSearchParams */
import { olderLink } from '../money/status-list.js';
import { accountLink, accountPath } from '../shell/account-link.js';
import { callList } from '../shell/api.js';
import { card, chip, el, fill } from '../shell/dom.js';
import { idForm } from '../shell/id-form.js';
import { go } from '../shell/router.js';
import { when } from '../shell/time.js';
import { plain } from '../shell/words.js';
import { statusChip, STEPS } from './account-words.js';

/**
 * @typedef {import('../types').AccountLine} AccountLine
 * @typedef {import('../shell/router.js').Visit} Visit
 */

/** Sorts after every time. */
const LAST = '9999';

/**
 * Lists accounts that are frozen or have a pending step, and opens any other account by its id. @param {Visit} visit
 */
export async function showAccounts({ main, signal }) {
  const query = new URLSearchParams({ limit: '200' });
  const cursor = new URLSearchParams(globalThis.location.search).get('cursor');
  if (cursor) query.set('cursor', cursor);
  const { body, next } = await callList(`/staff/v1/frozen-accounts?${query}`, { signal });
  const find = idForm({
    ...{ of: 'an account', label: 'Account id', button: 'Open' },
    open: (id) => go(accountPath(id)),
  });
  const accounts = longestWaitFirst(body.accounts);
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
                accountLink(one.id),
                ` ${one.alias} `,
                statusChip(one),
                ' ',
                one['pending-step'] && chip(`${plain(STEPS[one['pending-step']].noun)} waits for an approver`, 'warn'),
                ' ',
                one['pending-since'] && el('span', { class: 'muted' }, `since ${when(one['pending-since'])}`),
              ),
            ),
          ),
        );
  fill(
    main,
    el('h1', { tabindex: '-1' }, 'Accounts'),
    card('Frozen, or about to be', {}, list, olderLink('/console/accounts', new URLSearchParams(), next)),
    card('Another account', {}, find),
  );
}

/** Accounts with a pending step first, the longest wait before the others. @param {AccountLine[]} accounts */
const longestWaitFirst = (accounts) =>
  [...accounts].sort((one, other) => (one['pending-since'] ?? LAST).localeCompare(other['pending-since'] ?? LAST));
