import type { AccountRequestEvent, ClearKycRequest, StaffActor } from '@ponte/contracts';
import * as contracts from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import type { Refusal } from '@ponte/kernel';
import type { AccountRequestCommand } from './account-request.decider';
import { accountRequest } from './account-request.decider';
import { dueAt } from './due.domain';
import { sandboxOutcome, wantsFourEyes } from './four-eyes.domain';
import type { OpenRequest } from './account-request.state';
import type { ReservationCommand } from '../reservation/reservation.decider';
import { reservation } from '../reservation/reservation.decider';

const AT = '2026-11-21T12:00:00.000Z';
const DAY = '2026-12-21T12:00:00.000Z';
const sealed = 'sealed:v1:p:x' as const;
const about = { requestId: 'r', accountId: 'a', parentId: 'p' };
const requested = (change: Partial<contracts.AccountRequested['data']> = {}) =>
  new contracts.AccountRequested({
    ...about,
    mode: 'reliance',
    attempt: 1,
    rewardTier: 90,
    externalId: null,
    externalWallets: [],
    fourEyes: false,
    sandboxOutcome: null,
    requestedAt: AT,
    details: {
      mode: 'reliance',
      taxDocumentType: 'cpf',
      kycAttestationId: sealed,
      holder: {
        subjectId: 's',
        identifierFingerprint: 'f',
        country: 'BRA',
        identifier: sealed,
        maskedIdentifier: sealed,
        taxResidence: 'BRA',
      },
    },
    ...change,
  });
const screening = (round = 1) => new contracts.ScreeningStarted({ ...about, round, startedAt: AT });
const hit = { list: 'un', entryId: '1', score: 90, match: sealed };
const screened = (hits: contracts.ScreeningHit[] = [], round = 1) =>
  new contracts.ScreeningRecorded({ ...about, round, person: 'holder', hits, recordedAt: AT });
const review = (causes: contracts.ReviewCause[] = ['standard']) =>
  new contracts.ReviewRequested({ ...about, causes, fourEyes: false, rewardTier: 90, requestedAt: AT });
const asked = new contracts.InformationRequested({
  ...about,
  items: ['document'],
  issues: [],
  requestedAt: AT,
  dueAt: DAY,
});
const provided = new contracts.InformationProvided({
  ...about,
  holder: { address: null, document: null },
  representative: { address: null, document: null, powerOfAttorneyFileId: null },
  liveness: null,
  otherFileIds: [],
  note: null,
  providedAt: AT,
});
const approved = new contracts.AccountRequestApproved({ ...about, approvedBy: [], approvedAt: AT });
const step = (name: contracts.ProvisioningStep) =>
  new contracts.ProvisioningStepDone({ ...about, step: name, doneAt: AT });
const cancelled = new contracts.AccountRequestCancelled({ ...about, cancelledAt: AT });
const analyst: StaffActor = { staffId: 'one', roles: ['compliance-analyst'] };

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
const record = (hits: contracts.ScreeningHit[], round = 1): AccountRequestCommand => ({
  kind: 'record-screening',
  round,
  person: 'holder',
  hits,
  at: AT,
});
const by = (kind: 'approve' | 'claim' | 'reject', staff = analyst): AccountRequestCommand => ({
  kind: 'review',
  command:
    kind === 'approve'
      ? { kind, staff, note: null, at: AT }
      : kind === 'claim'
        ? { kind, staff, takeOver: false, at: AT }
        : { kind, staff, reason: 'pep', note: null, at: AT },
});

