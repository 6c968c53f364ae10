import type { AccountRequestFact, InformationItem, InternalReason, PartnerReason, StaffActor, StaffRole, Timestamp } from '@ponte/contracts';
import { INTERNAL_REASONS, PARTNER_REASONS, ReviewClaimed, ReviewDecided, ReviewEscalated, ReviewReleased } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { refuse, refuseAll } from '@ponte/kernel';
import { fault, wordFaults } from '../texts';
import { approve, askInformation, reject } from './ending';
import { isForFourEyes } from './four-eyes';
import { subject } from './moves';
import { askableItems } from './parts';
import type { OpenRequest } from './state';

interface ByStaff { readonly staff: StaffActor; readonly at: Timestamp }
export type ReviewCommand = ByStaff & (
  | { readonly kind: 'claim'; readonly takeOver: boolean }
  | { readonly kind: 'release' }
  | { readonly kind: 'escalate'; readonly note: Sealed | null }
  | { readonly kind: 'ask-information'; readonly items: readonly InformationItem[]; readonly issues: readonly PartnerReason[]; readonly note: Sealed | null }
  | { readonly kind: 'approve'; readonly note: Sealed | null }
  | { readonly kind: 'reject'; readonly reason: InternalReason; readonly note: Sealed | null }
);

const REVIEWERS: readonly StaffRole[] = ['compliance-analyst', 'compliance-approver'];
const isApprover = ({ roles }: StaffActor): boolean => roles.includes('compliance-approver');

/** What people of compliance do with a request that waits for them. */
export function decideReview(command: ReviewCommand, state: OpenRequest): AccountRequestFact[] {
  const { staff } = command;
  if (!staff.roles.some((role) => REVIEWERS.includes(role))) refuse('role-not-allowed', 'compliance alone reviews requests');
  if (command.kind === 'approve' && repeated(staff.staffId, state)) return [];
  if (state.stage !== 'manual-review') refuse('review-not-open', 'the request does not wait for a review', 'id');
  mayTouch(command, state);
  switch (command.kind) {
    case 'claim': return claim(command, state);
    case 'release': return state.assignedTo === null ? [] : [new ReviewReleased({ ...subject(state), staffId: staff.staffId, releasedAt: command.at })];
    case 'escalate': return state.escalated ? [] : [new ReviewEscalated({ ...subject(state), staffId: staff.staffId, note: command.note, escalatedAt: command.at })];
    case 'ask-information': return ask(command, state);
    case 'approve': return approval(command, state);
    case 'reject':
      refuseAll(wordFaults([command.reason], INTERNAL_REASONS, 'reason'));
      return reject(state, { ...command, staffId: staff.staffId });
  }
}

/** The approval that decided it, told once more. */
const repeated = (staffId: string, { status, approvals }: OpenRequest): boolean =>
  (status === 'approved' || status === 'provisioning-failed' || status === 'active') && approvals.includes(staffId);

function mayTouch(command: ReviewCommand, { assignedTo, escalated }: OpenRequest): void {
  const { staff } = command;
  const takesOver = (command.kind === 'claim' && command.takeOver) || command.kind === 'release';
  if (assignedTo !== null && assignedTo !== staff.staffId && !(takesOver && isApprover(staff))) {
    refuse('review-claimed', 'somebody else has claimed it; an approver may take it over', 'id');
  }
  if (escalated && !isApprover(staff)) refuse('role-not-allowed', 'it was escalated: approvers alone decide it');
}

const claim = ({ staff: { staffId }, at }: ReviewCommand, state: OpenRequest): AccountRequestFact[] =>
  (state.assignedTo === staffId ? [] : [new ReviewClaimed({ ...subject(state), staffId, claimedAt: at })]);

function ask({ staff, items, issues, note, at }: Extract<ReviewCommand, { kind: 'ask-information' }>, state: OpenRequest): AccountRequestFact[] {
  refuseAll([
    ...(items.length > 0 ? wordFaults(items, askableItems(state), 'items') : [fault('missing-field', 'items', 'say what is wanted')]),
    ...wordFaults(issues, PARTNER_REASONS, 'issues'),
  ]);
  return askInformation(state, { staffId: staff.staffId, items: [...new Set(items)], issues: [...new Set(issues)], note, at });
}

/** domain.md §5: four eyes are two different approvers. */
function approval({ staff, note, at }: Extract<ReviewCommand, { kind: 'approve' }>, state: OpenRequest): AccountRequestFact[] {
  const { staffId } = staff;
  if (!isForFourEyes(state)) return approve(state, { staffId, note, at });
  if (!isApprover(staff)) refuse('role-not-allowed', 'four eyes are wanted: approvers alone approve it');
  if (state.approvals.includes(staffId)) refuse('second-approver-required', 'you have approved it; another approver has to do so too', 'id');
  if (state.approvals.length > 0) return approve(state, { staffId, note, at });
  return [new ReviewDecided({ ...subject(state), decision: 'approve', final: false, staffId, note, decidedAt: at })];
}
