import { choices, formDialog } from '../shell/dialogs.js';
import { el, freshId } from '../shell/dom.js';

const EVIDENCE_MOST = 2000;

/**
 * @param {'freeze' | 'release'} step @param {Record<string, string>} reasons @param {(body: object) => Promise<void>}
 *   send
 */
export function askDialog(step, reasons, send) {
  const field = freshId('evidence');
  const freezes = step === 'freeze';
  return formDialog(
    {
      title: freezes ? 'Freeze' : 'Release',
      lead: freezes
        ? 'Nothing happens until another staff member has confirmed it. A frozen account can only be read.'
        : 'The account stays frozen until another staff member has confirmed it.',
      fields: [
        choices('Reason', 'reason', Object.entries(reasons)),
        el(
          'div',
          { class: 'field' },
          el('label', { for: field }, 'Evidence'),
          el('textarea', {
            id: field,
            name: 'evidence',
            rows: 3,
            maxlength: EVIDENCE_MOST,
            'aria-describedby': `${field}-hint`,
          }),
          el(
            'span',
            { class: 'hint', id: `${field}-hint` },
            "For example a ticket or a court order. Stored with the holder's data, and erased with it.",
          ),
        ),
      ],
      button: freezes ? 'Request the freeze' : 'Request the release',
      danger: freezes,
      body: (data) => {
        const evidence = String(data.get('evidence') ?? '').trim();
        if (!data.get('reason')) return 'Choose a reason.';
        return evidence === '' ? 'Enter the evidence.' : { reason: data.get('reason'), evidence };
      },
    },
    send,
  );
}