describe('an account request', () => {
  it('is made once; what is abandoned is never made', () => {
    const make: AccountRequestCommand = { kind: 'request', terms: requested().data };
    expect(given().types(make)).toEqual(['AccountRequested']);
    expect(given(requested()).types(make)).toEqual([]);
    expect(given().types({ kind: 'abandon', requestId: 'r', at: AT })).toEqual(['AccountRequestAbandoned']);
    expect(given(new contracts.AccountRequestAbandoned({ requestId: 'r', abandonedAt: AT })).types(make)).toEqual([]);
    expect(given(requested()).types({ kind: 'abandon', requestId: 'r', at: AT })).toEqual([]);
    expect(given().code({ kind: 'cancel', at: AT })).toBe('account-request-not-found');
  });

  it('takes each result of its round once, and concludes when it has all', () => {
    expect(given(requested(), screening()).types(record([]))).toEqual([
      'ScreeningRecorded',
      'ReviewDecided',
      'AccountRequestApproved',
    ]);
    expect(given(requested(), screening()).types(record([hit]))).toEqual(['ScreeningRecorded', 'ReviewRequested']);
    expect(given(requested(), screening(), screened([hit]), review()).types(record([]))).toEqual([]);
    expect(given(requested(), screening()).types(record([], 2))).toEqual([]);
    expect(given(requested()).types(record([]))).toEqual([]);
    expect(given(requested({ sandboxOutcome: 'reject' }), screening()).types(record([hit]))).toEqual([
      'ScreeningRecorded',
      'ReviewDecided',
      'AccountRequestRejected',
    ]);
    expect(given(requested({ sandboxOutcome: 'ask-information' }), screening()).types(record([]))).toEqual([
      'ScreeningRecorded',
      'ReviewDecided',
      'InformationRequested',
    ]);
    expect(
      given(requested({ sandboxOutcome: 'approve', rewardTier: 97, fourEyes: true }), screening()).types(record([hit])),
    ).toEqual(['ScreeningRecorded', 'ReviewDecided', 'AccountRequestApproved']);
    // What it asked for in the sandbox came: people decide.
    expect(
      given(
        requested({ sandboxOutcome: 'ask-information' }),
        screening(),
        screened(),
        asked,
        provided,
        screening(2),
      ).types(record([], 2)),
    ).toEqual(['ScreeningRecorded', 'ReviewRequested']);
  });

  it('accepts a liveness result from before it named the person, and does not treat a shared session as clean', () => {
    const [session, kyc] = [{ provider: 'p', id: sealed, fingerprint: 'l' }, requested().data.details.holder];
    const person = {
      ...kyc,
      firstName: sealed,
      lastName: sealed,
      dateOfBirth: sealed,
      address: sealed,
      pep: sealed,
      document: { type: 'cnh' as const, frontFileId: 'ev', backFileId: null },
    };
    const asking = (sandboxOutcome: contracts.SandboxOutcome | null) =>
      requested({
        mode: 'kyc',
        sandboxOutcome,
        details: {
          mode: 'kyc',
          holder: person,
          email: sealed,
          phone: sealed,
          motherFullName: sealed,
          financialProfile: sealed,
          liveness: session,
          representative: null,
        },
      });
    const word = (sharedWith?: string[]) =>
      new contracts.LivenessRecorded({
        ...about,
        sessionFingerprint: 'l',
        provider: 'p',
        providerEventId: 'w',
        outcome: 'passed',
        decidedAt: AT,
        ...(sharedWith && { sharedWith }),
      });
    expect(given(asking(null), screening(), word()).types(record([]))).toEqual([
      'ScreeningRecorded',
      'ReviewRequested',
    ]);
    expect(
      scenario(accountRequest)
        .given(asking(null), screening(), word(['other']))
        .when(record([]))
        .events()
        .at(-1),
    ).toMatchObject({ type: 'ReviewRequested', data: { fourEyes: true, causes: ['liveness-shared', 'four-eyes'] } });
    // The magic values of the sandbox decide all the same, and wait for no session.
    expect(given(asking('approve'), screening(), word(['other'])).types(record([hit]))).toEqual([
      'ScreeningRecorded',
      'ReviewDecided',
      'AccountRequestApproved',
    ]);
    for (const [outcome, end] of [
      ['approve', 'AccountRequestApproved'],
      ['reject', 'AccountRequestRejected'],
      ['ask-information', 'InformationRequested'],
    ] as const) {
      expect(given(asking(outcome), screening()).types(record([hit]))).toEqual([
        'ScreeningRecorded',
        'ReviewDecided',
        end,
      ]);
    }
    expect(given(asking(null), screening()).types(record([]))).toEqual(['ScreeningRecorded']);
  });

  it('wants four eyes for what screening finds too, and approves nothing by itself then', () => {
    const tier97 = requested({ rewardTier: 97, fourEyes: true });
    expect(given(tier97, screening()).types(record([]))).toEqual(['ScreeningRecorded', 'ReviewRequested']);
    expect(given(tier97, screening(), screened(), review()).code(by('approve'))).toBe('role-not-allowed');
    for (const list of ['pep', 'un-consolidated']) {
      expect(
        scenario(accountRequest)
          .given(requested(), screening())
          .when(record([{ ...hit, list }]))
          .events()
          .at(-1),
      ).toMatchObject({ type: 'ReviewRequested', data: { fourEyes: true, causes: ['screening-hit', 'four-eyes'] } });
    }
  });

  it('takes only the moves of its table; what is decided stays', () => {
    expect(given(requested()).types({ kind: 'cancel', at: AT })).toEqual(['AccountRequestCancelled']);
    expect(given(requested(), cancelled).types({ kind: 'cancel', at: AT })).toEqual([]);
    expect(given(requested(), approved).code({ kind: 'cancel', at: AT })).toBe('account-request-not-pending');
    expect(given(requested(), cancelled).code(by('approve'))).toBe('review-not-open');
    expect(given(requested(), screening()).code(by('claim'))).toBe('review-not-open');
    expect(given(requested(), cancelled).types({ kind: 'start-screening', at: AT })).toEqual([]);
    expect(
      given(requested(), cancelled).types({
        kind: 'decide-in-sandbox',
        command: { decision: 'approve', reason: null, items: [] },
        at: AT,
      }),
    ).toEqual([]);
    expect(given(requested(), screening(), screened([hit]), review(), asked).types({ kind: 'expire', at: AT })).toEqual(
      [],
    );
    expect(
      given(requested(), screening(), screened([hit]), review(), asked).types({ kind: 'expire', at: DAY }),
    ).toEqual(['AccountRequestExpired']);
    expect(
      given(requested(), screening(), screened([hit]), review(), asked, provided, screening(2)).types({
        kind: 'expire',
        at: DAY,
      }),
    ).toEqual([]);
    expect(given(requested(), screening(), screened([hit]), review()).types(by('reject'))).toEqual([
      'ReviewDecided',
      'AccountRequestRejected',
    ]);
    expect(
      given(requested()).code({
        kind: 'decide-in-sandbox',
        command: { decision: 'reject', reason: 'nonsense' as never, items: [] },
        at: AT,
      }),
    ).toBe('invalid-enum-value');
  });

  it('is asked for nothing that it does not have: the partner could never send it', () => {
    const kyc = (representative: object | null) =>
      requested({
        mode: 'kyc',
        details: {
          mode: 'kyc',
          representative,
          liveness: null,
          holder: requested().data.details.holder,
        } as unknown as contracts.RequestDetails,
      });
    const ask = (items: contracts.InformationItem[]): AccountRequestCommand => ({
      kind: 'review',
      command: { kind: 'ask-information', staff: analyst, items, issues: [], note: null, at: AT },
    });
    const inSandbox = (items: contracts.InformationItem[]): AccountRequestCommand => ({
      kind: 'decide-in-sandbox',
      command: { decision: 'ask-information', reason: null, items },
      at: AT,
    });
    const askable = (made: contracts.AccountRequested) =>
      contracts.INFORMATION_ITEMS.filter((item) => {
        const past = [made, screening(), screened(), review()] as const;
        const outcomes = [ask([item]), inSandbox([item])].map((command) => {
          try {
            return given(...past)
              .types(command)
              .includes('InformationRequested');
          } catch {
            return given(...past).code(command);
          }
        });
        expect(['true,true', 'invalid-enum-value,invalid-enum-value']).toContain(outcomes.join());
        return outcomes[0] === true;
      });
    expect(askable(requested())).toEqual(['source-of-funds', 'other']);
    expect(askable(kyc(null))).toEqual(['address', 'document', 'liveness', 'source-of-funds', 'other']);
    expect(askable(kyc({ address: null, document: null, powerOfAttorneyFileId: null }))).toEqual(
      contracts.INFORMATION_ITEMS,
    );
    // 902, and a decision that does not say what.
    const items = (made: contracts.AccountRequested, command: AccountRequestCommand) =>
      (
        scenario(accountRequest)
          .given(made, screening())
          .when(command)
          .events()
          .at(-1) as contracts.InformationRequested
      ).data.items;
    expect(items(requested({ sandboxOutcome: 'ask-information' }), record([]))).toEqual(['other']);
    expect(items(requested(), inSandbox([]))).toEqual(['other']);
    expect(items(kyc(null), inSandbox([]))).toEqual(['document']);
  });

  it('is provisioned step by step, and active with the last', () => {
    const note = (name: contracts.ProvisioningStep): AccountRequestCommand => ({
      kind: 'note-step',
      step: name,
      at: AT,
    });
    const fail: AccountRequestCommand = {
      kind: 'fail-provisioning',
      step: 'wallets',
      failure: { code: 'chain-unavailable', message: 'm', retryable: true },
      at: AT,
    };
    expect(given(requested(), approved).types(note('account'))).toEqual(['ProvisioningStepDone']);
    expect(given(requested(), approved, step('account'), step('wallets')).types(note('whitelist'))).toEqual([
      'ProvisioningStepDone',
      'AccountRequestActivated',
    ]);
    expect(given(requested(), approved, step('account')).types(note('account'))).toEqual([]);
    expect(given(requested()).types(note('account'))).toEqual([]);
    expect(given(requested(), approved, step('account')).types(fail)).toEqual(['ProvisioningFailed']);
    const failed = new contracts.ProvisioningFailed({
      ...about,
      step: 'wallets',
      failure: { code: 'c', message: 'm', retryable: true },
      failures: 1,
      failedAt: AT,
      retryAt: DAY,
    });
    expect(given(requested(), approved, failed).types({ kind: 'retry-provisioning', at: AT })).toEqual([]);
    expect(given(requested(), approved, failed).types({ kind: 'retry-provisioning', at: DAY })).toEqual([
      'ProvisioningRetried',
    ]);
    expect(given(requested(), approved, failed).types(note('wallets'))).toEqual([]);
    expect(
      [
        given(requested(), approved, failed).state(),
        given(requested()).state(),
        given(requested(), screening(), review()).state(),
        given(requested(), cancelled).state(),
      ].map(dueAt),
    ).toEqual([DAY, '2026-11-21T12:01:00.000Z', null, null]);
  });

  it('four eyes, and what a CPF of the sandbox asks for', () => {
    const plain = {
      pep: { declared: false },
      financialProfile: { sector: 'other' },
      representative: null,
      rewardTier: 90,
    } as unknown as ClearKycRequest;
    expect(wantsFourEyes(plain, ['gambling'])).toBe(false);
    for (const change of [
      { pep: { declared: true } },
      { financialProfile: { sector: 'gambling' } },
      { representative: {} },
      { rewardTier: 97 },
    ]) {
      expect(wantsFourEyes({ ...plain, ...change } as unknown as ClearKycRequest, ['gambling'])).toBe(true);
    }
    expect(
      ['900', '901', '902', '903'].map((start) =>
        sandboxOutcome({ country: 'BRA', document: 'cpf', number: start.padEnd(11, '0') }),
      ),
    ).toEqual(['approve', 'reject', 'ask-information', null]);
    expect(sandboxOutcome({ country: 'USA', document: 'passport', number: '90012345' })).toBeNull();
  });
});

