import { card, chip, el, note } from '../shell/dom.js';
import { isApprover, me } from '../session/session.js';
import { OUTCOMES, plain, SECTORS, shortId, STATUSES, TRAITS } from '../shell/words.js';

/** @typedef {import('../types').Case} Case */

/** Outcomes in rising order of importance; the most important ones are listed first. */
const WEIGHT = ['not-applicable', 'passed', 'pending', 'attention'];

/** @param {Case} opened */
export function checklistCard({ checklist }) {
  const open = checklist.filter(({ outcome }) => outcome === 'attention' || outcome === 'pending').length;
  const summary = open === 0 ? chip('Nothing open', 'good') : chip(`${open} to look at`, 'warn');
  return card(
    'Rule checklist',
    { aside: summary },
    el(
      'ul',
      { class: 'checks' },
      [...checklist]
        .sort((a, b) => WEIGHT.indexOf(b.outcome) - WEIGHT.indexOf(a.outcome))
        .map(({ check, title, outcome }) => {
          const { label, mark, tone } = OUTCOMES[outcome] ?? { label: plain(outcome), mark: '?', tone: '' };
          return el(
            'li',
            { class: tone === '' ? 'muted' : '' },
            el('span', { class: `mark ${tone}`, 'aria-hidden': 'true' }, mark),
            el('span', null, title, el('span', { class: 'visually-hidden' }, `: ${label}`)),
            el(
              'span',
              { class: 'muted small check-name' },
              check.startsWith('rule-') ? `rule ${check.slice(5)}` : plain(check),
            ),
          );
        }),
    ),
  );
}

/** Lists other requests that share data with this one. @param {Case} opened */
export function duplicatesCard({ duplicates }) {
  const others = duplicates.some(({ requests }) => requests.some((one) => !one['same-person']));
  const aside =
    duplicates.length === 0
      ? chip('None', 'good')
      : others
        ? chip("Other people's requests", 'bad')
        : chip('The same person', 'info');
  return card(
    'Duplicates',
    { class: 'duplicates', aside },
    duplicates.length === 0
      ? el(
          'p',
          { class: 'muted' },
          'No other request has the same documents, contact data, liveness session or wallets.',
        )
      : el(
          'ul',
          { class: 'notes' },
          duplicates.map(({ kind, requests }) =>
            el(
              'li',
              null,
              el('p', null, el('strong', null, TRAITS[kind] ?? plain(kind))),
              ...requests.map(({ id, status, partner, 'same-person': same }) =>
                el(
                  'p',
                  { class: same ? 'muted small' : 'small' },
                  el('a', { class: 'mono', href: `/console/requests/${id}` }, shortId(id)),
                  ` ${partner}, ${(STATUSES[status]?.label ?? plain(status)).toLowerCase()}`,
                  same ? ', the same person' : '',
                ),
              ),
            ),
          ),
        ),
  );
}

/** The reasons in the case for which two approvals are required. @param {Case} opened */
function fourEyesReasons({ holder, representative, item, screening, checklist }) {
  const sector = holder['financial-profile']?.sector;
  const reasons = [
    (holder.pep?.declared || representative?.pep?.declared) && 'someone is politically exposed',
    screening.some(({ hits }) => hits.length > 0) && 'a list has a hit',
    item.causes.includes('liveness-failed') && 'the liveness session failed',
    item.causes.includes('liveness-shared') && "another person's request names the liveness session",
    checklist.some(({ check, outcome }) => check === 'liveness' && outcome === 'pending') &&
      'the liveness session has no result',
    item.causes.includes('liveness-old') && 'the liveness session was old',
    item.causes.includes('account-stopped') && 'another account of a person was frozen or closed by compliance',
    representative && 'there is a representative',
    item['reward-tier'] === 97 && 'the tier is 97 %',
  ].filter(Boolean);
  return reasons.length > 0
    ? reasons.join(', ')
    : `of the sector${sector ? ` (${SECTORS[sector] ?? plain(sector)})` : ''}`;
}

/**
 * The progress of the two approvals, and what the user can do about it.
 * @param {Case} opened @param {import('../types').QueueItem} item
 */
export function fourEyesNote(opened, item) {
  if (!item['four-eyes'] || item.status !== 'pending') return null;
  const { approvals } = opened;
  const names = approvals
    .map(({ id, name }) => (id === me()['staff-id'] ? 'you' : (name ?? 'an approver')))
    .join(' and ');
  const mine = approvals.some(({ id }) => id === me()['staff-id']);
  const why = `Two different approvers have to approve, because ${fourEyesReasons(opened)}.`;
  if (item.approvals === 0) return note('', [el('strong', null, 'Four eyes: 0 of 2. '), why]);
  return note(
    mine ? 'warn' : '',
    [el('strong', null, `Four eyes: 1 of 2, approved by ${names || 'one approver'}. `), why],
    mine
      ? 'Another approver must approve now. You cannot.'
      : isApprover()
        ? 'Your approval is the second, and decides the case.'
        : 'The approval of another approver decides the case.',
  );
}
