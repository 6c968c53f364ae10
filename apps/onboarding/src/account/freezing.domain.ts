import type { AccountEvent, FreezeReason, ReleaseReason } from '@ponte/contracts';
import {
  AccountFreezeRequestClosed,
  AccountFreezeRequested,
  AccountFrozen,
  accountMachine,
  AccountReleased,
  AccountReleaseRequested,
  ClosedAccountLossRecorded,
  FREEZE_REASONS,
  RELEASE_REASONS,
} from '@ponte/contracts';
import { assertMove } from '@ponte/event-sourcing';
import { refuse, refuseAll } from '@ponte/kernel';
import { reasonViolations } from '../person/texts.domain';
import type { OpenedAccount } from './account.state';
import { refuseClosed } from './account.state';
import type { ConfirmFreeze, ConfirmRelease, Decision, FreezeCommand } from '../account-freeze/freeze-commands.domain';
import {
  ASKING,
  confirmable,
  CONFIRMING,
  hasClosed,
  hasConfirmed,
  isPending,
  requireRole,
  pendingRequest,
} from '../account-freeze/freeze-request.domain';

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

/** A frozen account can be frozen for a further reason, which a release then has to consider too. */
function requestFreeze(
  { staff, reason, evidence, at }: Extract<FreezeCommand, { kind: 'request-freeze' }>,
  { status, terms: { accountId }, standing: { pending, freezes } }: OpenedAccount,
): AccountEvent[] {
  requireRole(staff, ASKING);
  refuseAll(reasonViolations(reason, FREEZE_REASONS));
  refuseClosed(status);
  if (freezes.some((freeze) => freeze.reason === reason))
    refuse('account-already-frozen', 'the account is already frozen for this reason', 'account-id');
  if (isPending(pending, { step: 'freeze', requestedBy: staff.staffId, reason, evidence })) return [];
  return [new AccountFreezeRequested({ accountId, reason, evidence, requestedBy: staff.staffId, requestedAt: at })];
}

function requestRelease(
  { staff, reason, evidence, at }: Extract<FreezeCommand, { kind: 'request-release' }>,
  { status, terms: { accountId }, standing: { pending } }: OpenedAccount,
): AccountEvent[] {
  requireRole(staff, ASKING);
  refuseAll(reasonViolations(reason, RELEASE_REASONS));
  refuseClosed(status);
  if (status !== 'frozen') refuse('account-not-frozen', 'the account is not frozen', 'account-id');
  if (isPending(pending, { step: 'release', requestedBy: staff.staffId, reason, evidence })) return [];
  return [new AccountReleaseRequested({ accountId, reason, evidence, requestedBy: staff.staffId, requestedAt: at })];
}

/** A freeze for a match that two approvers know to be false would stop the account until two others release it. */
function confirmFreeze(command: ConfirmFreeze, { status, terms, standing }: OpenedAccount): AccountEvent[] {
  const { staff, at } = command;
  requireRole(staff, CONFIRMING);
  if (status === 'frozen' && hasConfirmed(standing, 'freeze', command)) return [];
  const { reason, evidence, requestedBy } = confirmable(standing, 'freeze', command);
  if (command.isFindingCleared)
    refuse(
      'review-changed',
      'the screening finding for which the freeze was requested was cleared: refuse the request',
      'request',
    );
  if (status !== 'frozen') assertMove(accountMachine, status, 'frozen');
  return [
    new AccountFrozen({
      accountId: terms.accountId,
      reason: reason as FreezeReason,
      evidence,
      requestedBy,
      confirmedBy: staff.staffId,
      frozenAt: at,
    }),
  ];
}

/**
 * What was found after the request, neither its author nor its evidence took into account. What is not decided yet may
 * be a reason to keep the account frozen.
 */
function confirmRelease(command: ConfirmRelease, { status, terms, standing }: OpenedAccount): AccountEvent[] {
  const { staff, at } = command;
  requireRole(staff, CONFIRMING);
  if (status === 'active' && hasConfirmed(standing, 'release', command)) return [];
  const { reason, evidence, requestedBy, requestedAt } = confirmable(standing, 'release', command);
  if (command.addressFoundAt !== null && command.addressFoundAt >= requestedAt)
    refuse(
      'review-changed',
      'an address of the account was found on a sanctions list after the release was requested: refuse the request, ' +
        'and read the account again',
      'request',
    );
  if (command.isReviewOpen)
    refuse(
      'review-open',
      'an address review or a screening finding of the account is open, or a true match has not been cleared: decide ' +
        'or clear it first',
      'request',
    );
  assertMove(accountMachine, status, 'active');
  return [
    new AccountReleased({
      accountId: terms.accountId,
      reason: reason as ReleaseReason,
      evidence,
      requestedBy,
      confirmedBy: staff.staffId,
      releasedAt: at,
    }),
  ];
}

/** The requester withdraws the request. Others refuse it, for which they must be allowed to confirm it. */
function closeRequest(command: Decision, { terms: { accountId }, standing }: OpenedAccount): AccountEvent[] {
  const { staff, at } = command;
  requireRole(staff, ASKING);
  if (hasClosed(standing, command)) return [];
  const { step, requestedBy } = pendingRequest(standing, command);
  const isOwn = requestedBy === staff.staffId;
  if (!isOwn) requireRole(staff, CONFIRMING);
  return [
    new AccountFreezeRequestClosed({
      accountId,
      step,
      outcome: isOwn ? 'withdrawn' : 'refused',
      closedBy: staff.staffId,
      closedAt: at,
    }),
  ];
}

/**
 * A second reason is recorded too. Otherwise a release requested for the first reason would release both. A freeze that
 * staff requested stays pending. A closed account can do no more than a frozen one, so it stays closed, and only its
 * loss is recorded.
 */
function freezeAutomatically(
  { reason, evidence, nothingLost = false, at }: Extract<FreezeCommand, { kind: 'freeze-automatically' }>,
  { status, terms: { accountId } }: OpenedAccount,
): AccountEvent[] {
  refuseAll(reasonViolations(reason, FREEZE_REASONS));
  if (status === 'closed')
    return nothingLost ? [] : [new ClosedAccountLossRecorded({ accountId, reason, recordedAt: at })];
  if (status !== 'frozen') assertMove(accountMachine, status, 'frozen');
  return [new AccountFrozen({ accountId, reason, evidence, requestedBy: null, confirmedBy: null, frozenAt: at })];
}
