import type { Steps } from '@ponte/kernel';
import { canonicalJson, derivedId } from '@ponte/kernel';
import type { BirthVerdict } from './birth-dates.domain';
import { BIRTH_POINTS, compareBirths } from './birth-dates.domain';
import { readingsOf } from './comparable-name.domain';
import type { IndexedName, NameIndex } from './name-index/name-index.domain';
import type { NameScore } from './name-score.domain';
import { compareNames } from './name-score.domain';
import { rememberedSimilarity } from './words/similarity.domain';
import type { NameQuality } from './watch-list.domain';

export interface ScreenedPerson {
  readonly names: readonly string[];
  /** YYYY-MM-DD. */
  readonly dateOfBirth: string | null;
  /** ISO 3166-1 alpha-3. */
  readonly country: string;
}

export interface PersonMatch {
  readonly list: string;
  readonly entryId: string;
  /** 0 to 100. */
  readonly score: number;
  readonly matchedOn: string;
  /** Identifies the content of the entry. */
  readonly entryVersion: string;
}

/** The UN states that its weak aliases do not identify a person on their own. */
const QUALITY_POINTS: Readonly<Record<NameQuality, number>> = { name: 0, alias: 0, 'weak-alias': -10 };
const SAME_COUNTRY_POINTS = 2;
/** What a score can gain beyond the likeness of the names; entries that it cannot help are not unpacked. */
const MAX_POINTS = Math.max(...Object.values(BIRTH_POINTS)) + SAME_COUNTRY_POINTS + 1;
const NAMES_PER_STEP = 50;

/** The most matches of one list, which may have 100,000 people of one name. Staff judge 25 of them at a time. */
export const MAX_MATCHES = 5_000;

/** The matches of a search, best first, and the lists of which it found more than it returns. */
export interface FoundPeople {
  readonly matches: readonly PersonMatch[];
  readonly cutLists: readonly string[];
}

/** The best matches of one list. Those that cannot be among them are dropped from time to time. */
class BestMatches {
  /** Whether any match was dropped. */
  isCut = false;
  private matches = new Map<string, PersonMatch>();

  add(match: PersonMatch): void {
    const known = this.matches.get(match.entryId);
    if (!known || match.score > known.score) this.matches.set(match.entryId, match);
    if (this.matches.size >= 2 * MAX_MATCHES) this.cut();
  }

  /** Drops all others, so `isCut` is final after this. */
  best(): readonly PersonMatch[] {
    if (this.matches.size > MAX_MATCHES) this.cut();
    return [...this.matches.values()];
  }

  private cut(): void {
    this.isCut = true;
    const best = [...this.matches].sort(([, a], [, b]) => byScore(a, b));
    this.matches = new Map(best.slice(0, MAX_MATCHES));
  }
}

const byScore = (a: PersonMatch, b: PersonMatch): number =>
  b.score - a.score || (a.list + a.entryId < b.list + b.entryId ? -1 : 1);

/**
 * The people on the indexed lists who may be the person, best match first: entries whose best name scores `threshold`
 * (0 to 100) or more, at most `MAX_MATCHES` of each list. The score is the similarity of the names times 100, adjusted
 * by birth date, quality of the alias and country.
 */
export function* matchPeople(
  indexes: readonly NameIndex[],
  subject: ScreenedPerson,
  threshold: number,
): Steps<FoundPeople> {
  const found = indexes.map((index) => ({ index, matches: new BestMatches() }));
  const similarity = rememberedSimilarity();
  const readings = [...new Set(subject.names)].flatMap((text) =>
    readingsOf(text, (word) => indexes.some((index) => index.has(word))).map((name) => ({ text, name })),
  );
  for (const { text, name } of readings) {
    for (const { index, matches } of found) {
      for (const [i, at] of (yield* index.candidates(name, similarity)).entries()) {
        if (i % NAMES_PER_STEP === 0) yield;
        const candidate = index.name(at);
        const likeness = compareNames(name, candidate, similarity);
        const match = likeness && matchOf(subject, text, candidate, likeness, threshold);
        if (match) matches.add(match);
      }
    }
  }
  const best = found.flatMap(({ matches }) => matches.best()).sort(byScore);
  return { matches: best, cutLists: found.flatMap(({ index, matches }) => (matches.isCut ? [index.list] : [])) };
}

function matchOf(
  subject: ScreenedPerson,
  text: string,
  { list, entry }: IndexedName,
  likeness: NameScore,
  threshold: number,
): PersonMatch | undefined {
  if (likeness.score * 100 + MAX_POINTS < threshold) return undefined;
  const { person, name } = entry();
  const birth = compareBirths(subject.dateOfBirth, person.births);
  // Many people share a single word with a listed person, so then the birth date has to confirm the match, unless the
  // name is practically identical and the birth date does not differ.
  if (likeness.single && birth !== 'same-day' && !(likeness.score >= 0.99 && birth !== 'differs')) return undefined;
  const sameCountry = person.countries.includes(subject.country);
  const points =
    likeness.score * 100 + BIRTH_POINTS[birth] + QUALITY_POINTS[name.quality] + (sameCountry ? SAME_COUNTRY_POINTS : 0);
  const score = Math.round(Math.min(100, Math.max(0, points)));
  return score < threshold
    ? undefined
    : {
        list,
        entryId: person.entryId,
        entryVersion: derivedId('list-entry', canonicalJson(person)),
        score,
        matchedOn: explain(text, { name, person }, likeness, birth, sameCountry),
      };
}

/** One line for the reviewer: what was compared, and the points for it. */
function explain(
  text: string,
  { name, person }: ReturnType<IndexedName['entry']>,
  { score, pairs }: NameScore,
  birth: BirthVerdict,
  sameCountry: boolean,
): string {
  const words = pairs()
    .map((pair) => `${pair.searched}~${pair.listed} ${percent(pair.similarity)}`)
    .join(', ');
  const births = person.births.map((one) =>
    one.kind === 'exact'
      ? one.date
      : `${one.approximate ? 'about ' : ''}${one.from === one.to ? one.from : `${one.from}-${one.to}`}`,
  );
  return [
    `"${text}" is like the ${name.quality.replace('-', ' ')} "${name.text}": ${percent(score)} (${words})`,
    `birth ${births.length === 0 ? 'not listed' : births.join(' or ')}: ${birth} (${signed(BIRTH_POINTS[birth])})`,
    ...(QUALITY_POINTS[name.quality] === 0 ? [] : [`weak alias (${signed(QUALITY_POINTS[name.quality])})`]),
    ...(person.nationalities.length === 0
      ? []
      : [`nationality ${person.nationalities.join(', ')}${sameCountry ? ` (${signed(SAME_COUNTRY_POINTS)})` : ''}`]),
  ].join('; ');
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const signed = (points: number): string => (points > 0 ? `+${points}` : String(points));
