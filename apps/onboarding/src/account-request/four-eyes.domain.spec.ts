import * as contracts from '@ponte/contracts';
import type { AccountRequestCommand } from './account-request.decider';
import {
  AT,
  about,
  reliance,
  kyc,
  screening,
  hit,
  screened,
  liveness,
  review,
  verdict,
  approval,
  analyst,
  approver,
  CURRENT,
  approve,
  judge,
  inSandbox,
  record,
  given,
  APPROVED,
} from '../testing/reviewed-requests';

describe('Four eyes for screening hits', () => {
  const found = [kyc(), screening(), liveness('passed'), screened([hit]), review()] as const;

  it('are required whatever the list, the mode and the role of the staff member', () => {
    for (const list of ['un-consolidated', 'pep', 'ofac', 'vendor-x']) {
      for (const made of [kyc(), reliance()]) {
        const past = [
          made,
          screening(),
          liveness('passed'),
          screened([{ ...hit, list }]),
          review(),
          verdict('false-positive', { ...hit, list }),
        ] as const;
        expect(given(...past).code(approve(analyst))).toBe('role-not-allowed');
        expect(given(...past).types(approve(approver('one')))).toEqual(['ReviewDecided']);
        expect(given(...past, approval('one')).code(approve(approver('one')))).toBe('second-approver-required');
        expect(given(...past, approval('one')).types(approve(approver('two')))).toEqual(APPROVED);
      }
    }
  });

  it('require a verdict on every hit before the first approval, including hits of earlier rounds', () => {
    expect(given(...found).code(approve(approver('one')))).toBe('screening-verdict-required');
    expect(given(...found, approval('one')).code(approve(approver('two')))).toBe('screening-verdict-required');
    const second = { ...hit, entryId: 'QDi.002' };
    const both = [kyc(), screening(), liveness('passed'), screened([hit, second]), review()] as const;
    expect(given(...both, verdict('false-positive')).code(approve(approver('one')))).toBe('screening-verdict-required');
    expect(
      given(...both, verdict('false-positive'), verdict('false-positive', second)).types(approve(approver('one'))),
    ).toEqual(['ReviewDecided']);
    const again = [...both, screening(2), screened([], 2), review()];
    expect(given(...again, verdict('false-positive')).code(approve(approver('one')))).toBe(
      'screening-verdict-required',
    );
  });

  it('require a new verdict if the score of the same entry has changed', () => {
    const later = [...found, verdict('false-positive'), screening(2), screened([{ ...hit, score: 90 }], 2), review()];
    expect(given(...later).code(approve(approver('one')))).toBe('screening-verdict-required');
    const same = [...found, verdict('false-positive'), screening(2), screened([hit], 2), review()];
    expect(given(...same).types(approve(approver('one')))).toEqual(['ReviewDecided']);
  });

  it('allow only a rejection after a true match, which cannot be withdrawn', () => {
    const past = [...found, verdict('true-match')] as const;
    for (const command of [
      approve(approver('one')),
      {
        kind: 'review',
        command: {
          kind: 'ask-information',
          staff: approver('one'),
          version: CURRENT,
          items: ['document'],
          issues: [],
          note: null,
          at: AT,
        },
      } as AccountRequestCommand,
    ]) {
      expect(given(...past).code(command)).toBe('true-match-found');
      expect(given(...found, approval('one'), verdict('true-match')).code(command)).toBe('true-match-found');
    }
    expect(given(...past).code(judge('false-positive', approver('two')))).toBe('verdict-final');
    expect(given(...past).types(judge('true-match'))).toEqual([]);
    expect(
      given(...past).types({
        kind: 'review',
        command: { kind: 'reject', staff: analyst, version: CURRENT, reason: 'sanctions', note: null, at: AT },
      }),
    ).toEqual(['ReviewDecided', 'AccountRequestRejected']);
    expect(given(...past).state().causes).toContain('true-match');
    expect(given(...found, verdict('false-positive')).types(judge('true-match'))).toEqual(['ScreeningHitJudged']);
  });

  it('allow verdicts only by reviewers, only on existing hits, and only while the case is under review', () => {
    expect(given(...found).types(judge('false-positive'))).toEqual(['ScreeningHitJudged']);
    expect(given(...found).code(judge('false-positive', { staffId: 'x', roles: ['operator', 'auditor'] }))).toBe(
      'role-not-allowed',
    );
    expect(given(...found).code(judge('false-positive', analyst, 'QDi.999'))).toBe('screening-hit-not-found');
    expect(given(...found).code(judge('perhaps' as never))).toBe('invalid-enum-value');
    expect(given(kyc(), screening(), screened([hit])).code(judge('false-positive'))).toBe('review-not-open');
    expect(
      given(...found, new contracts.ReviewClaimed({ ...about, staffId: 'other', claimedAt: AT })).code(
        judge('false-positive'),
      ),
    ).toBe('review-claimed');
    expect(
      given(...found, new contracts.ReviewEscalated({ ...about, staffId: 'other', note: null, escalatedAt: AT })).code(
        judge('false-positive'),
      ),
    ).toBe('role-not-allowed');
  });

  it('cannot be bypassed by reliance mode or a sandbox decision, only by a sandbox CPF, which production never accepts', () => {
    expect(given(reliance(), screening()).types(record([hit]))).toEqual(['ScreeningRecorded', 'ReviewRequested']);
    expect(given(kyc(), screening(), liveness('passed')).types(record([hit]))).toEqual([
      'ScreeningRecorded',
      'ReviewRequested',
    ]);
    for (const verdicts of [[], [verdict('false-positive')]])
      expect(given(...found, ...verdicts).code(inSandbox)).toBe('review-by-staff-required');
    expect(given(kyc(), screening(), liveness('failed'), screened(), review()).code(inSandbox)).toBe(
      'review-by-staff-required',
    );
    expect(
      given(kyc({ fourEyes: true }), screening(), liveness('passed'), screened(), review()).types(inSandbox),
    ).toEqual(APPROVED);
    for (const made of [kyc({ sandboxOutcome: 'approve' }), reliance({ sandboxOutcome: 'approve', fourEyes: true })]) {
      expect(given(made, screening(), liveness('failed', ['other'])).types(record([hit]))).toEqual([
        'ScreeningRecorded',
        ...APPROVED,
      ]);
      expect(given(made, screening()).types(record([]))).toEqual(['ScreeningRecorded', ...APPROVED]);
    }
  });
});
