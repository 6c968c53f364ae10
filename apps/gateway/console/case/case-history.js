import { card, el, tableHead } from '../shell/dom.js';
import { when } from '../shell/time.js';
import {
  CAUSES,
  ITEMS,
  OUTCOMES,
  PARTNER_REASONS,
  plain,
  PURPOSES,
  REJECTIONS,
  ROLES,
  shortId,
  TRAITS,
  VERDICT_REASONS,
  VERDICTS,
} from '../shell/words.js';

/**
 * @typedef {import('../types').HistoryEntry} HistoryEntry
 * @typedef {import('../types').Case} Case
 * @typedef {Record<string, any>} Facts
 */

const list = (/** @type {unknown} */ words, /** @type {Record<string, string | { label: string }>} */ known) =>
  (Array.isArray(words) ? words : [])
    .map((word) => {
      const name = known[word] ?? plain(String(word));
      return typeof name === 'string' ? name : name.label;
    })
    .join(', ');
const counted = (/** @type {number} */ count, /** @type {string} */ what) =>
  `${count} ${what}${count === 1 ? '' : 's'}`;
const ids = (/** @type {string[] | undefined} */ all) => (all ?? []).map(shortId).join(', ');

/** A sentence for each type of history entry. @type {Record<string, (facts: Facts) => string>} */
const SENTENCES = {
  'account-requested': (facts) =>
    `Requested: ${facts.mode === 'reliance' ? 'reliance' : 'KYC'}, tier ${facts['reward-tier']} %` +
    `${facts['four-eyes'] ? ', four eyes' : ''}${facts.attempt > 1 ? `, attempt ${facts.attempt}` : ''}`,
  'account-request-abandoned': () => 'Abandoned before it started',
  'screening-started': (facts) => `Screening began, round ${facts.round}`,
  'screening-recorded': (facts) =>
    `${plain(String(facts.person))} screened: ` +
    `${facts.hits === 0 ? 'no hits' : counted(facts.hits, 'hit')}` +
    (facts['stopped-accounts'] ? `, stopped accounts: ${ids(facts['stopped-accounts'])}` : ''),
  'screening-repeated': (facts) => `${plain(String(facts.person))} screened again: ${counted(facts.hits, 'new hit')}`,
  'liveness-recorded': (facts) =>
    `Liveness: ${OUTCOMES[facts.outcome]?.label.toLowerCase() ?? facts.outcome}` +
    (facts['shared-with'] ? `, in a session that another person's request names (${ids(facts['shared-with'])})` : ''),
  'liveness-shared': (facts) => `Another person's request names the liveness session (${ids(facts['shared-with'])})`,
  'duplicates-found': (facts) => `Other requests were found: ${list(facts.duplicates, TRAITS).toLowerCase()}`,
  'stopped-accounts-found': (facts) =>
    `Accounts of the ${facts.person} were stopped: ${ids(facts['stopped-accounts'])}`,
  'screening-hit-judged': (facts) =>
    `Verdict on a hit of the ${facts.person}: ${(VERDICTS[facts.verdict]?.label ?? plain(String(facts.verdict))).toLowerCase()}, ${(VERDICT_REASONS[facts.reason] ?? plain(String(facts.reason))).toLowerCase()}`,
  'review-requested': (facts) => `Sent to review: ${list(facts.causes, CAUSES)}`,
  'review-claimed': () => 'Claimed',
  'review-released': () => 'Released',
  'review-escalated': () => 'Escalated to an approver',
  'review-decided': (facts) =>
    ({
      approve: facts.final ? 'Approved' : 'First of two approvals',
      reject: 'Rejected',
      'ask-information': 'Decided to request information',
    })[String(facts.decision)] ?? 'Decided',
  'information-requested': (facts) =>
    `Requested: ${list(facts.items, ITEMS)}${facts['due-at'] ? `, until ${when(facts['due-at'])}` : ''}`,
  'information-provided': (facts) =>
    `The partner sent information${facts.files > 0 ? ` and ${counted(facts.files, 'more file')}` : ''}` +
    (facts.missing?.length > 0 ? `, still missing: ${list(facts.missing, ITEMS)}` : ''),
  'account-request-approved': () => 'The request is approved',
  'account-request-rejected': (facts) =>
    `The request is rejected: ${REJECTIONS[facts.reason]?.label ?? plain(String(facts.reason))} (the partner reads “${PARTNER_REASONS[facts['shown-reason']] ?? facts['shown-reason']}”)`,
  'account-request-expired': () => 'Expired: the partner sent no information',
  'account-request-cancelled': () => 'Cancelled by the partner',
  'provisioning-step-done': (facts) => `Made: ${plain(String(facts.step)).toLowerCase()}`,
  'provisioning-failed': (facts) =>
    `The step “${facts.step}” failed (${plain(String(facts.code))}); again ${when(facts['retry-at'])}`,
  'provisioning-retried': () => 'Tried again',
  'account-request-activated': () => 'The account is active',
  'requested-account-closed': () => 'The account was closed',
};

