import type { PendingStep, StaffActor, StaffRole, StandingStep } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';
import type { DecidedStep, Standing } from '../account/account.state';

/** The roles that may request a step. */
export const ASKING: readonly StaffRole[] = ['compliance-analyst', 'compliance-approver'];
/** The roles that may confirm a step, or refuse the request of another staff member. */
export const CONFIRMING: readonly StaffRole[] = ['compliance-approver'];

/** A staff member decides about one request to freeze, release or close an account: the one that was read. */
export interface FreezeDecision {
  readonly staff: StaffActor;
  /** Its number among the requests of the account, from 1. */
  readonly request: number;
}

/** Whether this request is pending already. Any other pending request refuses `freeze-step-pending`. */
export function isPending(
  pending: PendingStep | null,
  wanted: Pick<PendingStep, 'step' | 'requestedBy' | 'reason' | 'evidence'>,
): boolean {
  if (pending === null) return false;
  const { step, requestedBy, reason, evidence } = pending;
  if (
    step === wanted.step &&
    requestedBy === wanted.requestedBy &&
    reason === wanted.reason &&
    evidence === wanted.evidence
  )
    return true;
  return refuse('freeze-step-pending', `a ${step} of the account is already pending`, 'account-id');
}

const isBy = (decided: DecidedStep, { request, staff: { staffId } }: FreezeDecision): boolean =>
  decided.request === request && decided.staffId === staffId;

/** Whether this repeats the last decision of staff, a confirmation. */
export const hasConfirmed = ({ decided }: Standing, step: StandingStep, decision: FreezeDecision): boolean =>
  decided !== null && decided.outcome === 'confirmed' && decided.step === step && isBy(decided, decision);

/** Whether this repeats the last decision of staff, which withdrew or refused the request. */
export const hasClosed = ({ decided }: Standing, decision: FreezeDecision): boolean =>
  decided !== null && decided.outcome !== 'confirmed' && isBy(decided, decision);

/** The pending request of another staff member, for its confirmation. */
export function confirmable(standing: Standing, step: StandingStep, decision: FreezeDecision): PendingStep {
  const pending = pendingRequest(standing, decision);
  if (pending.step !== step)
    return refuse('freeze-step-not-pending', `request ${pending.request} is to ${pending.step} the account`, 'request');
  if (pending.requestedBy === decision.staff.staffId)
    refuse('second-member-required', 'you requested this step; another approver has to confirm it', 'account-id');
  return pending;
}

/** The pending request. Refuses a decision about any other: its reason and evidence are not those that were read. */
export function pendingRequest({ pending, decided }: Standing, { request }: FreezeDecision): PendingStep {
  if (pending?.request === request) return pending;
  const ended = decided?.request === request ? `was ${decided.outcome}` : 'is not pending';
  const now =
    pending === null ? '' : `; request ${pending.request} to ${pending.step} the account is pending now: read it first`;
  return refuse('freeze-step-not-pending', `request ${request} ${ended}${now}`, 'request');
}

/** Refuses `role-not-allowed` unless the staff member has one of the roles. */
export function requireRole({ roles }: StaffActor, allowed: readonly StaffRole[]): void {
  if (!roles.some((role) => allowed.includes(role)))
    refuse('role-not-allowed', `this requires one of the roles ${allowed.join(', ')}`);
}
