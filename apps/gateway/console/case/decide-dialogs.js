import { choices, formDialog } from '../shell/dialogs.js';
import { el, freshId } from '../shell/dom.js';
import { ITEMS, LISTS, PARTNER_REASONS, plain, REJECTIONS, VERDICT_REASONS } from '../shell/words.js';

/**
 * @typedef {(body: object) => Promise<void>} Send
 */

const NOTE_MOST = 2000;

/** @param {string} label */
function noteField(label) {
  const id = freshId('note');
  return el(
    'div',
    { class: 'field' },
    el('label', { for: id }, label, el('span', { class: 'muted' }, ' (optional)')),
    el('textarea', { id, name: 'note', rows: 3, maxlength: NOTE_MOST, 'aria-describedby': `${id}-hint` }),
    el(
      'span',
      { class: 'hint', id: `${id}-hint` },
      "For colleagues. Stored with the person's data, and erased with it.",
    ),
  );
}

/** @param {Omit<Parameters<typeof formDialog>[0], 'quickSend'>} parts @param {Send} send */
const decide = (parts, send) => formDialog({ ...parts, quickSend: true }, send);

/** @param {FormData} data */
const withNote = (data) => {
  const text = String(data.get('note') ?? '').trim();
  return text === '' ? {} : { note: text };
};

/** @param {import('../types').QueueItem} item @param {Send} send */
export const approveDialog = (item, send) =>
  decide(
    {
      title: item['four-eyes'] ? (item.approvals > 0 ? 'Approve, second of two' : 'Approve, first of two') : 'Approve',
      lead:
        item['four-eyes'] && item.approvals === 0
          ? 'Nothing happens until another approver has also approved.'
          : 'The account is created at once, with its wallets. This cannot be undone.',
      fields: [noteField('Note')],
      button: 'Approve',
      body: withNote,
    },
    send,
  );

/** @param {import('../types').QueueItem} item @param {Send} send */
export const rejectDialog = (item, send) =>
  decide(
    {
      title: 'Reject',
      lead:
        `One person rejects${item['four-eyes'] ? ', even where two have to approve' : ''}. This cannot be taken ` +
        'back; the person may be requested again.',
      fields: [
        choices(
          'Reason',
          'reason',
          Object.entries(REJECTIONS).map(([value, { label, shown }]) => [
            value,
            label,
            `The partner reads “${PARTNER_REASONS[shown]}”`,
          ]),
        ),
        noteField('Note'),
      ],
      button: 'Reject',
      danger: true,
      body: (data) => (data.get('reason') ? { reason: data.get('reason'), ...withNote(data) } : 'Choose a reason.'),
    },
    send,
  );

/** @param {import('../types').Case} opened @param {Send} send */
export function askDialog({ representative, reliance }, send) {
  // In reliance mode the partner keeps the person's data and can only send files and notes.
  const offered = Object.entries(ITEMS).filter(
    ([word]) =>
      (representative !== null || !(word.startsWith('representative') || word === 'power-of-attorney')) &&
      !(reliance && ['address', 'document', 'liveness'].includes(word)),
  );
  const boxes = (/** @type {string} */ name, /** @type {[string, string][]} */ words) =>
    el(
      'div',
      { class: 'choices two' },
      words.map(([value, label]) =>
        el('label', { class: 'choice' }, el('input', { type: 'checkbox', name, value }), el('span', null, label)),
      ),
    );
  return decide(
    {
      title: 'Ask for information',
      lead: 'The partner sees what is requested and why. If it does not arrive within 30 days, the request ends.',
      fields: [
        el('fieldset', null, el('legend', null, 'What do you need?'), boxes('items', offered)),
        el(
          'fieldset',
          null,
          el('legend', null, 'Why? ', el('span', { class: 'muted' }, '(optional)')),
          boxes(
            'issues',
            Object.entries(PARTNER_REASONS).filter(([word]) => word !== 'duplicate'),
          ),
        ),
        noteField('Note'),
      ],
      button: 'Ask the partner',
      body: (data) =>
        data.getAll('items').length > 0
          ? { items: data.getAll('items'), issues: data.getAll('issues'), ...withNote(data) }
          : 'Choose what you need.',
    },
    send,
  );
}

/**
 * @param {string} id of the request @param {'holder' | 'representative'} person @param {import('../types').Hit} hit
 * @param {Send} send
 */
export const verdictDialog = (id, person, hit, send) =>
  decide(
    {
      title: 'Verdict',
      lead:
        `${LISTS[hit.list] ?? plain(hit.list)}, entry ${hit['entry-id']}: is it the ${person}? A true match is ` +
        'final, and the request can then only be rejected.',
      fields: [
        choices('Verdict', 'verdict', [
          ['false-positive', 'False positive', 'Another person'],
          ['true-match', 'True match', 'The same person; final'],
        ]),
        choices('Reason', 'reason', Object.entries(VERDICT_REASONS)),
        noteField('Note'),
      ],
      button: 'Record the verdict',
      draft: `hit ${id} ${person} ${hit.list} ${hit['entry-id']}`,
      body: (data) =>
        !data.get('verdict')
          ? 'Choose a verdict.'
          : !data.get('reason')
            ? 'Choose a reason.'
            : {
                person,
                list: hit.list,
                'entry-id': hit['entry-id'],
                score: hit.score,
                'entry-version': hit['entry-version'],
                verdict: data.get('verdict'),
                reason: data.get('reason'),
                ...withNote(data),
              },
    },
    send,
  );

/** @param {Send} send */
export const escalateDialog = (send) =>
  decide(
    {
      title: 'Escalate',
      lead: 'From now on only approvers may decide it.',
      fields: [noteField('What should the approver know?')],
      button: 'Escalate',
      body: withNote,
    },
    send,
  );
