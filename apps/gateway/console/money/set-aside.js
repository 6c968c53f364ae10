import { hasRole, me } from '../session/session.js';
import { actionButton } from '../shell/action-button.js';
import { call } from '../shell/api.js';
import { formDialog } from '../shell/dialogs.js';
import { card, el } from '../shell/dom.js';
import { showCurrent, tellDone } from '../shell/outcome.js';
import { when } from '../shell/time.js';
import { staffName } from '../staff/staff-names.js';

/** @typedef {import('./movement-kinds.js').Row} Row */

const LEADS = {
  request:
    'Only for tokens that arrived at a closed account. Another staff member must confirm it. The tokens are then in ' +
    'suspense, and the deposit is voided.',
  confirm: 'The tokens go to suspense, and the deposit is voided. This cannot be undone.',
  reject: 'The deposit stays confirmed.',
};

const DONE = {
  request: 'Requested. Another staff member must confirm it.',
  confirm: 'Confirmed. The tokens are in suspense.',
  reject: 'Rejected. The deposit stays confirmed.',
};

/**
 * The steps that set the tokens of a closed account aside. Nothing unless the deposit may be one of them.
 * @param {Row} deposit @param {AbortSignal} signal @param {(deposit: Row) => void} shown called after a step
 * @param {() => Promise<void>} again called after a refusal, to show the deposit as it is now
 */
export function setAsideCard(deposit, signal, shown, again) {
  if (deposit['type'] !== 'token' || deposit['status'] !== 'confirmed') return null;
  const pending = deposit['set-aside'];
  if (!pending && !hasRole('operator')) return null;
  /** @param {'request' | 'confirm' | 'reject'} step @param {string} title */
  const ask = (step, title) =>
    formDialog(
      {
        title,
        lead: LEADS[step],
        fields: [],
        button: title,
        danger: step === 'reject',
        body: () => (pending ? { request: pending.request } : {}),
      },
      async (body) => {
        const path = `/staff/v1/deposits/${deposit['id']}/set-aside`;
        const { deposit: changed } = await (
          step === 'request' ? call('POST', path) : call('POST', `${path}/${step}`, { body })
        ).catch(showCurrent(signal, again));
        await tellDone(DONE[step], signal, () => shown(changed));
      },
    );
  if (!pending)
    return card(
      'Is the account closed?',
      {},
      el('p', { class: 'muted' }, 'Then the tokens are never credited. Two staff members can set them aside.'),
      actionButton('Set aside…', '', () => void ask('request', 'Set aside')),
    );
  const isMine = pending['requested-by'] === me()['staff-id'];
  const mayDecide = hasRole('operator', 'compliance-approver');
  return card(
    'Requested to be set aside',
    {},
    el('p', { class: 'muted' }, `By ${staffName(pending['requested-by'])}, ${when(pending['requested-at'])}.`),
    !mayDecide && el('p', { class: 'muted' }, 'An operator or an approver must decide.'),
    mayDecide && isMine && el('p', { class: 'muted' }, 'You requested it. Another staff member must confirm it.'),
    mayDecide && !isMine && actionButton('Confirm…', '', () => void ask('confirm', 'Confirm')),
    mayDecide && actionButton('Reject…', 'danger', () => void ask('reject', 'Reject')),
  );
}
