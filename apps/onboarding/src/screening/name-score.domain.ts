import type { ComparableName } from './comparable-name.domain';
import { WORDS_IN_COMMON } from './comparable-name.domain';
import type { Similarity } from './words/similarity.domain';
import { MIN_SIMILARITY } from './words/similarity.domain';

/** Matching words of the two names. */
interface WordPair {
  readonly searched: string;
  readonly listed: string;
  readonly similarity: number;
}

export interface NameScore {
  /** 0 to 1. */
  readonly score: number;
  /** Computed only for matches that are shown to a reviewer. */
  readonly pairs: () => readonly WordPair[];
  /**
   * True if one of the names has only one distinctive word, which is not enough without a birth date, unless both names
   * have more words and all of them match (Ben Carson).
   */
  readonly single: boolean;
}

/**
 * Weight of particles and initials. They distinguish names only a little. Where the other name lacks them they do not
 * count, so `Ana de Souza` and `Ana Souza` do not differ.
 */
const SMALL_WEIGHT = 0.3;
/**
 * Weight of the shorter name. It must be found in the longer one. What the longer name has in addition (a middle name)
 * counts less, and costs at most half of the longer name's share.
 */
const SHORTER_SHARE = 0.7;
const MIN_LONGER_SHARE = 0.5;
const AN_INITIAL = 0.85;
/** Two words match one joined word only if the letters agree at least this well. */
const MIN_JOINED = 0.93;

interface Match {
  readonly searched: readonly number[];
  readonly listed: readonly number[];
  readonly similarity: number;
}

/** Pairs the words of both names in any order, best pairs first. Undefined if they have too little in common. */
export function compareNames(
  searched: ComparableName,
  listed: ComparableName,
  similarity: Similarity,
): NameScore | undefined {
  const matches = matchWords(searched, listed, similarity);
  const repeated = repeatedByBoth(matches, searched, listed);
  const telling = matches.reduce(
    (sum, match) => sum + Math.max(count(match.searched, searched.telling), count(match.listed, listed.telling)),
    repeated,
  );
  const oneWord = Math.min(searched.tellingWords, listed.tellingWords) + repeated < WORDS_IN_COMMON;
  if (telling < (oneWord ? 1 : WORDS_IN_COMMON)) return undefined;
  const a = coverage(
    searched,
    matches.map((match) => [match.searched, match.similarity]),
  );
  const b = coverage(
    listed,
    matches.map((match) => [match.listed, match.similarity]),
  );
  const [shorter, longer] = a.weight <= b.weight ? [a, b] : [b, a];
  return {
    score: SHORTER_SHARE * shorter.share + (1 - SHORTER_SHARE) * Math.max(longer.share, MIN_LONGER_SHARE),
    pairs: () => matches.map((match) => pairOf(searched, listed, match)),
    single: oneWord && !isWhole(matches, searched, listed),
  };
}

/** How many words both names repeat. A repetition in both is distinctive (Saeed Saeed, Saeed Saeed Anwar). */
function repeatedByBoth(matches: readonly Match[], searched: ComparableName, listed: ComparableName): number {
  const isRepetition = ({ words, telling }: ComparableName, [at = 0]: readonly number[]): boolean => {
    const first = words.indexOf(words[at] ?? '');
    return first < at && telling[first] === true;
  };
  return matches.filter((match) => isRepetition(searched, match.searched) && isRepetition(listed, match.listed)).length;
}

/** Whether both names have more than one word, and every word of both has a match that is more than an initial. */
function isWhole(matches: readonly Match[], searched: ComparableName, listed: ComparableName): boolean {
  const matched = (words: readonly string[], indices: readonly (readonly number[])[]): boolean =>
    words.length >= WORDS_IN_COMMON && indices.flat().length === words.length && words.every((word) => word.length > 1);
  return (
    matched(
      searched.words,
      matches.map((match) => match.searched),
    ) &&
    matched(
      listed.words,
      matches.map((match) => match.listed),
    )
  );
}

function matchWords(searched: ComparableName, listed: ComparableName, similarity: Similarity): readonly Match[] {
  const possible = similarPairs(
    searched.words,
    listed.words,
    (a, b) => likeness(a, b, similarity),
    MIN_SIMILARITY,
    1,
    1,
  );
  const wordByWord = bestOf(possible);
  if (wordByWord.length === Math.min(searched.words.length, listed.words.length)) return wordByWord;
  const oneForTwo = similarPairs(searched.words, listed.joined, similarity, MIN_JOINED, 1, 2);
  const twoForOne = similarPairs(searched.joined, listed.words, similarity, MIN_JOINED, 2, 1);
  return bestOf([...possible, ...oneForTwo, ...twoForOne]);
}

/** Every pair that is similar enough. `askedSize` and `listedSize`: the number of words per text of each side. */
function similarPairs(
  searched: readonly string[],
  listed: readonly string[],
  similarity: Similarity,
  least: number,
  askedSize: 1 | 2,
  listedSize: 1 | 2,
): Match[] {
  const found: Match[] = [];
  for (const [i, word] of searched.entries()) {
    for (const [j, other] of listed.entries()) {
      const value = similarity(word, other);
      if (value >= least)
        found.push({
          searched: askedSize === 1 ? [i] : [i, i + 1],
          listed: listedSize === 1 ? [j] : [j, j + 1],
          similarity: value,
        });
    }
  }
  return found;
}

/** The most similar pairs first, using each word once. Single-word pairs win over joined ones. */
function bestOf(possible: readonly Match[]): readonly Match[] {
  const usedAsked = new Set<number>();
  const usedListed = new Set<number>();
  const size = ({ searched, listed }: Match): number => searched.length + listed.length;
  return [...possible]
    .sort((a, b) => b.similarity - a.similarity || size(a) - size(b))
    .filter(({ searched, listed }) => {
      if (searched.some((i) => usedAsked.has(i)) || listed.some((j) => usedListed.has(j))) return false;
      for (const i of searched) usedAsked.add(i);
      for (const j of listed) usedListed.add(j);
      return true;
    });
}

/** An initial matches any word that starts with it. */
function likeness(a: string, b: string, similarity: Similarity): number {
  if (a.length === 1 || b.length === 1) return a === b ? 1 : a.charAt(0) === b.charAt(0) ? AN_INITIAL : 0;
  return similarity(a, b);
}

const count = (indices: readonly number[], telling: readonly boolean[]): number =>
  indices.filter((i) => telling[i]).length;

/** The share of a name that was found in the other. */
function coverage(
  { telling }: ComparableName,
  covered: readonly (readonly [readonly number[], number])[],
): { weight: number; share: number } {
  const small = covered.reduce((sum, [indices]) => sum + indices.filter((i) => !telling[i]).length, 0);
  const weight = telling.filter(Boolean).length + small * SMALL_WEIGHT;
  const found = covered.reduce(
    (sum, [indices, by]) => sum + by * indices.reduce((part, i) => part + (telling[i] ? 1 : SMALL_WEIGHT), 0),
    0,
  );
  return { weight, share: found / weight };
}

const pairOf = (searched: ComparableName, listed: ComparableName, match: Match): WordPair => ({
  searched: match.searched.map((i) => searched.tokens[i]).join('+'),
  listed: match.listed.map((j) => listed.tokens[j]).join('+'),
  similarity: match.similarity,
});
