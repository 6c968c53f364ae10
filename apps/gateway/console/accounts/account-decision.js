import { formDialog } from '../shell/dialogs.js';
import { el } from '../shell/dom.js';
import { when } from '../shell/time.js';
import { nameOf, reasonOf, STEPS } from './account-words.js';
import { writeOffLine } from './write-off.js';

/**
 * @typedef {import('../types').AccountStanding} AccountStanding
 * @typedef {NonNullable<AccountStanding['pending']>} Pending
 */

/** What a confirmation does. @type {Record<Pending['step'], string>} */
const EFFECTS = {
  freeze: 'The account is frozen at once: it can then only be read, until two staff members release it.',
  release: 'The account is released at once, and can be used again.',
  close: 'The account is closed for good. This cannot be undone.',
};

/** The request that a decision is about. @param {Pending} pending */
export const pendingLines = (pending) => [
  [
    el('strong', null, reasonOf(pending.reason)),
    `, requested by ${nameOf(pending['requested-by'])}, ${when(pending['requested-at'])}.`,
  ],
  ...(pending.evidence ? [['Evidence: ', el('q', null, pending.evidence)]] : []),
  ...(pending['write-off'] ? [writeOffLine(pending['write-off'])] : []),
];

/**
 * Asks an approver whether to confirm or refuse a request, and shows that request.
 * @param {{ id: string, alias: string, pending: Pending }} account @param {'confirm' | 'refuse'} verb
 * @param {() => Promise<void>} send
 */
export function decisionDialog({ id, alias, pending }, verb, send) {
  const { noun, danger } = STEPS[pending.step];
  const isConfirmed = verb === 'confirm';
  return formDialog(
    {
      title: `${isConfirmed ? 'Confirm' : 'Refuse'} the ${noun}`,
      lead: isConfirmed ? EFFECTS[pending.step] : 'Nothing happens to the account. The request ends.',
      fields: [
        el(
          'div',
          { class: 'note' },
          el(
            'div',
            null,
            el('p', null, `Account ${alias}, `, el('span', { class: 'mono breakable' }, id)),
            pendingLines(pending).map((line) => el('p', null, ...line)),
          ),
        ),
      ],
      button: `${isConfirmed ? 'Confirm' : 'Refuse'} the ${noun}`,
      danger: isConfirmed && danger,
      body: () => ({}),
    },
    send,
  );
}
