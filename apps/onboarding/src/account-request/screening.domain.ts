import type {
  AccountRequestEvent,
  LivenessRecorded,
  ReviewCause,
  ScreeningHit,
  ScreeningRecorded,
  Timestamp,
} from '@ponte/contracts';
import {
  LivenessRecorded as Liveness,
  LivenessShared,
  ReviewRequested,
  ScreeningRecorded as Recorded,
  ScreeningStarted,
} from '@ponte/contracts';
import { approve, askInformation, reject } from './ending.domain';
import {
  hasFindings,
  hasStoppedAccount,
  isLivenessStale,
  isLivenessShared,
  livenessOf,
  sharersOf,
} from './findings.domain';
import { needsTwoApprovers } from './four-eyes.domain';
import { fold, moveStage, subject } from './moves.domain';
import { usualItem } from './parts.domain';
import { isNewWord } from '../liveness/liveness-words.domain';
import type { OpenRequest } from './account-request.state';

export type Person = 'holder' | 'representative';

export interface RecordScreening {
  readonly kind: 'record-screening';
  readonly round: number;
  readonly person: Person;
  readonly hits: readonly ScreeningHit[];
  /** Accounts of the person that were stopped. */
  readonly stoppedAccounts?: readonly string[];
  readonly at: Timestamp;
}
/** Requests of other people that name a session of this one. */
export interface NoteSharedLiveness {
  readonly kind: 'note-shared-liveness';
  readonly sessionFingerprint: string;
  readonly sharedWith: readonly string[];
  readonly at: Timestamp;
}
export interface RecordLiveness {
  readonly kind: 'record-liveness';
  readonly sessionFingerprint: string;
  readonly provider: string;
  readonly providerEventId: string;
  readonly outcome: LivenessRecorded['data']['outcome'];
  readonly decidedAt: Timestamp;
  /** Requests of other people that name the session. */
  readonly sharedWith: readonly string[];
  readonly at: Timestamp;
}

/** The people to screen. A reliance request has only a number, and the partner has screened the person. */
export const peopleOf = ({ terms: { details } }: OpenRequest): readonly Person[] =>
  details.mode === 'kyc' && details.representative ? ['holder', 'representative'] : ['holder'];

/** Starts the first screening round of a request; nothing if it has started. */
export function startScreening(state: OpenRequest, at: Timestamp): AccountRequestEvent[] {
  if (state.status !== 'pending' || state.stage !== 'received') return [];
  return [started(state, at)];
}

/** Starts a new screening round, even after information arrived: everything is screened again. */
export function started(state: OpenRequest, at: Timestamp): ScreeningStarted {
  moveStage(state, 'screening');
  return new ScreeningStarted({ ...subject(state), round: state.round + 1, startedAt: at });
}

/** Ignores a result of another round, or of a person who already has a result. */
export function recordScreening(
  { round, person, hits, stoppedAccounts = [], at }: RecordScreening,
  state: OpenRequest,
): AccountRequestEvent[] {
  if (
    state.stage !== 'screening' ||
    round !== state.round ||
    resultOf(state, person) ||
    !peopleOf(state).includes(person)
  )
    return [];
  const stopped = stoppedAccounts.length > 0 ? { stoppedAccounts } : {};
  const result = new Recorded({ ...subject(state), round, person, hits, ...stopped, recordedAt: at });
  return [result, ...conclusion(fold(state, result), at)];
}

/** Records what the provider said about a session, unless the request knows it or it no longer matters. */
export function recordLiveness(command: RecordLiveness, state: OpenRequest): AccountRequestEvent[] {
  const { sessionFingerprint, provider, providerEventId, outcome, decidedAt, sharedWith, at } = command;
  const known = state.liveness[sessionFingerprint];
  const isNews = isNewWord({ providerEventId, outcome, decidedAt }, known, state.hasFailedLiveness);
  if (!isNews || state.status !== 'pending') return [];
  const shared = sharedWith.length > 0 ? { sharedWith } : {};
  const word = new Liveness({
    ...subject(state),
    sessionFingerprint,
    provider,
    providerEventId,
    outcome,
    decidedAt,
    ...shared,
  });
  return [word, ...conclusion(fold(state, word), at)];
}

