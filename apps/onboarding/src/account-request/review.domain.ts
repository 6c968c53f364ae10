import type { AccountRequestEvent, StaffActor, StaffRole, Timestamp } from '@ponte/contracts';
import {
  HIT_VERDICTS,
  INTERNAL_REASONS,
  PARTNER_REASONS,
  ReviewClaimed,
  ReviewDecided,
  ReviewEscalated,
  ReviewReleased,
  ScreeningHitJudged,
  VERDICT_REASONS,
} from '@ponte/contracts';
import { refuse, refuseAll, violation } from '@ponte/kernel';
import { wordViolations } from '../person/texts.domain';
import { assertHitsCleared } from './approval.domain';
import { approve, askInformation, reject } from './ending.domain';
import { findHit, hasTrueMatch, verdictOf } from './findings.domain';
import { needsTwoApprovers } from './four-eyes.domain';
import { fold, subject } from './moves.domain';
import { askableItems } from './parts.domain';
import type { OpenRequest } from './account-request.state';
import { assertRead } from '../review/case-changes.domain';
import { noteRelatedFindings } from '../review/related-findings.domain';
import type { AsRead, ReviewCommand } from './review-command.domain';

const REVIEWERS: readonly StaffRole[] = ['compliance-analyst', 'compliance-approver'];

const isApprover = ({ roles }: StaffActor): boolean => roles.includes('compliance-approver');

/** The actions of compliance staff on a request under review. */
export function decideReview(command: ReviewCommand, state: OpenRequest): AccountRequestEvent[] {
  const { staff } = command;
  if (!staff.roles.some((role) => REVIEWERS.includes(role)))
    refuse('role-not-allowed', 'only compliance staff can review requests');
  if (command.kind === 'approve' && repeated(staff.staffId, state)) return [];
  if (state.stage !== 'manual-review') refuse('review-not-open', 'the request is not waiting for a review', 'id');
  refuseClaimedByOther(command, state);
  switch (command.kind) {
    case 'claim':
      return claim(command, state);
    case 'release':
      return state.assignedTo === null
        ? []
        : [new ReviewReleased({ ...subject(state), staffId: staff.staffId, releasedAt: command.at })];
    case 'escalate':
      return escalate(command, state);
    case 'judge-hit':
      return judgeHit(command, state);
    case 'ask-information':
      return ask(command, state);
    case 'approve':
      return approval(command, state);
    case 'reject':
      refuseAll(wordViolations([command.reason], INTERNAL_REASONS, 'reason'));
      assertRead(withCurrentFindings(command, state), command.version);
      return reject(state, { ...command, staffId: staff.staffId });
  }
}

/** Whether this repeats the approval that decided the request. */
const repeated = (staffId: string, { status, approvals }: OpenRequest): boolean =>
  (status === 'approved' || status === 'provisioning-failed' || status === 'active') && approvals.includes(staffId);

function refuseClaimedByOther(command: ReviewCommand, { assignedTo, escalated }: OpenRequest): void {
  const { staff } = command;
  const takesOver = (command.kind === 'claim' && command.takeOver) || command.kind === 'release';
  if (assignedTo !== null && assignedTo !== staff.staffId && !(takesOver && isApprover(staff))) {
    refuse('review-claimed', 'another staff member has claimed the review; an approver may take it over', 'id');
  }
  if (escalated && !isApprover(staff))
    refuse('role-not-allowed', 'the review was escalated: only approvers can decide it');
}

const claim = ({ staff: { staffId }, at }: ReviewCommand, state: OpenRequest): AccountRequestEvent[] =>
  state.assignedTo === staffId ? [] : [new ReviewClaimed({ ...subject(state), staffId, claimedAt: at })];

/** Escalating twice changes nothing. */
function escalate(command: Extract<ReviewCommand, { kind: 'escalate' }>, state: OpenRequest): AccountRequestEvent[] {
  if (state.escalated) return [];
  assertRead(withCurrentFindings(command, state), command.version);
  const { staff, note, at } = command;
  return [new ReviewEscalated({ ...subject(state), staffId: staff.staffId, note, escalatedAt: at })];
}