describe('a reservation', () => {
  const claim = (claimId: string, holder = 'r'): ReservationCommand => ({
    kind: 'claim',
    reservationId: 'w',
    of: 'wallet',
    address: '0x1',
    holderOf: (attempt) => ({ holderId: `${holder}${attempt}`, accountId: 'a' }),
    claimId,
    at: AT,
  });
  const on = (...commands: ReservationCommand[]) =>
    commands.reduce(
      ({ past }, command) => {
        const decided = reservation.decide(command, past.reduce(reservation.evolve, reservation.initial));
        return { past: [...past, ...decided], decided: decided.map(({ type }) => type) };
      },
      { past: [] as contracts.ReservationEvent[], decided: [] as string[] },
    );
  const state = (...commands: ReservationCommand[]) =>
    on(...commands).past.reduce(reservation.evolve, reservation.initial);

  it('has one holder; posts of the holder share it, and it is free when the last of them lets go', () => {
    expect(state(claim('1'), claim('2'))).toMatchObject({ status: 'reserved', holderId: 'r1', claims: ['1', '2'] });
    expect(on(claim('1'), claim('1')).decided).toEqual([]);
    expect(on(claim('1'), claim('x', 'other')).decided).toEqual([]);
    const release = (claimId: string): ReservationCommand => ({ kind: 'release-claim', claimId, at: AT });
    expect(state(claim('1'), claim('2'), release('1'))).toMatchObject({ status: 'reserved', claims: ['2'] });
    expect(state(claim('1'), claim('2'), release('1'), release('2'))).toEqual({ status: 'released', attempt: 1 });
    expect(on(claim('1'), release('2')).decided).toEqual([]);
  });

  it('is free when its holder ends, although others claimed it; the next holder is another attempt', () => {
    const free = (holderId: string): ReservationCommand => ({ kind: 'free', holderId, at: AT });
    expect(state(claim('1'), claim('2'), free('r1'))).toEqual({ status: 'released', attempt: 1 });
    expect(state(claim('1'), free('r1'), claim('3'))).toMatchObject({ holderId: 'r2', attempt: 2 });
    expect(on(claim('1'), free('unknown')).decided).toEqual([]);
    expect(on(claim('1'), free('r1'), free('r1')).decided).toEqual([]);
  });
});
