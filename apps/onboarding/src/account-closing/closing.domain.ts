import type { AccountClosingEvent, ClosingReason, StaffActor, Timestamp } from '@ponte/contracts';
import { AccountClosed, AccountClosingRequested, accountMachine, CLOSING_REASONS } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { assertMove } from '@ponte/event-sourcing';
import { fromIso, isoTime, refuse, refuseAll, violation } from '@ponte/kernel';
import type { OpenedAccount } from '../account/account.state';
import { mustNotBeClosed } from '../account/account.state';
import type { FreezeDecision } from '../account-freeze/freeze-request.domain';
import {
  ASKING,
  confirmable,
  CONFIRMING,
  hasConfirmed,
  isPending,
  mustHaveRole,
} from '../account-freeze/freeze-request.domain';
import { reasonViolations } from '../person/texts.domain';

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
};
export type ConfirmClosing = ByStaff & FreezeDecision & { readonly kind: 'confirm-closing' };
export type ClosingCommand = RequestClosing | ConfirmClosing;

/**
 * How long an account must be frozen before it is closed, in milliseconds. A command that saw the active account has
 * ended by then, so what it began is among the open work.
 */
export const SETTLING_MS = 60_000;

/** Closing an account needs two different staff members. The account must be frozen and empty at both steps. */
export function decideClosing(command: ClosingCommand, state: OpenedAccount): AccountClosingEvent[] {
  return command.kind === 'request-closing' ? requestClosing(command, state) : confirmClosing(command, state);
}

function requestClosing(
  { staff, reason, evidence, at, openWork }: RequestClosing,
  { status, terms: { accountId }, standing: { pending } }: OpenedAccount,
): AccountClosingEvent[] {
  mustHaveRole(staff, ASKING);
  refuseAll(reasonViolations(reason, CLOSING_REASONS));
  mustNotBeClosed(status);
  if (status !== 'frozen') refuse('account-not-frozen', 'freeze the account before you close it', 'account-id');
  if (isPending(pending, { step: 'close', requestedBy: staff.staffId, reason, evidence })) return [];
  mustBeEmpty(openWork);
  return [new AccountClosingRequested({ accountId, reason, evidence, requestedBy: staff.staffId, requestedAt: at })];
}

function confirmClosing(
  command: ConfirmClosing,
  { status, terms: { accountId }, standing }: OpenedAccount,
): AccountClosingEvent[] {
  const { staff, at, openWork } = command;
  mustHaveRole(staff, CONFIRMING);
  if (hasConfirmed(standing, 'close', command)) return [];
  mustNotBeClosed(status);
  const { reason, evidence, requestedBy } = confirmable(standing, 'close', command);
  mustBeEmpty([...settling(standing.freezes, at), ...openWork]);
  assertMove(accountMachine, status, 'closed');
  return [
    new AccountClosed({
      accountId,
      reason: reason as ClosingReason,
      evidence,
      requestedBy,
      confirmedBy: staff.staffId,
      closedAt: at,
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

const mustBeEmpty = (openWork: readonly string[]): void =>
  refuseAll(openWork.map((what) => violation('account-in-use', 'account-id', what)));