function ask(command: Extract<ReviewCommand, { kind: 'ask-information' }>, state: OpenRequest): AccountRequestEvent[] {
  const { staff, items, issues, version, note, at } = command;
  if (hasTrueMatch(state))
    refuse('true-match-found', 'a screening hit is the person: the request can only be rejected', 'id');
  refuseAll([
    ...(items.length > 0
      ? wordViolations(items, askableItems(state), 'items')
      : [violation('missing-field', 'items', 'must name at least one item')]),
    ...wordViolations(issues, PARTNER_REASONS, 'issues'),
  ]);
  assertRead(withCurrentFindings(command, state), version);
  return askInformation(state, {
    staffId: staff.staffId,
    items: [...new Set(items)],
    issues: [...new Set(issues)],
    note,
    at,
  });
}

/** Repeating a verdict records nothing. A true match is final; otherwise one person could approve the request. */
function judgeHit(command: Extract<ReviewCommand, { kind: 'judge-hit' }>, state: OpenRequest): AccountRequestEvent[] {
  const { staff, person, list, entryId, score, entryVersion = null, verdict, reason, note, at } = command;
  refuseAll([
    ...wordViolations([verdict], HIT_VERDICTS, 'verdict'),
    ...wordViolations([reason], VERDICT_REASONS, 'reason'),
  ]);
  const hit =
    findHit(state, { person, list, entryId }) ??
    refuse('screening-hit-not-found', 'the request has no such screening hit', 'entry-id');
  if (hit.score !== score)
    refuse('review-changed', `the entry was found again, with the score ${hit.score}: read the hit again`, 'score');
  if ((hit.entryVersion ?? null) !== entryVersion)
    refuse('review-changed', 'the entry of the list has changed: read the hit again', 'entry-version');
  const known = verdictOf(state, hit);
  if (known && known.verdict === verdict && known.reason === reason && note === null) return [];
  if (known?.verdict === 'true-match')
    refuse('verdict-final', 'the hit was judged a true match, which is final', 'verdict');
  return [
    new ScreeningHitJudged({
      ...subject(state),
      person,
      list,
      entryId,
      score,
      ...(hit.entryVersion !== undefined && { entryVersion: hit.entryVersion }),
      verdict,
      reason,
      note,
      staffId: staff.staffId,
      judgedAt: at,
    }),
  ];
}

/** The case as it would be read now. What is not recorded in the request yet, the case that was read did not show. */
const withCurrentFindings = ({ found, at }: AsRead & { readonly at: Timestamp }, state: OpenRequest): OpenRequest =>
  found ? fold(state, ...noteRelatedFindings(found, at, state)) : state;

/** Two different approvers are needed for four eyes, even if only sharing of the liveness session requires them. */
function approval(command: Extract<ReviewCommand, { kind: 'approve' }>, before: OpenRequest): AccountRequestEvent[] {
  const { staff, version, note, at } = command;
  const { staffId } = staff;
  const state = withCurrentFindings(command, before);
  assertHitsCleared(state);
  if (needsTwoApprovers(state)) assertMayApprove(staff, state);
  assertRead(state, version);
  if (!needsTwoApprovers(state) || state.approvals.length > 0) return approve(state, 'staff', { staffId, note, at });
  return [new ReviewDecided({ ...subject(state), decision: 'approve', final: false, staffId, note, decidedAt: at })];
}

/** One of the two approvers whom four eyes need. */
function assertMayApprove(staff: StaffActor, { approvals }: OpenRequest): void {
  if (!isApprover(staff))
    refuse('role-not-allowed', 'this request needs two approvers: only a compliance approver can approve it');
  if (approvals.includes(staff.staffId))
    refuse(
      'second-approver-required',
      'you have already approved the request; a second approver has to approve it too',
      'id',
    );
}
