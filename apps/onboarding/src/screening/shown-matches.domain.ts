import type { ScreeningHit } from '@ponte/contracts';
import { isSameContent } from '../account-request/findings.domain';
import { MAX_MATCHES } from './match-people.domain';
import { MORE_MATCHES_LIST } from './own-lists.domain';

/** How many hits of one list wait for a verdict at once. Reviewers would not read more. */
export const MAX_OPEN_HITS = 25;
/** How many hits are added at once, of all lists together. They are recorded in one event, whose size is limited. */
export const MAX_NEW_HITS = 100;

/** The finding is about the list, so it has no degree. A verdict on it counts while more entries match. */
const SCORE = 100;
const KEPT = MAX_MATCHES.toLocaleString('en');

type Entry = Pick<ScreeningHit, 'list' | 'entryId'>;
type Content = Entry & Pick<ScreeningHit, 'score' | 'entryVersion'>;

/** A hit before what was compared is sealed. */
export type FoundMatch = Content & { readonly matchedOn: string };

interface ShownAlready {
  /** Hits of the case that have no verdict. */
  readonly open: readonly (Entry & Pick<ScreeningHit, 'score'>)[];
  /** Hits on the person in other cases that staff judged false positives. */
  readonly cleared?: readonly Content[];
}

/**
 * Says that a search found more entries of a list than it returns, so that staff do not take its matches for all. It
 * has an entry of its own, because staff may have cleared the hit that says that more entries follow. The entry begins
 * with the name of the list, so that a list of politically exposed people is known.
 */
export const cutSearch = (list: string): FoundMatch => ({
  ...{ list: MORE_MATCHES_LIST, entryId: `${list}-search-limit`, score: SCORE },
  matchedOn:
    `The search found more than ${KEPT} entries of the list ${list}, and returns only the best ${KEPT}. ` +
    'The others are never shown: search for the person at the publisher of the list',
});

/**
 * The new matches of a case, without those that are not shown yet. Of each list, so many are shown that
 * {@link MAX_OPEN_HITS} wait for a verdict, the best ones first, and last those that staff have cleared in other cases
 * of the person. A match is hidden only behind matches that are as good or better, so a better one is always shown. The
 * others are shown by later rounds, as soon as staff have judged the ones before. A match of {@link MORE_MATCHES_LIST}
 * says how many they are; that of a {@link cutSearch} is always shown.
 */
export function shownMatches(
  found: readonly FoundMatch[],
  { open, cleared = [] }: ShownAlready,
): readonly FoundMatch[] {
  const known = new Map(cleared.map((one) => [keyOf(one), one]));
  const isCleared = (match: FoundMatch): boolean => {
    const one = known.get(keyOf(match));
    return one !== undefined && isSameContent(one, match);
  };
  const cut = found.filter(isCutSearch);
  const best = found.filter((one) => !isCutSearch(one)).sort((a, b) => b.score - a.score);
  const ranked = [...best.filter((one) => !isCleared(one)), ...best.filter(isCleared)];
  const added = new Map<string, number>();
  const hidden = new Map<string, number>();
  let total = 0;
  const shown = ranked.filter(({ list, score }) => {
    const own = added.get(list) ?? 0;
    const before = own + open.filter((one) => one.list === list && one.score >= score).length;
    const isShown = before < MAX_OPEN_HITS && total < MAX_NEW_HITS;
    if (isShown) total += 1;
    (isShown ? added : hidden).set(list, ((isShown ? added : hidden).get(list) ?? 0) + 1);
    return isShown;
  });
  const more = [...hidden].slice(0, MAX_NEW_HITS).map(([list, count]) => moreOf(list, count));
  return [...shown, ...more, ...cut];
}

const isCutSearch = ({ list }: Entry): boolean => list === MORE_MATCHES_LIST;

const moreOf = (list: string, count: number): FoundMatch => ({
  ...{ list: MORE_MATCHES_LIST, entryId: list, score: SCORE },
  matchedOn:
    `${count} more entries of the list ${list} matched when this was found. ` +
    'They are shown once the entries before them have a verdict',
});

const keyOf = ({ list, entryId }: Entry): string => JSON.stringify([list, entryId]);
