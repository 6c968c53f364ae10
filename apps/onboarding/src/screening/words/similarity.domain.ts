import { editDistance } from '@ponte/kernel';
import { skeletons } from './sounds.domain';

/** Winkler's bonus: with a common start of up to four letters, a misspelling is more likely than another word. */
const PREFIX_BONUS = 0.1;
const MAX_PREFIX = 4;
/** Below this similarity, two words count as different. */
export const MIN_SIMILARITY = 0.83;
/** Words with the same consonants are transliterations of each other if at least this share of letters agrees. */
const MIN_LETTERS = 0.68;
const SAME_CONSONANTS = 0.9;
const TELLING_SKELETON = 3;
/** In words of so many letters, a changed letter weighs too much, unless the consonants are still the same. */
const SHORT_WORD = 4;

/** Jaro similarity of the letters, raised for a common prefix: 0 to 1. */
export function jaroWinkler(a: string, b: string): number {
  if (a === b) return 1;
  const reach = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1);
  const taken = new Array<boolean>(b.length).fill(false);
  const common: number[] = [];
  for (let i = 0; i < a.length; i++) {
    for (let j = Math.max(0, i - reach); j <= Math.min(b.length - 1, i + reach); j++) {
      if (taken[j] || a[i] !== b[j]) continue;
      taken[j] = true;
      common.push(i);
      break;
    }
  }
  if (common.length === 0) return 0;
  const other = Array.from({ length: b.length }, (_, j) => j).filter((j) => taken[j]);
  const swapped = common.filter((i, k) => a[i] !== b[other[k] as number]).length / 2;
  const jaro = (common.length / a.length + common.length / b.length + (common.length - swapped) / common.length) / 3;
  let prefix = 0;
  while (prefix < Math.min(MAX_PREFIX, a.length, b.length) && a[prefix] === b[prefix]) prefix += 1;
  return jaro + prefix * PREFIX_BONUS * (1 - jaro);
}

/**
 * The similarity of two {@link sounded} words, 0 to 1: the mean of Jaro-Winkler (which tolerates different endings) and
 * the share of unchanged letters (which does not). 0 below {@link MIN_SIMILARITY}. Words with the same three or more
 * consonants get at least 0.9 if the vowels roughly agree, and words of four letters with one changed letter and the
 * same consonants just enough to count.
 */
function similarity(a: string, b: string): number {
  if (a === b) return 1;
  const letters = jaroWinkler(a, b);
  const own = skeletons(a);
  const sameConsonants =
    letters >= MIN_LETTERS &&
    skeletons(b).some((skeleton) => skeleton.length >= TELLING_SKELETON && own.includes(skeleton));
  if (!sameConsonants && isShortVariant(a, b, own)) return MIN_SIMILARITY;
  // A lower bound on the changes. Most pairs are far apart, so the costlier edit distance is not needed for them.
  const leastChanges = a.length === b.length ? 1 : Math.abs(a.length - b.length);
  if (!sameConsonants && meanOf(letters, leastChanges, a, b) < MIN_SIMILARITY) return 0;
  const mean = meanOf(letters, editDistance(a, b), a, b);
  const best = sameConsonants ? Math.max(mean, SAME_CONSONANTS) : mean;
  return best < MIN_SIMILARITY ? 0 : best;
}

/** Whether two words of four letters differ in one letter that does not change the consonants: saif and seif. */
function isShortVariant(a: string, b: string, own: readonly string[]): boolean {
  if (a.length !== SHORT_WORD || b.length !== SHORT_WORD) return false;
  const changed = Array.from(a).filter((letter, i) => letter !== b[i]).length;
  return changed === 1 && skeletons(b).some((skeleton) => own.includes(skeleton));
}

const meanOf = (letters: number, changes: number, a: string, b: string): number =>
  (letters + 1 - changes / Math.max(a.length, b.length)) / 2;

export type Similarity = (a: string, b: string) => number;

/** {@link similarity} that computes each pair only once, because the names of a list share their words. */
export function rememberedSimilarity(): Similarity {
  const known = new Map<string, Map<string, number>>();
  return (a, b) => {
    let row = known.get(a);
    if (!row) known.set(a, (row = new Map()));
    let value = row.get(b);
    if (value === undefined) row.set(b, (value = similarity(a, b)));
    return value;
  };
}
