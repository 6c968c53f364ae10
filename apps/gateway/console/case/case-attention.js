import { chip, el, note } from '../shell/dom.js';
import { ITEMS, PARTNER_REASONS, plain, REJECTIONS } from '../shell/words.js';

/** @typedef {import('../types').Case} Case */

/** @param {string} reason @param {string | null | undefined} partnerReason */
const shownReason = (reason, partnerReason) =>
  PARTNER_REASONS[REJECTIONS[reason]?.shown ?? ''] ?? plain(partnerReason ?? 'compliance');

/** The notes that are shown first in a case. @param {Case} opened @param {import('../types').QueueItem} item */
export function attentions({ holder, restricted, request, 'internal-reason': reason }, item) {
  return [
    holder.erased && note('warn', 'The data of this person was erased. What is left identifies no one.'),
    restricted &&
      note(
        'warn',
        'The data of this person is restricted: an erasure was requested that the law does not allow yet. Only approvers and auditors may view it, for a legal reason.',
      ),
    reason &&
      note('bad', [
        'Rejected: ',
        el('strong', null, REJECTIONS[reason]?.label ?? plain(reason)),
        `. The partner reads “${shownReason(reason, request.reason)}”.`,
      ]),
    request.failure &&
      item.status === 'provisioning-failed' &&
      note('warn', `Creating the account failed (${plain(request.failure.code)}). It is retried automatically.`),
    item['review-stage'] === 'information-requested' &&
      note('', [
        'Waiting for the partner to send: ',
        ...request.requirements.missing.flatMap((word) => [chip(ITEMS[word] ?? plain(word)), ' ']),
      ]),
    item.status === 'active' && note('good', 'Approved. The account is active.'),
  ];
}
