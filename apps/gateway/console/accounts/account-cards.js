import { card, el } from '../shell/dom.js';
import { when } from '../shell/time.js';
import { plain, shortId } from '../shell/words.js';
import { reasonOf, nameOf } from './account-words.js';
import { STANDING_ENTRIES } from './standing-words.js';
import { addressOf } from './address-views.js';

/**
 * @typedef {import('../types').AccountStanding} AccountStanding
 * @typedef {import('../types').AddressMatch} AddressMatch
 */

/** @param {AccountStanding['freezes'][number]} freeze */
const freezeLine = (freeze) => {
  const by =
    freeze['requested-by'] === null
      ? 'By the system'
      : `Requested by ${nameOf(freeze['requested-by'])}, confirmed by ${nameOf(freeze['confirmed-by'])}`;
  return el(
    'li',
    null,
    el('p', null, el('strong', null, reasonOf(freeze.reason)), freeze.evidence && el('q', null, freeze.evidence)),
    el('p', { class: 'muted small' }, `${by} · ${when(freeze['frozen-at'])}`),
  );
};

/** @param {AccountStanding['freezes']} freezes @param {string} status */
export const freezesCard = (freezes, status) =>
  card(
    status === 'closed' ? 'Why it was frozen' : 'Why it is frozen',
    {},
    freezes.length === 0
      ? el('p', { class: 'muted' }, 'It is not frozen.')
      : el('ul', { class: 'notes' }, freezes.map(freezeLine)),
  );

/** @param {AddressMatch} match */
const matchLine = (match) =>
  el(
    'li',
    null,
    el(
      'p',
      null,
      el('strong', null, plain(match.subject)),
      ' ',
      el('span', { class: 'mono' }, shortId(match['subject-id'])),
      match.chain && ` on ${match.chain}`,
    ),
    el('p', { class: 'mono breakable' }, match.address),
    match.reason !== undefined && el('p', null, el('q', null, match.reason)),
    el('p', { class: 'muted small' }, `${nameOf(match['decided-by'])} · ${when(match['decided-at'])}`),
  );

/** @param {string} id of the account @param {AddressMatch[]} matches @param {number} matchCount */
export const matchesCard = (id, matches, matchCount) =>
  card(
    'Sanctioned addresses',
    { aside: el('a', { class: 'grow', href: addressOf({ view: 'refused', account: id }) }, 'The reviews') },
    matchCount > matches.length && el('p', { class: 'muted' }, `The newest ${matches.length} of ${matchCount}.`),
    el('ul', { class: 'notes' }, matches.map(matchLine)),
  );

/** @param {AccountStanding['history']} history */
export const historyCard = (history) =>
  card(
    'History',
    {},
    history.length === 0
      ? el('p', { class: 'muted' }, 'Nothing yet.')
      : el(
          'ol',
          { class: 'history' },
          [...history]
            .reverse()
            .map(({ type, reason, staff, at: time }) =>
              el(
                'li',
                null,
                el('time', { datetime: time }, when(time)),
                el('span', null, `${STANDING_ENTRIES[type] ?? plain(type)}${reason ? `: ${reasonOf(reason)}` : ''}`),
                el('span', { class: 'muted' }, staff.length === 0 ? 'the system' : staff.map(nameOf).join(', ')),
              ),
            ),
        ),
  );