/**
 * Another person's request names a session of this one. From then on two approvers decide, and earlier approvals no
 * longer count.
 */
export function noteSharedLiveness(
  { sessionFingerprint, sharedWith, at }: NoteSharedLiveness,
  state: OpenRequest,
): AccountRequestEvent[] {
  const known = sharersOf(state, sessionFingerprint);
  if (state.status !== 'pending' || sharedWith.every((id) => known.includes(id))) return [];
  return [new LivenessShared({ ...subject(state), sessionFingerprint, sharedWith, noticedAt: at })];
}

/** The provider has not decided for too long, so staff review the request. */
export function giveUpWaiting(state: OpenRequest, at: Timestamp): AccountRequestEvent[] {
  if (
    state.stage !== 'screening' ||
    peopleOf(state).some((person) => !resultOf(state, person)) ||
    livenessOf(state) !== 'pending'
  )
    return [];
  return [review(state, ['liveness-pending'], at)];
}

/** The result of the current screening round for the person; undefined before it has arrived. */
export const resultOf = (state: OpenRequest, person: Person): ScreeningRecorded['data'] | undefined =>
  state.screening.find((one) => one.round === state.round && one.person === person);

function causesOf(state: OpenRequest): ReviewCause[] {
  return [
    ...(state.screening.some((one) => one.round === state.round && one.hits.length > 0)
      ? ['screening-hit' as const]
      : []),
    ...(livenessOf(state) === 'failed' ? ['liveness-failed' as const] : []),
    ...(isLivenessShared(state) ? ['liveness-shared' as const] : []),
    ...(isLivenessStale(state) ? ['liveness-old' as const] : []),
    ...(hasStoppedAccount(state) ? ['account-stopped' as const] : []),
    ...(state.round > 1 ? ['information-provided' as const] : []),
    ...(needsTwoApprovers(state) ? ['four-eyes' as const] : []),
  ];
}

/**
 * What follows once all results are known. A sandbox CPF with a fixed outcome gets it whatever else is known, so it
 * does not wait for liveness. Requests in production have no fixed outcome.
 */
function conclusion(state: OpenRequest, at: Timestamp): AccountRequestEvent[] {
  if (state.stage !== 'screening' || peopleOf(state).some((person) => !resultOf(state, person))) return [];
  const { mode, sandboxOutcome } = state.terms;
  const outcome = state.round === 1 ? sandboxOutcome : null;
  const byNobody = { staffId: null, note: null, at };
  switch (outcome) {
    case 'approve':
      return approve(state, 'sandbox-outcome', byNobody);
    case 'reject':
      return reject(state, { ...byNobody, reason: 'risk-appetite' });
    case 'ask-information':
      return askInformation(state, { ...byNobody, items: [usualItem(state)], issues: ['document-quality'] });
    case null:
      break;
  }
  if (livenessOf(state) === 'pending') return [];
  if (mode === 'reliance' && state.round === 1 && !hasFindings(state) && !needsTwoApprovers(state))
    return approve(state, 'rules', byNobody);
  return [review(state, [], at)];
}

/** The request comes to review, for these causes and for those of its state there. */
function review(before: OpenRequest, more: readonly ReviewCause[], at: Timestamp): ReviewRequested {
  moveStage(before, 'manual-review');
  const state: OpenRequest = { ...before, stage: 'manual-review' };
  const { rewardTier } = state.terms;
  const causes = [...more, ...causesOf(state)];
  return new ReviewRequested({
    ...subject(state),
    causes: causes.length === 0 ? ['standard'] : causes,
    fourEyes: needsTwoApprovers(state),
    rewardTier,
    requestedAt: at,
  });
}
