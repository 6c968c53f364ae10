/** A run of three or more pieces of one or two letters. Within one word, only punctuation separates them. */
const PIECES_OF_A_WORD =
  /(?<![\p{L}\p{N}])[\p{L}\p{N}]{1,2}(?:[^\p{L}\p{N}\s]+[\p{L}\p{N}]{1,2}){2,}(?![\p{L}\p{N}])/gu;
const PIECES = /(?<![\p{L}\p{N}])[\p{L}\p{N}]{1,2}(?:[^\p{L}\p{N}]+[\p{L}\p{N}]{1,2}){2,}(?![\p{L}\p{N}])/gu;
const SEPARATORS = /[^\p{L}\p{N}]+/gu;

/** Lengths of the words that are looked for in joined pieces. */
const MIN_WORD_LENGTH = 3;
const MAX_WORD_LENGTH = 16;

/** Joins the separated letters of each word: `k-h-a-l-i-d h.u.s.a.y.n` becomes `khalid husayn`. */
export const joinedPieces = (text: string): string =>
  text.replace(PIECES_OF_A_WORD, (run) => run.replace(SEPARATORS, ''));

/**
 * Joins separated letters even of several words, and divides them into known words: `k h a l i d h u s a y n` becomes
 * `khalid husayn`. What remains between known words stays joined.
 */
export const piecesAsWords = (text: string, isKnown: (word: string) => boolean): string =>
  text.replace(PIECES, (run) => divided(run.replace(SEPARATORS, ''), isKnown).join(' '));

/** The best division of the letters up to a place: few long words rather than many short ones. */
interface Division {
  readonly value: number;
  readonly word: string;
  readonly isKnown: boolean;
  readonly before: Division | undefined;
}

function divided(run: string, isKnown: (word: string) => boolean): readonly string[] {
  const letters = Array.from(run);
  const upTo: Division[] = [{ value: 0, word: '', isKnown: true, before: undefined }];
  for (const [i, letter] of letters.entries()) {
    const last = upTo[i] as Division;
    let best: Division = last.isKnown
      ? { value: last.value, word: letter, isKnown: false, before: last }
      : { ...last, word: last.word + letter };
    for (let start = Math.max(0, i + 1 - MAX_WORD_LENGTH); start <= i + 1 - MIN_WORD_LENGTH; start++) {
      const before = upTo[start] as Division;
      const value = before.value + (i + 1 - start) ** 2;
      const word = letters.slice(start, i + 1).join('');
      if (value > best.value && isKnown(word)) best = { value, word, isKnown: true, before };
    }
    upTo.push(best);
  }
  const words: string[] = [];
  for (let at = upTo.at(-1); at?.before; at = at.before) words.unshift(at.word);
  return words;
}
