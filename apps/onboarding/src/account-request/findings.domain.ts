import type {
  DuplicatesFound,
  HitVerdict,
  ReviewCause,
  ScreeningHit,
  ScreeningHitJudged,
  ScreeningRecorded,
} from '@ponte/contracts';
import { addSeconds } from '@ponte/kernel';
import type { OpenRequest } from './account-request.state';

/** A hit on a list, and the person of the request that it is about. */
export interface Hit extends ScreeningHit {
  readonly person: ScreeningRecorded['data']['person'];
}

type HitKey = Pick<Hit, 'person' | 'list' | 'entryId'>;
type Screened = Pick<OpenRequest, 'screening'>;
type Judged = Pick<OpenRequest, 'screening' | 'verdicts'>;

type Content = Pick<ScreeningHit, 'score' | 'entryVersion'>;

const isSameEntry = (a: HitKey, b: HitKey): boolean =>
  a.person === b.person && a.list === b.list && a.entryId === b.entryId;

/** Every entry that any round found, once, as found by the latest round. */
export function hitsOf({ screening }: Screened): Hit[] {
  const all = screening.flatMap(({ person, hits }) => hits.map((hit): Hit => ({ ...hit, person })));
  return all.filter((hit, at) => all.findLastIndex((other) => isSameEntry(hit, other)) === at);
}

export const findHit = (state: Screened, key: HitKey): Hit | undefined =>
  hitsOf(state).find((hit) => isSameEntry(hit, key));

/** Hits of vendors and of earlier releases have no version, so these count as the same version as any other. */
const isSameVersion = (a: Content, b: Content): boolean =>
  a.entryVersion === undefined || b.entryVersion === undefined || a.entryVersion === b.entryVersion;

/**
 * Whether two hits on one entry rest on the same content: on the versions of the entry, or on the scores if a version
 * is not known.
 */
export const isSameContent = (a: Content, b: Content): boolean =>
  a.entryVersion === undefined || b.entryVersion === undefined ? a.score === b.score : isSameVersion(a, b);

/**
 * The verdict that counts for a hit. A true match is permanent; a false positive counts only while the score and the
 * content of the entry are unchanged.
 */
export function verdictOf(
  { verdicts }: Pick<OpenRequest, 'verdicts'>,
  hit: HitKey & Content,
): ScreeningHitJudged['data'] | undefined {
  const ofEntry = verdicts.filter((one) => isSameEntry(one, hit));
  return (
    ofEntry.find(({ verdict }) => verdict === 'true-match') ??
    ofEntry.findLast((one) => one.score === hit.score && isSameVersion(one, hit))
  );
}

const hitsWith = (state: Judged, verdict: HitVerdict | undefined): Hit[] =>
  hitsOf(state).filter((hit) => verdictOf(state, hit)?.verdict === verdict);

/** Hits without a verdict. */
export const openHits = (state: Judged): Hit[] => hitsWith(state, undefined);

export const hasTrueMatch = (state: Judged): boolean => hitsWith(state, 'true-match').length > 0;

/** The liveness outcome of the session that the request currently names. */
export function livenessOf({
  parts,
  liveness,
}: Pick<OpenRequest, 'parts' | 'liveness'>): 'passed' | 'failed' | 'pending' | 'not-wanted' {
  return parts.liveness === null ? 'not-wanted' : (liveness[parts.liveness.fingerprint]?.outcome ?? 'pending');
}

/** Requests of other people that share a session of this one, as far as this request knows. */
export function sharersOf(
  { liveness, sharedSessions }: Pick<OpenRequest, 'liveness' | 'sharedSessions'>,
  sessionFingerprint: string,
): readonly string[] {
  return [
    ...new Set([...(liveness[sessionFingerprint]?.sharedWith ?? []), ...(sharedSessions[sessionFingerprint] ?? [])]),
  ];
}

/** A session shows one living person. If another person's request also names it, it proves nothing about this one. */
export const isLivenessShared = (state: Pick<OpenRequest, 'parts' | 'liveness' | 'sharedSessions'>): boolean =>
  state.parts.liveness !== null && sharersOf(state, state.parts.liveness.fingerprint).length > 0;

/** The greatest age of a session when a request names it. An older one says nothing about who makes this request. */
const LIVENESS_HOURS = 24;

/** Whether the session that the request names now was decided too long before the request named it. */
export function isLivenessStale({
  parts,
  liveness,
  livenessNamedAt,
}: Pick<OpenRequest, 'parts' | 'liveness' | 'livenessNamedAt'>): boolean {
  const result = parts.liveness === null ? undefined : liveness[parts.liveness.fingerprint];
  return (
    result !== undefined &&
    result.outcome !== 'pending' &&
    result.decidedAt < addSeconds(livenessNamedAt, -LIVENESS_HOURS * 3600)
  );
}

type Doubtful = Pick<OpenRequest, 'liveness' | 'hasFailedLiveness' | 'sharedSessions'>;

/** Whether any session that the request ever named failed or is shared, even if a later session or result passed. */
const hasDoubtfulLiveness = (state: Doubtful): boolean =>
  state.hasFailedLiveness ||
  Object.values(state.liveness).some(({ sharedWith = [] }) => sharedWith.length > 0) ||
  Object.values(state.sharedSessions).some((sharers) => sharers.length > 0);

type Stopped = Pick<OpenRequest, 'screening' | 'stoppedAccounts'>;

/** The accounts of the people of the request that were stopped, as any round or a later look found. */
export const stoppedAccountsOf = ({ screening, stoppedAccounts: later = [] }: Stopped): readonly string[] => [
  ...screening.flatMap(({ stoppedAccounts = [] }) => stoppedAccounts),
  ...later,
];

/** The state with further stopped accounts of the people of the request. */
export const withStoppedAccounts = (state: OpenRequest, found: readonly string[]): OpenRequest => ({
  ...state,
  stoppedAccounts: [...(state.stoppedAccounts ?? []), ...found],
});

export const hasStoppedAccount = (state: Stopped): boolean => stoppedAccountsOf(state).length > 0;

/** Whether screening or liveness found something that two approvers have to review. */
export const hasFindings = (state: Stopped & Doubtful): boolean =>
  state.screening.some(({ hits }) => hits.length > 0) || hasStoppedAccount(state) || hasDoubtfulLiveness(state);

const duplicateKey = (kind: string, requestId: string): string => `${kind} ${requestId}`;

/** Whether the case has shown that the other request has the same data of this kind. */
export const isKnownDuplicate = (
  { duplicates }: Pick<OpenRequest, 'duplicates'>,
  kind: string,
  requestId: string,
): boolean => duplicates.includes(duplicateKey(kind, requestId));

/** The duplicates that the case has shown, after the event. */
export const withDuplicates = (
  { duplicates }: Pick<OpenRequest, 'duplicates'>,
  found: DuplicatesFound['data']['duplicates'],
): readonly string[] => [
  ...duplicates,
  ...found.flatMap(({ kind, requestIds }) => requestIds.map((id) => duplicateKey(kind, id))),
];

/** The causes of a review with more of them. With another cause, the review is no longer a standard one. */
export const withCauses = (causes: readonly ReviewCause[], ...more: ReviewCause[]): ReviewCause[] => [
  ...new Set([...causes.filter((cause) => cause !== 'standard'), ...more]),
];
