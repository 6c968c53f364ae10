import type { AccountRequestEvent, StaffActor } from '@ponte/contracts';
import * as contracts from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import type { Refusal } from '@ponte/kernel';
import type { AccountRequestCommand } from './account-request.decider';
import { accountRequest } from './account-request.decider';
import { checklist } from './history.domain';
import type { OpenRequest } from './account-request.state';

const AT = '2026-11-21T12:00:00.000Z';
const sealed = 'sealed:v1:p:x' as const;
const about = { requestId: 'r', accountId: 'a', parentId: 'p' };
const identity = {
  subjectId: 's',
  identifierFingerprint: 'f',
  country: 'BRA',
  identifier: sealed,
  maskedIdentifier: sealed,
  taxResidence: 'BRA',
};
const person = {
  ...identity,
  firstName: sealed,
  lastName: sealed,
  dateOfBirth: sealed,
  address: sealed,
  pep: sealed,
  document: { type: 'cnh', frontFileId: 'ev', backFileId: null },
} as const;
const terms = {
  ...about,
  attempt: 1,
  rewardTier: 90,
  externalId: null,
  externalWallets: [],
  fourEyes: false,
  sandboxOutcome: null,
  requestedAt: AT,
} as const;
const reliance = (change: Partial<contracts.AccountRequested['data']> = {}) =>
  new contracts.AccountRequested({
    ...terms,
    mode: 'reliance',
    details: { mode: 'reliance', taxDocumentType: 'cpf', kycAttestationId: sealed, holder: identity },
    ...change,
  });
const kyc = (change: Partial<contracts.AccountRequested['data']> = {}) =>
  new contracts.AccountRequested({
    ...terms,
    mode: 'kyc',
    ...change,
    details: {
      mode: 'kyc',
      holder: person,
      email: sealed,
      phone: sealed,
      motherFullName: sealed,
      financialProfile: sealed,
      representative: null,
      liveness: { provider: 'p', id: sealed, fingerprint: 'l' },
    },
  });
const screening = (round = 1) => new contracts.ScreeningStarted({ ...about, round, startedAt: AT });
const hit = { list: 'un-consolidated', entryId: 'QDi.001', score: 100, match: sealed };
const screened = (hits: contracts.ScreeningHit[] = [], round = 1) =>
  new contracts.ScreeningRecorded({ ...about, round, person: 'holder', hits, recordedAt: AT });
const liveness = (outcome: 'passed' | 'failed', sharedWith?: string[]) =>
  new contracts.LivenessRecorded({
    ...about,
    sessionFingerprint: 'l',
    provider: 'p',
    providerEventId: 'w',
    outcome,
    decidedAt: AT,
    ...(sharedWith && { sharedWith }),
  });
const review = (causes: contracts.ReviewCause[] = ['screening-hit', 'four-eyes']) =>
  new contracts.ReviewRequested({ ...about, causes, fourEyes: true, rewardTier: 90, requestedAt: AT });
const verdict = (word: contracts.HitVerdict, of = hit) =>
  new contracts.ScreeningHitJudged({
    ...about,
    person: 'holder',
    list: of.list,
    entryId: of.entryId,
    score: of.score,
    verdict: word,
    reason: 'other',
    note: null,
    staffId: 'one',
    judgedAt: AT,
  });
const approval = (staffId: string) =>
  new contracts.ReviewDecided({ ...about, decision: 'approve', final: false, staffId, note: null, decidedAt: AT });

const analyst: StaffActor = { staffId: 'analyst', roles: ['compliance-analyst'] };
const approver = (staffId: string): StaffActor => ({ staffId, roles: ['compliance-approver'] });
const approve = (staff: StaffActor, sharedWith: string[] = []): AccountRequestCommand => ({
  kind: 'review',
  command: { kind: 'approve', staff, note: null, at: AT, liveness: { sessionFingerprint: 'l', sharedWith } },
});
const judge = (word: contracts.HitVerdict, staff = analyst, entryId = hit.entryId): AccountRequestCommand => ({
  kind: 'review',
  command: {
    kind: 'judge-hit',
    staff,
    person: 'holder',
    list: hit.list,
    entryId,
    verdict: word,
    reason: 'other',
    note: null,
    at: AT,
  },
});
const inSandbox: AccountRequestCommand = {
  kind: 'decide-in-sandbox',
  command: { decision: 'approve', reason: null, items: [] },
  at: AT,
};
const record = (hits: contracts.ScreeningHit[]): AccountRequestCommand => ({
  kind: 'record-screening',
  round: 1,
  person: 'holder',
  hits,
  at: AT,
});

