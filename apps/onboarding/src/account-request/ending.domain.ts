import type { AccountRequestEvent, InformationItem, InternalReason, PartnerReason, Timestamp } from '@ponte/contracts';
import {
  AccountRequestApproved,
  AccountRequestCancelled,
  AccountRequestExpired,
  AccountRequestRejected,
  InformationRequested,
  ReviewDecided,
  shownReason,
} from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { addSeconds, refuse } from '@ponte/kernel';
import type { ApprovalGrounds } from './approval.domain';
import { assertApprovable } from './approval.domain';
import { moveStage, moveStatus, subject } from './moves.domain';
import type { OpenRequest } from './account-request.state';

/** A request expires if the requested information does not arrive within 30 days. */
const INFORMATION_SECONDS = 30 * 24 * 3600;

/** `staffId` is null if no person decided. */
interface Decision {
  readonly staffId: string | null;
  readonly note: Sealed | null;
  readonly at: Timestamp;
}

/** Approves the request finally, after {@link assertApprovable}. Every approval goes through this function. */
export function approve(
  state: OpenRequest,
  grounds: ApprovalGrounds,
  { staffId, note, at }: Decision,
): AccountRequestEvent[] {
  const approvedBy = staffId === null ? state.approvals : [...state.approvals, staffId];
  assertApprovable(state, grounds, approvedBy);
  moveStatus(state, 'approved');
  return [
    new ReviewDecided({ ...subject(state), decision: 'approve', final: true, staffId, note, decidedAt: at }),
    new AccountRequestApproved({ ...subject(state), approvedBy, approvedAt: at }),
  ];
}

/** Rejects the request. The partner sees `shown`, which by default derives from the internal reason. */
export function reject(
  state: OpenRequest,
  {
    staffId,
    note,
    at,
    reason,
    shown = shownReason(reason),
  }: Decision & { reason: InternalReason; shown?: PartnerReason },
): AccountRequestEvent[] {
  moveStatus(state, 'rejected');
  return [
    new ReviewDecided({ ...subject(state), decision: 'reject', final: true, staffId, note, decidedAt: at }),
    new AccountRequestRejected({ ...subject(state), reason, shownReason: shown, rejectedAt: at }),
  ];
}

/** Asks the partner for information, and sets the time by which it has to arrive. */
export function askInformation(
  state: OpenRequest,
  {
    staffId,
    note,
    at,
    items,
    issues,
  }: Decision & { items: readonly InformationItem[]; issues: readonly PartnerReason[] },
): AccountRequestEvent[] {
  moveStage(state, 'information-requested');
  return [
    new ReviewDecided({ ...subject(state), decision: 'ask-information', final: true, staffId, note, decidedAt: at }),
    new InformationRequested({
      ...subject(state),
      items,
      issues,
      requestedAt: at,
      dueAt: addSeconds(at, INFORMATION_SECONDS),
    }),
  ];
}

export function cancel(state: OpenRequest, at: Timestamp): AccountRequestEvent[] {
  if (state.status === 'cancelled') return [];
  if (state.status !== 'pending')
    refuse('account-request-not-pending', `the request is ${state.status} and cannot be cancelled`, 'id');
  moveStatus(state, 'cancelled');
  return [new AccountRequestCancelled({ ...subject(state), cancelledAt: at })];
}

/** Expires the request. Returns no event if the information arrived or is not due yet. */
export function expire(state: OpenRequest, at: Timestamp): AccountRequestEvent[] {
  if (state.information === null || at < state.information.dueAt) return [];
  moveStatus(state, 'expired');
  return [new AccountRequestExpired({ ...subject(state), expiredAt: at })];
}
