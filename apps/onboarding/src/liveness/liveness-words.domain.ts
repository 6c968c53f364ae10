import type { LivenessRecorded, Timestamp } from '@ponte/contracts';

type Word = LivenessRecorded['data'];

/**
 * Whether a provider's word about a session is recorded. Words arrive late, repeated and in any order. The provider's
 * own time decides which one is the latest; of two of the same time the failure counts. A final result is never
 * replaced by an earlier or a pending one. The first failure is recorded even if a later result is known, so that the
 * order of arrival never decides whether two approvers do.
 *
 * @param hasFailed whether the request knows of a failure already
 */
export function isNewWord(
  { providerEventId, outcome, decidedAt }: Pick<Word, 'providerEventId' | 'outcome' | 'decidedAt'>,
  known: Word | undefined,
  hasFailed: boolean,
): boolean {
  if (!known) return true;
  if (providerEventId === known.providerEventId || outcome === 'pending' || outcome === known.outcome) return false;
  const isFailure = outcome === 'failed';
  const isLatest = (than: Timestamp): boolean => decidedAt > than || (isFailure && decidedAt === than);
  return known.outcome === 'pending' || isLatest(known.decidedAt) || (isFailure && !hasFailed);
}

/**
 * Whether a word that arrives after the approval is a failure that the approvers did not know of. They knew of it if
 * the session's latest word is a failure, or if it passed after a failure. Only of a request's only session is it known
 * that the failure was its own.
 *
 * @param words the latest word about each session that the request named
 */
export function isLateFailure(
  { sessionFingerprint, outcome, decidedAt }: Pick<Word, 'sessionFingerprint' | 'outcome' | 'decidedAt'>,
  words: Readonly<Record<string, Word>>,
  hasFailed: boolean,
): boolean {
  const known = words[sessionFingerprint];
  if (outcome !== 'failed' || known?.outcome === 'failed') return false;
  const hadFailed = hasFailed && Object.keys(words).length === 1;
  return !(hadFailed && known?.outcome === 'passed' && decidedAt < known.decidedAt);
}

/** The current word about a session: a failure that arrives after a later result leaves that result in place. */
export function latestWord(known: Word | undefined, word: Word): Word {
  if (!known || known.outcome === 'pending' || word.decidedAt >= known.decidedAt) return word;
  const sharedWith = [...new Set([...(known.sharedWith ?? []), ...(word.sharedWith ?? [])])];
  return sharedWith.length > 0 ? { ...known, sharedWith } : known;
}
