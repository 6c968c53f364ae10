import { choices, formDialog } from '../shell/dialogs.js';
import { el, freshId } from '../shell/dom.js';
import { writeOffField, writeOffIn } from './write-off.js';

const EVIDENCE_MOST = 2000;

/**
 * Asks for the reason and the evidence of a step.
 * @param {import('./account-words.js').Step} step @param {(body: object) => Promise<void>} send
 */
export function askDialog({ ask, noun, lead, danger, reasons, writesOff }, send) {
  const field = freshId('evidence');
  return formDialog(
    {
      title: ask,
      lead,
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
        ...(writesOff ? [writeOffField()] : []),
      ],
      button: `Request the ${noun}`,
      danger,
      body: (data) => {
        const evidence = String(data.get('evidence') ?? '').trim();
        if (!data.get('reason')) return 'Choose a reason.';
        if (evidence === '') return 'Enter the evidence.';
        const writeOff = writeOffIn(data);
        if (typeof writeOff === 'string') return writeOff;
        return { reason: data.get('reason'), evidence, ...(writeOff.length > 0 && { 'write-off': writeOff }) };
      },
    },
    send,
  );
}
