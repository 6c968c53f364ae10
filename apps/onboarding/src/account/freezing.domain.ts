import type {
  AccountEvent,
  FreezeReason,
  PendingFreezeStep,
  ReleaseReason,
  StaffActor,
  StaffRole,
  Timestamp,
} from '@ponte/contracts';
import {
  AccountFreezeRequestClosed,
  AccountFreezeRequested,
  AccountFrozen,
  accountMachine,
  AccountReleased,
  AccountReleaseRequested,
  FREEZE_REASONS,
  RELEASE_REASONS,
} from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { assertMove } from '@ponte/event-sourcing';
import { refuse, refuseAll } from '@ponte/kernel';
import { reasonViolations } from '../person/texts.domain';
import type { OpenedAccount } from './account.state';

interface ByStaff {
  readonly staff: StaffActor;
  readonly at: Timestamp;
}

interface WithEvidence {
  readonly evidence: Sealed | null;
}

export type FreezeCommand =
  | (ByStaff & WithEvidence & { readonly kind: 'request-freeze'; readonly reason: FreezeReason })
  | (ByStaff & WithEvidence & { readonly kind: 'request-release'; readonly reason: ReleaseReason })
  | (ByStaff & { readonly kind: 'confirm-freeze' | 'confirm-release' | 'close-freeze-request' })
  | (WithEvidence & { readonly kind: 'freeze-automatically'; readonly reason: FreezeReason; readonly at: Timestamp });

const ASKING: readonly StaffRole[] = ['compliance-analyst', 'compliance-approver'];

const CONFIRMING: readonly StaffRole[] = ['compliance-approver'];

/** Freezing and releasing each need two different staff members; only the system can freeze alone. */
export function decideFreeze(command: FreezeCommand, state: OpenedAccount): AccountEvent[] {
  switch (command.kind) {
    case 'request-freeze':
      return requestFreeze(command, state);
    case 'request-release':
      return requestRelease(command, state);
    case 'confirm-freeze':
      return confirmFreeze(command, state);
    case 'confirm-release':
      return confirmRelease(command, state);
    case 'close-freeze-request':
      return closeRequest(command, state);
    case 'freeze-automatically':
      return freezeAutomatically(command, state);
  }
}

function requestFreeze(
  { staff, reason, evidence, at }: Extract<FreezeCommand, { kind: 'request-freeze' }>,
  { status, terms: { accountId }, standing: { pending } }: OpenedAccount,
): AccountEvent[] {
  mustHaveRole(staff, ASKING);
  refuseAll(reasonViolations(reason, FREEZE_REASONS));
  if (status === 'frozen') refuse('account-already-frozen', 'the account is frozen', 'account-id');
  if (isRepeated(pending, 'freeze', staff, reason)) return [];
  return [new AccountFreezeRequested({ accountId, reason, evidence, requestedBy: staff.staffId, requestedAt: at })];
}

function requestRelease(
  { staff, reason, evidence, at }: Extract<FreezeCommand, { kind: 'request-release' }>,
  { status, terms: { accountId }, standing: { pending } }: OpenedAccount,
): AccountEvent[] {
  mustHaveRole(staff, ASKING);
  refuseAll(reasonViolations(reason, RELEASE_REASONS));
  if (status !== 'frozen') refuse('account-not-frozen', 'the account is not frozen', 'account-id');
  if (isRepeated(pending, 'release', staff, reason)) return [];
  return [new AccountReleaseRequested({ accountId, reason, evidence, requestedBy: staff.staffId, requestedAt: at })];
}

function confirmFreeze({ staff, at }: ByStaff, state: OpenedAccount): AccountEvent[] {
  const {
    status,
    terms: { accountId },
    standing: { pending, freezes },
  } = state;
  mustHaveRole(staff, CONFIRMING);
  if (status === 'frozen' && pending === null && freezes.some(({ confirmedBy }) => confirmedBy === staff.staffId))
    return [];
  const { reason, evidence, requestedBy } = confirmable(pending, 'freeze', staff);
  assertMove(accountMachine, status, 'frozen');
  return [
    new AccountFrozen({
      accountId,
      reason: reason as FreezeReason,
      evidence,
      requestedBy,
      confirmedBy: staff.staffId,
      frozenAt: at,
    }),
  ];
}

function confirmRelease({ staff, at }: ByStaff, state: OpenedAccount): AccountEvent[] {
  const {
    status,
    terms: { accountId },
    standing: { pending, history },
  } = state;
  mustHaveRole(staff, CONFIRMING);
  const last = history.at(-1);
  if (status === 'active' && pending === null && last?.type === 'released' && last.staff.at(-1) === staff.staffId)
    return [];
  const { reason, evidence, requestedBy } = confirmable(pending, 'release', staff);
  assertMove(accountMachine, status, 'active');
  return [
    new AccountReleased({
      accountId,
      reason: reason as ReleaseReason,
      evidence,
      requestedBy,
      confirmedBy: staff.staffId,
      releasedAt: at,
    }),
  ];
}

/** The requester withdraws the request. Others refuse it, for which they must be allowed to confirm it. */
function closeRequest(
  { staff, at }: ByStaff,
  { terms: { accountId }, standing: { pending } }: OpenedAccount,
): AccountEvent[] {
  mustHaveRole(staff, ASKING);
  if (pending === null) return refuse('freeze-step-not-pending', 'no freeze or release is pending', 'account-id');
  const isOwn = pending.requestedBy === staff.staffId;
  if (!isOwn) mustHaveRole(staff, CONFIRMING);
  return [
    new AccountFreezeRequestClosed({
      accountId,
      step: pending.step,
      outcome: isOwn ? 'withdrawn' : 'refused',
      closedBy: staff.staffId,
      closedAt: at,
    }),
  ];
}

/** A second reason is recorded too. Otherwise a release requested for the first reason would release both. */
function freezeAutomatically(
  { reason, evidence, at }: Extract<FreezeCommand, { kind: 'freeze-automatically' }>,
  { status, terms: { accountId } }: OpenedAccount,
): AccountEvent[] {
  refuseAll(reasonViolations(reason, FREEZE_REASONS));
  if (status !== 'frozen') assertMove(accountMachine, status, 'frozen');
  return [new AccountFrozen({ accountId, reason, evidence, requestedBy: null, confirmedBy: null, frozenAt: at })];
}

function mustHaveRole({ roles }: StaffActor, allowed: readonly StaffRole[]): void {
  if (!roles.some((role) => allowed.includes(role)))
    refuse('role-not-allowed', `this requires one of the roles ${allowed.join(', ')}`);
}

/** Whether the same staff member repeats the same request. Any other pending request refuses `freeze-step-pending`. */
function isRepeated(
  pending: PendingFreezeStep | null,
  step: PendingFreezeStep['step'],
  { staffId }: StaffActor,
  reason: string,
): boolean {
  if (pending === null) return false;
  if (pending.step === step && pending.requestedBy === staffId && pending.reason === reason) return true;
  return refuse('freeze-step-pending', `a ${pending.step} of the account is already pending`, 'account-id');
}

function confirmable(
  pending: PendingFreezeStep | null,
  step: PendingFreezeStep['step'],
  { staffId }: StaffActor,
): PendingFreezeStep {
  if (pending?.step !== step)
    return refuse('freeze-step-not-pending', `no ${step} of the account is pending`, 'account-id');
  if (pending.requestedBy === staffId)
    refuse('second-member-required', 'you requested this step; another staff member has to confirm it', 'account-id');
  return pending;
}
