import { choices, formDialog } from '../shell/dialogs.js';
import { el, freshId } from '../shell/dom.js';
import { VERDICT_REASONS } from '../shell/words.js';

const NOTE_MOST = 2000;

/**
 * Asks for the reason of a verdict on a finding.
 * @param {string} id of the finding @param {string} verdict @param {(body: object) => Promise<void>} send
 */
export function findingDialog(id, verdict, send) {
  const isTrue = verdict === 'true-match';
  const field = freshId('note');
  return formDialog(
    {
      title: isTrue ? 'True match' : 'False positive',
      lead: isTrue
        ? 'The freeze of the account is requested in your name. Another approver has to confirm it.'
        : 'It is cleared once two approvers have marked it as a false positive.',
      fields: [
        choices('Reason', 'reason', Object.entries(VERDICT_REASONS)),
        el(
          'div',
          { class: 'field' },
          el('label', { for: field }, 'Note'),
          el('textarea', { id: field, name: 'note', rows: 3, maxlength: NOTE_MOST }),
        ),
      ],
      button: isTrue ? 'Request the freeze' : 'Record it',
      danger: isTrue,
      draft: `${verdict} of finding ${id}`,
      body: (data) => {
        const note = String(data.get('note') ?? '').trim();
        const reason = data.get('reason');
        return reason ? { verdict, reason, ...(note !== '' && { note }) } : 'Choose a reason.';
      },
    },
    send,
  );
}
