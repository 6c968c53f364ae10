import { hitsOf } from './case-screening.js';
import { me, isApprover, isReviewer } from '../session/session.js';
import { when } from '../shell/time.js';
import { STATUSES } from '../shell/words.js';

/**
 * @typedef {import('../types').Case} Case
 * @typedef {import('../types').CaseItem} CaseItem
 * @typedef {import('../types').QueueItem} QueueItem
 * @typedef {'claim' | 'release' | 'approve' | 'reject' | 'ask-information' | 'escalate'} Verb
 */

/** Refusals after which the case has to be read again: someone else decided first, or the case has changed. */
export const CONFLICTS = [
  'review-not-open',
  'review-claimed',
  'role-not-allowed',
  'second-approver-required',
  'review-changed',
  'screening-verdict-required',
  'true-match-found',
];
export const KEYS = /** @type {const} */ ({
  claim: 'c',
  release: 'u',
  approve: 'a',
  'ask-information': 'i',
  reject: 'x',
  escalate: 'e',
});
export const DONE = /** @type {const} */ ({
  claim: 'The case is yours.',
  release: 'Released: anyone may claim it.',
  approve: 'Approved.',
  reject: 'Rejected.',
  'ask-information': 'The partner was asked.',
  escalate: 'Escalated: an approver decides it.',
});
export const FIRST_OF_TWO = 'Approved, first of two. Another approver must also approve.';

/** Decisions that name the version of the case that was read. */
const NAMES_VERSION = ['approve', 'reject', 'ask-information', 'escalate'];

/** History entries of a staff member that change the version of the case. A claim or a release does not. */
const CHANGES = ['review-decided', 'review-escalated', 'screening-hit-judged'];

/**
 * Whether an action of the user is the only change since the version that the user has read.
 * @param {import('../types').Standing} standing the case after the action @param {number} read the version
 * @param {number} seen the number of history entries before the action
 */
export const isOwnChange = ({ 'account-request': { version }, history }, read, seen) =>
  version === read + 1 &&
  history.slice(seen).some(({ type, facts }) => CHANGES.includes(type) && facts['staff-id'] === me()['staff-id']);

/** @param {QueueItem} item */
export const isMine = (item) => item.assignee?.id === me()['staff-id'];
/** @param {QueueItem} item */
export const isOpen = (item) => item.status === 'pending' && item['review-stage'] === 'manual-review';
/** @param {QueueItem} item */
const statusOf = ({ status }) => (STATUSES[status]?.label ?? status).toLowerCase();

/**
 * The reason why the user may not take this decision; empty when it is allowed.
 * @param {Verb | 'verdict'} verb @param {Case} opened @param {CaseItem} item
 * @param {number} read the version of the case that the user has read @returns {string}
 */
export function hindrance(verb, opened, item, read) {
  const mine = isMine(item);
  if (!isReviewer()) return 'Your role may read cases, but not decide them.';
  if (item.status !== 'pending')
    return `Nothing to decide: ${statusOf(item)} since ${when(item['status-updated-at'])}.`;
  if (!isOpen(item)) return 'The request is not waiting for a review.';
  if (item.escalated && !isApprover()) return 'It was escalated: only approvers may decide it.';
  const others = item.assignee !== null && !mine;
  if (others && !isApprover()) return `${item.assignee?.name ?? 'Someone else'} has claimed it.`;
  if (others && verb !== 'claim' && verb !== 'release')
    return `${item.assignee?.name ?? 'Someone else'} has claimed it. Take it over first.`;
  if (verb === 'claim' && mine) return 'You have already claimed it.';
  if (verb === 'release' && item.assignee === null) return 'No one has claimed it.';
  if (verb === 'escalate' && item.escalated) return 'It is already escalated.';
  const hits = hitsOf(opened);
  const isTrueMatch =
    item.causes.includes('true-match') || hits.some(({ hit }) => hit.verdict?.verdict === 'true-match');
  if (isTrueMatch && (verb === 'approve' || verb === 'ask-information'))
    return 'A hit is this person: the request can only be rejected.';
  const unjudged = hits.filter(({ hit }) => hit.verdict === null).length;
  if (verb === 'approve' && unjudged > 0)
    return unjudged === 1 ? 'A hit has no verdict yet.' : `${unjudged} hits have no verdict yet.`;
  if (verb === 'approve' && item['four-eyes'] && !isApprover())
    return 'Two approvers are required. Only approvers can approve it.';
  if (verb === 'approve' && item['four-eyes'] && opened.approvals.some(({ id }) => id === me()['staff-id']))
    return 'You have approved it. Another approver must also approve.';
  if (NAMES_VERSION.includes(verb) && item.version !== read)
    return 'The case has changed since you read it. Read it again before you decide.';
  return '';
}
