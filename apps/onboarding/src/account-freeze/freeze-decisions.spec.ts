import { AccountFreezeRequested } from '@ponte/contracts';
import type { AccountCommand } from '../account/account.decider';
import {
  AT,
  freezeRequested,
  frozen,
  automatic,
  releaseRequested,
  released,
  analyst,
  approver,
  freeze,
  step,
  closed,
  given,
} from './freezing.testing';

describe('A decision about a request to freeze or release', () => {
  const otherReason = new AccountFreezeRequested({ ...freezeRequested.data, reason: 'court-order' });
  const replaced = [freezeRequested, closed('withdrawn', 'one'), otherReason];

  it('names the request that was read: a request that replaced it is neither confirmed nor closed', () => {
    expect(given(freezeRequested).state().standing.pending).toMatchObject({ request: 1, reason: 'sanctions' });
    expect(given(...replaced).state().standing.pending).toMatchObject({ request: 2, reason: 'court-order' });
    for (const kind of ['confirm-freeze', 'close-freeze-request'] as const) {
      expect(given(...replaced).code(step(kind, approver('two'), 1))).toBe('freeze-step-not-pending');
      expect(given(...replaced).message(step(kind, approver('two'), 1))).toContain('request 2 to freeze');
    }
    expect(given(...replaced).events(step('close-freeze-request', analyst('one'), 1))).toEqual([]);
    expect(given(...replaced).events(step('confirm-freeze', approver('two'), 2))).toMatchObject([
      { type: 'AccountFrozen', data: { reason: 'court-order', confirmedBy: 'two' } },
    ]);
  });

  it('says what became of a request that ended', () => {
    const late = step('confirm-freeze', approver('three'), 1);
    expect(given(freezeRequested, closed('withdrawn', 'one')).message(late)).toContain('request 1 was withdrawn');
    expect(given(freezeRequested, closed('refused', 'two')).message(late)).toContain('request 1 was refused');
    expect(given(freezeRequested, frozen).message(late)).toContain('request 1 was confirmed');
    expect(given(frozen, releaseRequested, automatic).message(late)).toContain('request 1 is not pending');
    expect(given().message(late)).toContain('request 1 is not pending');
  });

  it('is of the kind of the request', () => {
    const release = given(freezeRequested, frozen, releaseRequested);
    expect(release.code(step('confirm-freeze', approver('three'), 2))).toBe('freeze-step-not-pending');
    expect(release.events(step('confirm-release', approver('one'), 2))).toEqual([released]);
    expect(release.code(step('confirm-release', approver('one'), 1))).toBe('freeze-step-not-pending');
  });

  it('to release is refused if an address was found on a sanctions list after the request', () => {
    const release = given(freezeRequested, frozen, releaseRequested);
    const confirm = (addressFoundAt: string | null): AccountCommand => ({
      ...{ kind: 'confirm-release', staff: approver('one'), request: 2, at: AT },
      addressFoundAt,
      isReviewOpen: false,
    });
    expect(release.violations(confirm('2026-11-21T12:00:00.000Z'))).toMatchObject([
      { code: 'review-changed', path: 'request' },
    ]);
    expect(release.code(confirm('2026-11-21T12:00:01.000Z'))).toBe('review-changed');
    for (const known of ['2026-11-21T11:59:59.999Z', null]) expect(release.events(confirm(known))).toEqual([released]);
    const afterRelease = given(freezeRequested, frozen, releaseRequested, released);
    expect(afterRelease.events(confirm('2026-11-22T12:00:00.000Z'))).toEqual([]);
  });

  it('to release is refused while a review or a finding of the account is open', () => {
    const confirm = (isReviewOpen: boolean): AccountCommand => ({
      ...{ kind: 'confirm-release', staff: approver('one'), request: 2, at: AT },
      ...{ addressFoundAt: null, isReviewOpen },
    });
    const release = given(freezeRequested, frozen, releaseRequested);
    expect(release.violations(confirm(true))).toMatchObject([{ code: 'review-open', path: 'request' }]);
    expect(release.events(confirm(false))).toEqual([released]);
    expect(given(freezeRequested, frozen, releaseRequested, released).events(confirm(true))).toEqual([]);
  });

  it('can be repeated without effect by the staff member who made it, while its effect lasts', () => {
    const ended = given(freezeRequested, closed('refused', 'two'));
    expect(ended.events(step('close-freeze-request', approver('two')))).toEqual([]);
    expect(ended.code(step('close-freeze-request', approver('three')))).toBe('freeze-step-not-pending');
    expect(given(freezeRequested, frozen, releaseRequested).events(step('confirm-freeze', approver('two')))).toEqual(
      [],
    );
    const back = [freezeRequested, frozen, releaseRequested, released];
    expect(given(...back).code(step('confirm-freeze', approver('two'), 1))).toBe('freeze-step-not-pending');
    expect(given(...back).events(step('confirm-release', approver('one'), 2))).toEqual([]);
    expect(given(...back, automatic).code(step('confirm-release', approver('one'), 2))).toBe('freeze-step-not-pending');
  });

  it('concerns the evidence as it was read: a repeated request with other evidence is refused', () => {
    const more: AccountCommand = { ...freeze(analyst('one')), evidence: 'sealed:v1:p:y' } as AccountCommand;
    expect(given(freezeRequested).code(more)).toBe('freeze-step-pending');
    expect(given(freezeRequested).code(freeze(analyst('one'), 'court-order'))).toBe('freeze-step-pending');
  });
});
