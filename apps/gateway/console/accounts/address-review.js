import { el } from '../shell/dom.js';
import { when } from '../shell/time.js';
import { plain, VERDICTS } from '../shell/words.js';
import { staffName } from '../staff/staff-names.js';

/**
 * The entries of the sanctions lists that name an address, and the verdicts so far. The reasons are there only after
 * their view was recorded.
 * @param {Pick<import('../types').AddressReview, 'hits' | 'verdicts'>} review
 */
export const reviewLines = ({ hits, verdicts }) =>
  el(
    'ul',
    { class: 'notes' },
    hits.map((hit) =>
      el(
        'li',
        null,
        `${hit.list}, entry ${hit['entry-id']}`,
        el('span', { class: 'muted' }, ` ${hit.programs.join(', ')}`),
      ),
    ),
    verdicts.map((one) =>
      el(
        'li',
        null,
        VERDICTS[one.verdict]?.label ?? plain(one.verdict),
        one.reason !== undefined && [': ', el('q', null, one.reason)],
        el('span', { class: 'muted small' }, ` ${staffName(one['staff-id'])} · ${when(one['reviewed-at'])}`),
      ),
    ),
  );
