/** Requests with findings, and the decisions of staff about them. */
import type { AccountRequestEvent, StaffActor } from '@ponte/contracts';
import * as contracts from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import type { Refusal } from '@ponte/kernel';
import type { AccountRequestCommand } from '../account-request/account-request.decider';
import { accountRequest } from '../account-request/account-request.decider';
import type { OpenRequest } from '../account-request/account-request.state';
import { caseVersion } from '../review/case-changes.domain';

export const AT = '2026-11-21T12:00:00.000Z';

export const sealed = 'sealed:v1:p:x' as const;

export const about = { requestId: 'r', accountId: 'a', parentId: 'p' };

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

export const reliance = (change: Partial<contracts.AccountRequested['data']> = {}) =>
  new contracts.AccountRequested({
    ...terms,
    mode: 'reliance',
    details: { mode: 'reliance', taxDocumentType: 'cpf', kycAttestationId: sealed, holder: identity },
    ...change,
  });

export const kyc = (change: Partial<contracts.AccountRequested['data']> = {}) =>
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

export const screening = (round = 1) => new contracts.ScreeningStarted({ ...about, round, startedAt: AT });

export const hit = { list: 'un-consolidated', entryId: 'QDi.001', score: 100, match: sealed };

export const screened = (hits: contracts.ScreeningHit[] = [], round = 1) =>
  new contracts.ScreeningRecorded({ ...about, round, person: 'holder', hits, recordedAt: AT });

export const liveness = (outcome: 'passed' | 'failed', sharedWith?: string[]) =>
  new contracts.LivenessRecorded({
    ...about,
    sessionFingerprint: 'l',
    provider: 'p',
    providerEventId: 'w',
    outcome,
    decidedAt: AT,
    ...(sharedWith && { sharedWith }),
  });

export const review = (causes: contracts.ReviewCause[] = ['screening-hit', 'four-eyes']) =>
  new contracts.ReviewRequested({ ...about, causes, fourEyes: true, rewardTier: 90, requestedAt: AT });

export const verdict = (word: contracts.HitVerdict, of = hit) =>
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

export const approval = (staffId: string) =>
  new contracts.ReviewDecided({ ...about, decision: 'approve', final: false, staffId, note: null, decidedAt: AT });

export const analyst: StaffActor = { staffId: 'analyst', roles: ['compliance-analyst'] };

export const approver = (staffId: string): StaffActor => ({ staffId, roles: ['compliance-approver'] });

/** Stands for the version that the case has by now. */
export const CURRENT = -1;

/** An approval of the case as it is by now, unless another version was read. */
export const approve = (staff: StaffActor, sharedWith: string[] = [], version = CURRENT): AccountRequestCommand => ({
  kind: 'review',
  command: {
    ...{ kind: 'approve', staff, version, note: null, at: AT },
    found: { liveness: { sessionFingerprint: 'l', sharedWith }, duplicates: [], stopped: [] },
  },
});

export const judge = (word: contracts.HitVerdict, staff = analyst, entryId = hit.entryId): AccountRequestCommand => ({
  kind: 'review',
  command: {
    kind: 'judge-hit',
    staff,
    person: 'holder',
    list: hit.list,
    entryId,
    score: hit.score,
    verdict: word,
    reason: 'other',
    note: null,
    at: AT,
  },
});

export const inSandbox: AccountRequestCommand = {
  kind: 'decide-in-sandbox',
  command: { decision: 'approve', reason: null, items: [] },
  at: AT,
};

export const record = (hits: contracts.ScreeningHit[]): AccountRequestCommand => ({
  kind: 'record-screening',
  round: 1,
  person: 'holder',
  hits,
  at: AT,
});

/** The command about a request with this history. */
export function given(...past: AccountRequestEvent[]) {
  const on = scenario(accountRequest).given(...past);
  const state = () => on.state() as OpenRequest;
  const withCurrentVersion = (command: AccountRequestCommand): AccountRequestCommand =>
    command.kind === 'review' && 'version' in command.command && command.command.version === CURRENT
      ? { kind: 'review', command: { ...command.command, version: caseVersion(state()) } }
      : command;
  const refusal = (command: AccountRequestCommand) => on.when(withCurrentVersion(command)).refusal() as Refusal;
  return {
    events: (command: AccountRequestCommand) => on.when(withCurrentVersion(command)).events(),
    types: (command: AccountRequestCommand) =>
      on
        .when(withCurrentVersion(command))
        .events()
        .map(({ type }) => type),
    code: (command: AccountRequestCommand) => refusal(command).code,
    message: (command: AccountRequestCommand) => refusal(command).message,
    state,
  };
}

export const APPROVED = ['ReviewDecided', 'AccountRequestApproved'];
