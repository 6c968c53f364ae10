import * as contracts from '@ponte/contracts';
import type { AccountRequestCommand } from './account-request.decider';
import { needsTwoApprovers } from './four-eyes.domain';
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
  record,
  APPROVED,
} from '../testing/reviewed-requests';

/** The partner names a session in answer to a request for information. */
const named = (fingerprint: string, providedAt = AT) =>
  new contracts.InformationProvided({
    ...about,
    holder: { address: null, document: null },
    representative: { address: null, document: null, powerOfAttorneyFileId: null },
    otherFileIds: [],
    note: null,
    providedAt,
    liveness: { provider: 'p', id: sealed, fingerprint },
  });

describe('Four eyes for liveness', () => {
  it('are required after a failed or shared session, even if a later session passed', () => {
    const newSession = named('l2');
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

  describe('are required while the session was decided too long before the request named it', () => {
    const decided = (decidedAt: string, sessionFingerprint = 'l') =>
      new contracts.LivenessRecorded({ ...liveness('passed').data, sessionFingerprint, decidedAt });
    // The request was made on 21 November at 12:00.
    const [old, recent] = [decided('2026-11-20T11:59:59.999Z'), decided('2026-11-20T12:00:00.000Z')];

    it('by more than a day', () => {
      expect(given(kyc(), screening(), recent, screened(), review(['standard'])).types(approve(analyst))).toEqual(
        APPROVED,
      );
      const past = [kyc(), screening(), old, screened(), review(['liveness-old', 'four-eyes'])] as const;
      expect(given(...past).code(approve(analyst))).toBe('role-not-allowed');
      expect(given(...past).types(approve(approver('one')))).toEqual(['ReviewDecided']);
      const concluded = given(kyc(), screening(), old).events(record([])).at(-1);
      expect(concluded).toMatchObject({ type: 'ReviewRequested', data: { causes: ['liveness-old', 'four-eyes'] } });
    });

    it('even when its result arrives during the review, which ends the first approval', () => {
      const late = [
        kyc({ fourEyes: true }),
        screening(),
        screened(),
        review(['liveness-pending', 'four-eyes']),
      ] as const;
      const { approvals, causes } = given(...late, approval('one'), old).state();
      expect([approvals, causes]).toEqual([[], ['liveness-pending', 'four-eyes', 'liveness-old']]);
    });

    it('even when a session is named again later, until a newer one replaces it', () => {
      const later = (fingerprint: string) => named(fingerprint, '2026-11-24T12:00:00.000Z');
      const first = [kyc(), screening(), recent, screened(), review(['standard'])] as const;
      const round2 = (...answer: contracts.AccountRequestEvent[]) =>
        given(...first, ...answer, screening(2), screened([], 2), review(['information-provided']));
      expect(round2(later('l')).code(approve(analyst))).toBe('role-not-allowed');
      const newer = decided('2026-11-24T11:00:00.000Z', 'l2');
      expect(round2(later('l'), later('l2'), newer).types(approve(analyst))).toEqual(APPROVED);
    });
  });

  describe('are required while the session has no result', () => {
    const giveUp: AccountRequestCommand = { kind: 'give-up-waiting', at: AT };
    const waited = [kyc(), screening(), screened()] as const;
    const unknown = [...waited, review(['liveness-pending', 'four-eyes'])] as const;

    it('because its id may be made up, until the provider reports that it passed', () => {
      expect(given(...waited).events(giveUp)).toMatchObject([
        { type: 'ReviewRequested', data: { causes: ['liveness-pending', 'four-eyes'], fourEyes: true } },
      ]);
      expect(needsTwoApprovers(given(...waited).state())).toBe(false);
      expect(given(...unknown).code(approve(analyst))).toBe('role-not-allowed');
      expect(given(...unknown).types(approve(approver('one')))).toEqual(['ReviewDecided']);
      expect(given(...unknown, approval('one')).types(approve(approver('two')))).toEqual(APPROVED);
      expect(given(...unknown, liveness('passed')).types(approve(analyst))).toEqual(APPROVED);
    });

    it('so naming a session that does not exist does not replace an old one', () => {
      const decidedAt = '2026-11-20T11:59:59.999Z';
      const old = new contracts.LivenessRecorded({ ...liveness('passed').data, decidedAt });
      const round2 = [
        ...waited,
        old,
        review(['liveness-old']),
        named('made-up'),
        screening(2),
        screened([], 2),
      ] as const;
      const [again] = given(...round2).events(giveUp);
      expect(again).toMatchObject({ data: { causes: ['liveness-pending', 'information-provided', 'four-eyes'] } });
      expect(given(...round2, again as contracts.ReviewRequested).code(approve(analyst))).toBe('role-not-allowed');
    });
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