/** @param {HistoryEntry} entry */
export const sentence = ({ type, facts }) => SENTENCES[type]?.(facts) ?? plain(type);

/** @param {HistoryEntry} entry */
export const actorOf = ({ 'actor-name': name, actor, facts }) =>
  name ??
  (facts['staff-id']
    ? `staff ${shortId(String(facts['staff-id']))}`
    : !actor
      ? 'the system'
      : actor.startsWith('ak_')
        ? 'the partner'
        : /^[0-9a-f]{8}-/.test(actor)
          ? shortId(actor)
          : 'the system'); // A policy or a job, such as “when-request-approved-provision-account”.

/** @param {readonly HistoryEntry[]} history */
export const historyCard = (history) =>
  card(
    'History',
    {},
    el(
      'ol',
      { class: 'history' },
      [...history]
        .reverse()
        .map((entry) =>
          el(
            'li',
            null,
            el('time', { datetime: entry.at }, when(entry.at)),
            el('span', null, sentence(entry)),
            el('span', { class: 'muted' }, actorOf(entry)),
          ),
        ),
    ),
  );

/** Shows the notes of the partner and of staff. @param {Case} opened */
export function notesCard({ notes, 'staff-notes': ours, history }) {
  const factsOf = (/** @type {string} */ type, /** @type {string} */ at) =>
    history.find((entry) => entry.type === type && entry.at === at)?.facts ?? {};
  const all = [
    ...notes.map(({ note, at }) => ({ note, at, from: 'The partner' })),
    ...ours.map(({ type, staff, note, at }) => ({
      note,
      at,
      from:
        `${staff.name ?? shortId(staff.id)}, ` +
        `${sentence({ type, at, actor: null, 'actor-name': null, facts: factsOf(type, at) }).toLowerCase()}`,
    })),
  ].sort((a, b) => b.at.localeCompare(a.at));
  return (
    all.length > 0 &&
    card(
      'Notes',
      {},
      el(
        'ul',
        { class: 'notes' },
        all.map(({ note, at, from }) =>
          el('li', null, el('p', null, note), el('p', { class: 'muted small' }, `${from} · ${when(at)}`)),
        ),
      ),
    )
  );
}

/** Lists the staff members who viewed the person's data. @param {import('../types').Case['views']} views */
export const viewsCard = (views) =>
  card(
    `Who viewed the data (${views.length})`,
    { class: 'views-card', wide: true },
    el(
      'details',
      null,
      el('summary', null, 'Everyone who has opened this case or one of its documents'),
      viewsTable(views),
    ),
  );

/**
 * @param {readonly (import('../types').ViewEntry & { note?: string | null })[]} views
 *   A case has notes, a privacy report has none.
 */
export const viewsTable = (views) =>
  el(
    'table',
    { class: 'plain' },
    tableHead(['When', 'Who', 'What', 'Why']),
    el(
      'tbody',
      null,
      [...views]
        .reverse()
        .map(({ staff, roles, purpose, what, note, 'viewed-at': at }) =>
          el(
            'tr',
            null,
            el('td', null, when(at)),
            el(
              'td',
              null,
              staff.name ?? shortId(staff.id),
              el('span', { class: 'muted' }, ` ${roles.map((role) => ROLES[role] ?? plain(role)).join(', ')}`),
            ),
            el('td', null, plain(what)),
            el(
              'td',
              null,
              PURPOSES[purpose]?.label ?? plain(purpose),
              note && el('span', { class: 'muted' }, ` ${note}`),
            ),
          ),
        ),
    ),
  );
