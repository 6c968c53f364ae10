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
import type { AccountCommand } from './account.decider';
import type { OpenedAccount } from './account.state';
import { account } from './account.decider';

const AT = '2026-11-21T12:00:00.000Z';
const accountId = '0190b3c4-0000-7000-8000-00000000000a';
const sealed = 'sealed:v1:p:x' as const;
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
const asked = new AccountFreezeRequested({
  accountId,
  reason: 'sanctions',
  evidence: sealed,
  requestedBy: 'one',
  requestedAt: AT,
});
const frozen = new AccountFrozen({
  accountId,
  reason: 'sanctions',
  evidence: sealed,
  requestedBy: 'one',
  confirmedBy: 'two',
  frozenAt: AT,
});
const automatic = new AccountFrozen({
  accountId,
  reason: 'pix-taken-back',
  evidence: sealed,
  requestedBy: null,
  confirmedBy: null,
  frozenAt: AT,
});
const askedRelease = new AccountReleaseRequested({
  accountId,
  reason: 'resolved',
  evidence: sealed,
  requestedBy: 'two',
  requestedAt: AT,
});
const released = new AccountReleased({
  accountId,
  reason: 'resolved',
  evidence: sealed,
  requestedBy: 'two',
  confirmedBy: 'one',
  releasedAt: AT,
});

const analyst = (staffId: string): StaffActor => ({ staffId, roles: ['compliance-analyst'] });
const approver = (staffId: string): StaffActor => ({ staffId, roles: ['compliance-approver'] });
const others: StaffActor = { staffId: 'x', roles: ['operator', 'auditor'] };
const freeze = (staff: StaffActor, reason = 'sanctions'): AccountCommand => ({
  kind: 'request-freeze',
  staff,
  reason: reason as 'sanctions',
  evidence: sealed,
  at: AT,
});
const release = (staff: StaffActor): AccountCommand => ({
  kind: 'request-release',
  staff,
  reason: 'resolved',
  evidence: sealed,
  at: AT,
});
const step = (
  kind: 'confirm-freeze' | 'confirm-release' | 'close-freeze-request',
  staff: StaffActor,
): AccountCommand => ({ kind, staff, at: AT });
const byItself: AccountCommand = { kind: 'freeze-automatically', reason: 'pix-taken-back', evidence: sealed, at: AT };

const given = (...past: AccountEvent[]) => {
  const on = scenario(account).given(opened, ...past);
  return {
    events: (command: AccountCommand) => on.when(command).events(),
    code: (command: AccountCommand) => (on.when(command).refusal() as Refusal).code,
    state: () => on.state() as OpenedAccount,
  };
};

describe('Freezing an account', () => {
  it('needs two different staff members, and records the reason, the evidence and both members', () => {
    expect(given().events(freeze(analyst('one')))).toEqual([asked]);
    expect(given(asked).state().status).toBe('active');
    expect(given(asked).code(step('confirm-freeze', approver('one')))).toBe('second-member-required');
    expect(given(asked).events(step('confirm-freeze', approver('two')))).toEqual([frozen]);
    expect(given(asked, frozen).state()).toMatchObject({
      status: 'frozen',
      standing: { pending: null, freezes: [{ requestedBy: 'one', confirmedBy: 'two', evidence: sealed }] },
    });
    expect(given(asked, frozen).events(step('confirm-freeze', approver('two')))).toEqual([]);
  });

  it('is for compliance: analysts and approvers can request it, approvers can confirm it', () => {
    expect(given().code(freeze(others))).toBe('role-not-allowed');
    for (const staff of [others, analyst('two')])
      expect(given(asked).code(step('confirm-freeze', staff))).toBe('role-not-allowed');
    expect(given().code(freeze(approver('one'), 'because Maria da Silva'))).toBe('invalid-enum-value');
    expect(given().code(step('confirm-freeze', approver('two')))).toBe('freeze-step-not-pending');
    expect(given(frozen, askedRelease).code(step('confirm-freeze', approver('three')))).toBe('freeze-step-not-pending');
    expect(given(frozen).code(freeze(approver('one')))).toBe('account-already-frozen');
  });

  it('allows one pending step at a time, which can be repeated without effect, withdrawn or refused', () => {
    expect(given(asked).events(freeze(analyst('one')))).toEqual([]);
    expect(given(asked).code(freeze(analyst('two')))).toBe('freeze-step-pending');
    expect(given(asked).events(step('close-freeze-request', analyst('one')))).toEqual([
      new AccountFreezeRequestClosed({
        accountId,
        step: 'freeze',
        outcome: 'withdrawn',
        closedBy: 'one',
        closedAt: AT,
      }),
    ]);
    expect(given(asked).events(step('close-freeze-request', approver('two')))).toMatchObject([
      { data: { outcome: 'refused', closedBy: 'two' } },
    ]);
    expect(given(asked).code(step('close-freeze-request', analyst('two')))).toBe('role-not-allowed');
    const closed = new AccountFreezeRequestClosed({
      accountId,
      step: 'freeze',
      outcome: 'refused',
      closedBy: 'two',
      closedAt: AT,
    });
    expect(given(asked, closed).code(step('confirm-freeze', approver('two')))).toBe('freeze-step-not-pending');
    expect(given().code(step('close-freeze-request', approver('two')))).toBe('freeze-step-not-pending');
  });

  it('happens at once for the system; a second reason is recorded too and ends a pending release', () => {
    expect(given().events(byItself)).toEqual([automatic]);
    expect(given(asked).events(byItself)).toEqual([automatic]);
    expect(given(asked, automatic).code(step('confirm-freeze', approver('two')))).toBe('freeze-step-not-pending');
    const twice = given(frozen, askedRelease, automatic);
    expect(twice.state().standing).toMatchObject({
      pending: null,
      freezes: [{ reason: 'sanctions' }, { reason: 'pix-taken-back' }],
    });
    expect(twice.code(step('confirm-release', approver('one')))).toBe('freeze-step-not-pending');
  });
});

describe('Releasing an account', () => {
  it('needs two different staff members, even if the system froze it', () => {
    for (const how of [frozen, automatic]) {
      expect(given(how).events(release(analyst('two')))).toEqual([askedRelease]);
      expect(given(how).code(step('confirm-release', approver('one')))).toBe('freeze-step-not-pending');
      expect(given(how, askedRelease).state().status).toBe('frozen');
      expect(given(how, askedRelease).code(step('confirm-release', approver('two')))).toBe('second-member-required');
      expect(given(how, askedRelease).code(step('confirm-release', analyst('one')))).toBe('role-not-allowed');
      expect(given(how, askedRelease).events(step('confirm-release', approver('one')))).toEqual([released]);
      expect(given(how, askedRelease, released).state()).toMatchObject({
        status: 'active',
        standing: { pending: null, freezes: [] },
      });
      expect(given(how, askedRelease, released).events(step('confirm-release', approver('one')))).toEqual([]);
    }
    expect(given().code(release(analyst('two')))).toBe('account-not-frozen');
    expect(given(frozen, askedRelease, released).events(freeze(analyst('one')))).toEqual([asked]);
  });
});
