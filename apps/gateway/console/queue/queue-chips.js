import { chip, el } from '../shell/dom.js';
import { CAUSES, plain, STAGES, STATUSES } from '../shell/words.js';

/** @typedef {import('../types').QueueItem} QueueItem */

/** @param {QueueItem} item */
export function stateChip({ status, 'review-stage': stage }) {
  const { label, tone } = (status === 'pending' && stage !== null ? STAGES[stage] : STATUSES[status]) ?? {
    label: plain(stage ?? status),
    tone: '',
  };
  return chip(label, /** @type {'good'} */ (tone));
}

/** Chips for what the user should notice, most serious first. @param {QueueItem} item */
export function flags({ causes, escalated, 'four-eyes': fourEyes, approvals }) {
  return el(
    'div',
    { class: 'chips' },
    escalated && chip('Escalated', 'bad', 'Only approvers can decide it'),
    causes
      .filter((cause) => cause !== 'standard' && cause !== 'four-eyes')
      .map((cause) => {
        const { label, tone, title } = CAUSES[cause] ?? { label: plain(cause), tone: '', title: '' };
        return chip(label, tone, title);
      }),
    fourEyes &&
      chip(
        `Four eyes ${Math.min(approvals, 2)}/2`,
        approvals > 0 ? 'info' : 'warn',
        'Two different approvers have to approve',
      ),
  );
}
