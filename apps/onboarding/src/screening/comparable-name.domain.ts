import { isInitial, isParticle, latin, nameTokens, wordsOf } from './name-tokens.domain';
import { phoneticForm } from './words/sounds.domain';
import { joinedPieces, piecesAsWords } from './words/spelled-out.domain';

/** Words that two names must share. A single common word may be just a common first name. */
export const WORDS_IN_COMMON = 2;

/** A name prepared for comparison. */
export interface ComparableName {
  /** The words as written, in lower-case Latin letters, to be shown to reviewers. */
  readonly tokens: readonly string[];
  /** The same words after {@link phoneticForm}. */
  readonly words: readonly string[];
  /** Each word joined with the next one. */
  readonly joined: readonly string[];
  /** Whether each word is distinctive: neither an initial, nor a repetition, nor a particle beside other words. */
  readonly telling: readonly boolean[];
  readonly tellingWords: number;
}

export const comparable = (text: string): ComparableName => comparableWords(nameTokens(text));

/**
 * The name as written and, if it has a run of separated letters, also with these joined into words. `isKnown` tells
 * whether a list has the {@link phoneticForm} word.
 */
export function readingsOf(name: string, isKnown: (word: string) => boolean): readonly ComparableName[] {
  const written = latin(name);
  const readings = new Set([
    written,
    joinedPieces(written),
    piecesAsWords(written, (word) => isKnown(phoneticForm(word))),
  ]);
  return [...readings].map((text) => comparableWords(wordsOf(text)));
}

function comparableWords(tokens: readonly string[]): ComparableName {
  const telling = distinctive(tokens);
  return {
    tokens,
    telling,
    words: tokens.map(phoneticForm),
    joined: tokens.slice(1).map((token, i) => phoneticForm(`${tokens[i] ?? ''}${token}`)),
    tellingWords: telling.filter(Boolean).length,
  };
}

/** In a name of nothing else (Van Le, Junior Neto), particles are the name. */
function distinctive(tokens: readonly string[]): readonly boolean[] {
  const words = tokens.map((token, i) => !isInitial(token) && tokens.indexOf(token) === i);
  const withoutParticles = words.map((isWord, i) => isWord && !isParticle(tokens[i] ?? ''));
  return withoutParticles.includes(true) ? withoutParticles : words;
}
