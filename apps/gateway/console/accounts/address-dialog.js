import { formDialog } from '../shell/dialogs.js';
import { el, freshId } from '../shell/dom.js';
import { plain } from '../shell/words.js';

const REASON_MOST = 2000;

/**
 * Asks for the reason of a verdict. `isLast`: another approver has given a verdict, so a false positive decides.
 * @param {import('../types').AddressReview} review @param {string} verdict @param {boolean} isLast
 * @param {(body: object) => Promise<void>} send
 */
export function verdictDialog(review, verdict, isLast, send) {
  const isTrue = verdict === 'true-match';
  const field = freshId('reason');
  return formDialog(
    {
      title: isTrue ? 'True match' : 'False positive',
      lead: isTrue
        ? 'It is refused at once. This cannot be undone. Held funds are released; received tokens stay in the wallet and are in no balance.'
        : isLast
          ? 'Another approver has marked it as a false positive too: it continues at once.'
          : 'It continues once another approver has also marked it as a false positive.',
      fields: [
        el(
          'p',
          { class: 'breakable' },
          `${plain(review.subject)} `,
          el('span', { class: 'mono' }, review['subject-id']),
          ...(review.amount ? [', ', el('strong', null, `${review.amount} ${review.asset}`)] : []),
          ', address ',
          el('span', { class: 'mono' }, review.address),
          review.chain && ` on ${review.chain}`,
          '.',
        ),
        el(
          'div',
          { class: 'field' },
          el('label', { for: field }, 'Reason'),
          el('textarea', { id: field, name: 'reason', rows: 3, maxlength: REASON_MOST, 'data-focus': true }),
        ),
      ],
      button: isTrue ? 'Refuse it' : 'Record it',
      danger: isTrue,
      draft: `${verdict} of address review ${review.id}`,
      body: (data) => {
        const reason = String(data.get('reason') ?? '').trim();
        return reason === '' ? 'Enter the evidence.' : { verdict, reason };
      },
    },
    send,
  );
}
