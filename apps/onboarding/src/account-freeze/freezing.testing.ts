import type { AccountEvent, StaffActor } from '@ponte/contracts';
import {
  AccountFreezeRequestClosed,
  AccountFreezeRequested,
  AccountFrozen,
  AccountOpened,
  AccountReleased,
  AccountReleaseRequested,
} from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import type { Refusal } from '@ponte/kernel';
import type { AccountCommand } from '../account/account.decider';
import type { OpenedAccount } from '../account/account.state';
import { account } from '../account/account.decider';

export const AT = '2026-11-21T12:00:00.000Z';
export const accountId = '0190b3c4-0000-7000-8000-00000000000a';
export const sealed = 'sealed:v1:p:x' as const;
const opened = new AccountOpened({
  accountId,
  parentId: null,
  alias: 'a',
  externalId: null,
  onboardingMode: 'kyc',
  capabilities: [],
  holderId: 'h',
  legalName: sealed,
  taxId: sealed,
  taxIdFingerprint: 'f',
  openedAt: AT,
});
export const freezeRequested = new AccountFreezeRequested({
  accountId,
  reason: 'sanctions',
  evidence: sealed,
  requestedBy: 'one',
  requestedAt: AT,
});
export const frozen = new AccountFrozen({
  accountId,
  reason: 'sanctions',
  evidence: sealed,
  requestedBy: 'one',
  confirmedBy: 'two',
  frozenAt: AT,
});
export const automatic = new AccountFrozen({
  accountId,
  reason: 'pix-taken-back',
  evidence: sealed,
  requestedBy: null,
  confirmedBy: null,
  frozenAt: AT,
});
export const releaseRequested = new AccountReleaseRequested({
  accountId,
  reason: 'resolved',
  evidence: sealed,
  requestedBy: 'two',
  requestedAt: AT,
});
export const released = new AccountReleased({
  accountId,
  reason: 'resolved',
  evidence: sealed,
  requestedBy: 'two',
  confirmedBy: 'one',
  releasedAt: AT,
});

export const analyst = (staffId: string): StaffActor => ({ staffId, roles: ['compliance-analyst'] });
export const approver = (staffId: string): StaffActor => ({ staffId, roles: ['compliance-approver'] });
export const others: StaffActor = { staffId: 'x', roles: ['operator', 'auditor'] };
export const freeze = (staff: StaffActor, reason = 'sanctions'): AccountCommand => ({
  kind: 'request-freeze',
  staff,
  reason: reason as 'sanctions',
  evidence: sealed,
  at: AT,
});
export const release = (staff: StaffActor): AccountCommand => ({
  kind: 'request-release',
  staff,
  reason: 'resolved',
  evidence: sealed,
  at: AT,
});
/** A decision about a request. Most histories have one, which is the first. */
export const step = (
  kind: 'confirm-freeze' | 'confirm-release' | 'close-freeze-request',
  staff: StaffActor,
  request = 1,
): AccountCommand =>
  kind === 'confirm-release'
    ? { kind, staff, request, addressFoundAt: null, isReviewOpen: false, at: AT }
    : kind === 'confirm-freeze'
      ? { kind, staff, request, isFindingCleared: false, at: AT }
      : { kind, staff, request, at: AT };
export const byItself: AccountCommand = {
  kind: 'freeze-automatically',
  reason: 'pix-taken-back',
  evidence: sealed,
  at: AT,
};

export const closed = (outcome: 'withdrawn' | 'refused', closedBy: string, step: 'freeze' | 'release' = 'freeze') =>
  new AccountFreezeRequestClosed({ accountId, step, outcome, closedBy, closedAt: AT });

export const given = (...past: AccountEvent[]) => {
  const on = scenario(account).given(opened, ...past);
  const refusal = (command: AccountCommand) => on.when(command).refusal() as Refusal;
  return {
    events: (command: AccountCommand) => on.when(command).events(),
    code: (command: AccountCommand) => refusal(command).code,
    message: (command: AccountCommand) => refusal(command).message,
    violations: (command: AccountCommand) => refusal(command).violations,
    state: () => on.state() as OpenedAccount,
  };
};