const given = (...past: AccountRequestEvent[]) => ({
  types: (command: AccountRequestCommand) =>
    scenario(accountRequest)
      .given(...past)
      .when(command)
      .events()
      .map(({ type }) => type),
  code: (command: AccountRequestCommand) =>
    (
      scenario(accountRequest)
        .given(...past)
        .when(command)
        .refusal() as Refusal
    ).code,
  state: () =>
    scenario(accountRequest)
      .given(...past)
      .state() as OpenRequest,
});
const APPROVED = ['ReviewDecided', 'AccountRequestApproved'];

describe('four eyes for what screening finds', () => {
  const found = [kyc(), screening(), liveness('passed'), screened([hit]), review()] as const;

  it('no single member of staff approves a hit, whatever the list, the mode and the role', () => {
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

  it('every hit needs a verdict before the first approval, hits of the representative and of earlier rounds too', () => {
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

  it('a verdict holds for the score that was judged: the same entry with another score is judged again', () => {
    const later = [...found, verdict('false-positive'), screening(2), screened([{ ...hit, score: 90 }], 2), review()];
    expect(given(...later).code(approve(approver('one')))).toBe('screening-verdict-required');
    const same = [...found, verdict('false-positive'), screening(2), screened([hit], 2), review()];
    expect(given(...same).types(approve(approver('one')))).toEqual(['ReviewDecided']);
  });

  it('a true match can only be rejected, and is never taken back', () => {
    const past = [...found, verdict('true-match')] as const;
    for (const command of [
      approve(approver('one')),
      {
        kind: 'review',
        command: {
          kind: 'ask-information',
          staff: approver('one'),
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
        command: { kind: 'reject', staff: analyst, reason: 'sanctions', note: null, at: AT },
      }),
    ).toEqual(['ReviewDecided', 'AccountRequestRejected']);
    expect(given(...past).state().causes).toContain('true-match');
    expect(given(...found, verdict('false-positive')).types(judge('true-match'))).toEqual(['ScreeningHitJudged']);
  });

  it('only reviewers judge, only hits that exist, and only while the case waits for them', () => {
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

  it('nothing approves a hit by itself: not reliance, not the sandbox decision; only the outcome of a sandbox CPF, which production never sets', () => {
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

describe('four eyes for liveness', () => {
  it('a failed or a shared session takes two approvers, also when a later session passed', () => {
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

  it('sharing that comes to light later counts at once: it is noted, or known at the approval, and earlier approvals do not count', () => {
    const clean = [kyc(), screening(), liveness('passed'), screened(), review(['standard'])] as const;
    expect(given(...clean).types(approve(analyst))).toEqual(APPROVED);
    expect(given(...clean).code(approve(analyst, ['other']))).toBe('role-not-allowed');
    expect(given(...clean).types(approve(approver('one'), ['other']))).toEqual(['LivenessShared', 'ReviewDecided']);
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
});

describe('the checklist', () => {
  const outcomes = (...past: AccountRequestEvent[]) =>
    Object.fromEntries(checklist(given(...past).state(), [], []).map(({ check, outcome }) => [check, outcome]));
  const found = [kyc(), screening(), liveness('passed'), screened([hit]), review()] as const;

  it('follows verdicts and approvals', () => {
    expect(outcomes(...found)).toMatchObject({ screening: 'attention', 'four-eyes': 'pending', liveness: 'passed' });
    expect(outcomes(...found, verdict('false-positive'))).toMatchObject({
      screening: 'passed',
      'four-eyes': 'pending',
    });
    expect(outcomes(...found, verdict('true-match'))).toMatchObject({ screening: 'attention' });
    expect(outcomes(...found, verdict('false-positive'), approval('one'), approval('two'))).toMatchObject({
      'four-eyes': 'passed',
    });
  });

  it('leaves nothing open once the request is decided', () => {
    const ended = [
      new contracts.AccountRequestCancelled({ ...about, cancelledAt: AT }),
      new contracts.AccountRequestRejected({ ...about, reason: 'pep', shownReason: 'compliance', rejectedAt: AT }),
    ];
    for (const end of ended) {
      expect(Object.values(outcomes(...found, end))).not.toContain('pending');
      expect(Object.values(outcomes(kyc(), screening(), end))).not.toContain('pending');
    }
  });
});
