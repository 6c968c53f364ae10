import * as contracts from '@ponte/contracts';
import type { AccountRequestCommand } from './account-request.decider';
import type { RecordLiveness } from './screening.domain';
import {
  AT,
  sealed,
  about,
  kyc,
  screening,
  screened,
  liveness,
  review,
  approval,
  analyst,
  approver,
  approve,
  given,
  APPROVED,
} from '../testing/reviewed-requests';

describe('Four eyes for liveness', () => {
  it('are required after a failed or shared session, even if a later session passed', () => {
    const newSession = new contracts.InformationProvided({
      ...about,
      holder: { address: null, document: null },
      representative: { address: null, document: null, powerOfAttorneyFileId: null },
      otherFileIds: [],
      note: null,
      providedAt: AT,
      liveness: { provider: 'p', id: sealed, fingerprint: 'l2' },
    });
    const passed = new contracts.LivenessRecorded({
      ...about,
      sessionFingerprint: 'l2',
      provider: 'p',
      providerEventId: 'w2',
      outcome: 'passed',
      decidedAt: AT,
    });
    for (const first of [liveness('failed'), liveness('passed', ['other'])]) {
      for (const past of [
        [kyc(), screening(), first, screened(), review()],
        [kyc(), screening(), first, screened(), review(), newSession, screening(2), passed, screened([], 2), review()],
      ]) {
        expect(given(...past).code(approve(analyst))).toBe('role-not-allowed');
        expect(given(...past).types(approve(approver('one')))).toEqual(['ReviewDecided']);
        expect(given(...past, approval('one')).types(approve(approver('two')))).toEqual(APPROVED);
      }
    }
  });

  it('are required after a failed session, even if its provider later reports that it passed', () => {
    const corrected: RecordLiveness = {
      kind: 'record-liveness',
      sessionFingerprint: 'l',
      provider: 'p',
      providerEventId: 'w2',
      outcome: 'passed',
      decidedAt: '2026-11-21T13:00:00.000Z',
      sharedWith: [],
      at: AT,
    };
    const failed = [kyc(), screening(), screened(), liveness('failed'), review(['liveness-failed', 'four-eyes'])];
    expect(given(...failed).types(corrected)).toEqual(['LivenessRecorded']);
    const { kind: _kind, sharedWith: _shared, at: _at, ...result } = corrected;
    const past = [...failed, new contracts.LivenessRecorded({ ...about, ...result })];
    expect(given(...past).code(approve(analyst))).toBe('role-not-allowed');
    expect(given(...past).types(approve(approver('one')))).toEqual(['ReviewDecided']);
    expect(given(...past, approval('one')).types(approve(approver('two')))).toEqual(APPROVED);
  });

  it('are required as soon as sharing is recorded or known at the approval, and earlier approvals do not count', () => {
    const clean = [kyc(), screening(), liveness('passed'), screened(), review(['standard'])] as const;
    expect(given(...clean).types(approve(analyst))).toEqual(APPROVED);
    expect(given(...clean).code(approve(analyst, ['other']))).toBe('role-not-allowed');
    // The case that was read did not show the sharing.
    expect(given(...clean).code(approve(approver('one'), ['other']))).toBe('review-changed');
    const note: AccountRequestCommand = {
      kind: 'note-shared-liveness',
      sessionFingerprint: 'l',
      sharedWith: ['other'],
      at: AT,
    };
    expect(given(...clean).types(note)).toEqual(['LivenessShared']);
    const shared = new contracts.LivenessShared({
      ...about,
      sessionFingerprint: 'l',
      sharedWith: ['other'],
      noticedAt: AT,
    });
    expect(given(...clean, shared).types(note)).toEqual([]);
    expect(given(...clean, shared).state().causes).toEqual(['liveness-shared', 'four-eyes']);
    const tier97 = [
      kyc({ fourEyes: true }),
      screening(),
      liveness('passed'),
      screened(),
      review(),
      approval('one'),
      shared,
    ] as const;
    expect(given(...tier97).types(approve(approver('two')))).toEqual(['ReviewDecided']);
    expect(given(...tier97, approval('two')).types(approve(approver('one')))).toEqual(APPROVED);
    expect(given(...clean, new contracts.AccountRequestCancelled({ ...about, cancelledAt: AT })).types(note)).toEqual(
      [],
    );
  });

  it.each([
    ['failed', undefined, 'liveness-failed'],
    ['passed', ['other'], 'liveness-shared'],
  ] as const)('start again when a result arrives during the review: %s, shared with %j', (outcome, sharers, cause) => {
    const result = liveness(outcome, sharers && [...sharers]);
    const late = [kyc({ fourEyes: true }), screening(), screened(), review(['liveness-pending', 'four-eyes'])] as const;
    const past = [...late, approval('one'), result] as const;
    expect(given(...past).state().causes).toEqual(['liveness-pending', 'four-eyes', cause]);
    expect(given(...past).types(approve(approver('two')))).toEqual(['ReviewDecided']);
    expect(given(...past, approval('two')).types(approve(approver('one')))).toEqual(APPROVED);
    expect(given(...late, approval('one'), liveness('passed')).types(approve(approver('two')))).toEqual(APPROVED);
  });
});
