import type { AccountRequestEvent, ScreeningHit, Timestamp } from '@ponte/contracts';
import { ScreeningRepeated } from '@ponte/contracts';
import type { OpenRequest } from '../account-request/account-request.state';
import { findHit, hitsOf, isSameContent, openHits, verdictOf } from '../account-request/findings.domain';
import { subject } from '../account-request/moves.domain';
import type { Person } from '../account-request/screening.domain';
import { peopleOf, resultOf } from '../account-request/screening.domain';
import type { FoundMatch } from '../screening/shown-matches.domain';
import { shownMatches } from '../screening/shown-matches.domain';

/** Another screening of a pending request found hits on one person, known and new ones. */
export interface RepeatScreening {
  readonly kind: 'repeat-screening';
  readonly person: Person;
  readonly hits: readonly ScreeningHit[];
  readonly listsVersion: string;
  readonly at: Timestamp;
}

type FoundHit = Pick<ScreeningHit, 'list' | 'entryId' | 'score' | 'entryVersion'>;

/**
 * Whether the request can get further hits: it is pending, and its round has all its results. Otherwise its people are
 * screened soon anyway, or the request has ended.
 */
export const isScreened = (state: OpenRequest): boolean =>
  state.status === 'pending' && state.round > 0 && peopleOf(state).every((person) => resultOf(state, person));

/**
 * The hits that are not known. A hit is known if the person has one on the same entry that waits for a verdict, that is
 * a true match, or that is a false positive of the same content.
 */
export function newHits<F extends FoundHit>(state: OpenRequest, person: Person, found: readonly F[]): readonly F[] {
  const ofPerson = hitsOf(state).filter((hit) => hit.person === person);
  return found.filter((hit) => {
    const known = ofPerson.find(({ list, entryId }) => list === hit.list && entryId === hit.entryId);
    return known === undefined || (verdictOf(state, known)?.verdict === 'false-positive' && !isSameContent(known, hit));
  });
}

/** The new matches that are shown now, see {@link shownMatches}. `cleared`: false positives of other cases. */
export const newMatches = (
  state: OpenRequest,
  person: Person,
  matches: readonly FoundMatch[],
  cleared: readonly ScreeningHit[],
): readonly FoundMatch[] => {
  const open = openHits(state).filter((hit) => hit.person === person);
  // Staff may already know that more entries match.
  return newHits(state, person, shownMatches(newHits(state, person, matches), { open, cleared }));
};

/** The hits of other cases of the person on entries on which this request has no hit. */
export const unknownHits = (
  state: OpenRequest,
  person: Person,
  hits: readonly ScreeningHit[],
): readonly ScreeningHit[] => hits.filter(({ list, entryId }) => !findHit(state, { person, list, entryId }));

/** Records only the new hits; nothing if there are none. */
export function repeatScreening(
  { person, hits, listsVersion, at }: RepeatScreening,
  state: OpenRequest,
): AccountRequestEvent[] {
  if (!isScreened(state) || !peopleOf(state).includes(person)) return [];
  const found = newHits(state, person, hits);
  if (found.length === 0) return [];
  return [
    new ScreeningRepeated({
      ...subject(state),
      round: state.round,
      person,
      hits: found,
      listsVersion,
      recordedAt: at,
    }),
  ];
}
