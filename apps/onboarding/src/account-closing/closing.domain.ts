import type { AccountClosingEvent, AmountOf, ClosingReason, StaffActor, Timestamp } from '@ponte/contracts';
import { AccountClosed, AccountClosingRequested, accountMachine, CLOSING_REASONS } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { assertMove } from '@ponte/event-sourcing';
import { fromIso, isoTime, refuse, refuseAll, violation } from '@ponte/kernel';
import type { OpenedAccount } from '../account/account.state';
import { refuseClosed } from '../account/account.state';
import type { FreezeDecision } from '../account-freeze/freeze-request.domain';
import {
  ASKING,
  confirmable,
  CONFIRMING,
  hasConfirmed,
  isPending,
  requireRole,
} from '../account-freeze/freeze-request.domain';
import { reasonViolations } from '../person/texts.domain';
import { isSameWriteOff, writeOffOf } from './write-off.domain';

interface ByStaff {
  readonly staff: StaffActor;
  readonly at: Timestamp;
  /** What has to end first, one sentence each; see `OpenWork`. */
  readonly openWork: readonly string[];
}

export type RequestClosing = ByStaff & {
  readonly kind: 'request-closing';
  readonly reason: ClosingReason;
  readonly evidence: Sealed | null;
  /** The balances that are left, as the staff member typed them. */
  readonly writeOff?: readonly AmountOf[];
};
export type ConfirmClosing = ByStaff & FreezeDecision & { readonly kind: 'confirm-closing' };
export type ClosingCommand = RequestClosing | ConfirmClosing;

/**
 * How long an account must be frozen before it is closed, in milliseconds. A command that saw the active account has
 * ended by then, so what it began is among the open work.
 */
const SETTLING_MS = 60_000;

/**
 * Closing an account needs two different staff members. The account must be frozen and empty at both steps, except for
 * what the closing writes off.
 */
export function decideClosing(command: ClosingCommand, state: OpenedAccount): AccountClosingEvent[] {
  return command.kind === 'request-closing' ? requestClosing(command, state) : confirmClosing(command, state);
}

function requestClosing(
  { staff, reason, evidence, at, openWork, writeOff: typed = [] }: RequestClosing,
  { status, terms: { accountId }, standing: { pending } }: OpenedAccount,
): AccountClosingEvent[] {
  requireRole(staff, ASKING);
  refuseAll(reasonViolations(reason, CLOSING_REASONS));
  refuseClosed(status);
  if (status !== 'frozen') refuse('account-not-frozen', 'freeze the account before you close it', 'account-id');
  const writeOff = writeOffOf(typed);
  const isSame = isPending(pending, { step: 'close', requestedBy: staff.staffId, reason, evidence });
  if (isSame && isSameWriteOff(pending?.writeOff, writeOff)) return [];
  if (isSame) refuse('freeze-step-pending', 'a close of the account with another write-off is pending', 'account-id');
  assertNoOpenWork(openWork);
  const request = { accountId, reason, evidence, requestedBy: staff.staffId, requestedAt: at };
  return [new AccountClosingRequested({ ...request, ...(writeOff.length > 0 && { writeOff }) })];
}

function confirmClosing(
  command: ConfirmClosing,
  { status, terms: { accountId }, standing }: OpenedAccount,
): AccountClosingEvent[] {
  const { staff, at, openWork } = command;
  requireRole(staff, CONFIRMING);
  if (hasConfirmed(standing, 'close', command)) return [];
  refuseClosed(status);
  const { reason, evidence, requestedBy, writeOff } = confirmable(standing, 'close', command);
  assertNoOpenWork([...settling(standing.freezes, at), ...openWork]);
  assertMove(accountMachine, status, 'closed');
  return [
    new AccountClosed({
      accountId,
      reason: reason as ClosingReason,
      evidence,
      requestedBy,
      confirmedBy: staff.staffId,
      closedAt: at,
      ...(writeOff && { writeOff }),
    }),
  ];
}

function settling([freeze]: OpenedAccount['standing']['freezes'], at: Timestamp): string[] {
  if (!freeze) return [];
  const settled = fromIso(freeze.frozenAt) + SETTLING_MS;
  return fromIso(at) < settled
    ? [`what began before the freeze may still be arriving; confirm after ${isoTime(settled)}`]
    : [];
}

const assertNoOpenWork = (openWork: readonly string[]): void =>
  refuseAll(openWork.map((what) => violation('account-in-use', 'account-id', what)));
