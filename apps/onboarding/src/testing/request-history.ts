import type { AccountRequestEvent, StaffActor } from '@ponte/contracts';
import * as contracts from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import type { Refusal } from '@ponte/kernel';
import type { AccountRequestCommand } from '../account-request/account-request.decider';
import { accountRequest } from '../account-request/account-request.decider';
import type { OpenRequest } from '../account-request/account-request.state';

export const AT = '2026-11-21T12:00:00.000Z';
export const DAY = '2026-12-21T12:00:00.000Z';
export const sealed = 'sealed:v1:p:x' as const;
export const about = { requestId: 'r', accountId: 'a', parentId: 'p' };

/** The first event of a request. */
export const requested = (change: Partial<contracts.AccountRequested['data']> = {}) =>
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
export const screening = (round = 1) => new contracts.ScreeningStarted({ ...about, round, startedAt: AT });
export const hit = { list: 'un', entryId: '1', score: 90, match: sealed };
export const screened = (hits: contracts.ScreeningHit[] = [], round = 1) =>
  new contracts.ScreeningRecorded({ ...about, round, person: 'holder', hits, recordedAt: AT });
export const review = (causes: contracts.ReviewCause[] = ['standard']) =>
  new contracts.ReviewRequested({ ...about, causes, fourEyes: false, rewardTier: 90, requestedAt: AT });
export const approved = new contracts.AccountRequestApproved({ ...about, approvedBy: [], approvedAt: AT });
export const cancelled = new contracts.AccountRequestCancelled({ ...about, cancelledAt: AT });
export const analyst: StaffActor = { staffId: 'one', roles: ['compliance-analyst'] };

/** A request with this history: its state, and what a command decides on it. */
export const given = (...past: AccountRequestEvent[]) => ({
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

/** The command that records the hits of a screening. */
export const record = (hits: contracts.ScreeningHit[], round = 1): AccountRequestCommand => ({
  kind: 'record-screening',
  round,
  person: 'holder',
  hits,
  at: AT,
});
