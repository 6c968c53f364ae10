import { isInitial, isParticle, nameTokens } from './name-tokens.domain';
import { sounded } from './sounds.domain';

/** One word in common is a common first name. */
export const WORDS_IN_COMMON = 2;

/** A name as it is compared. */
export interface ComparableName {
  /** As they were written, in lower-case Latin letters: for people to read. */
  readonly tokens: readonly string[];
  /** The same, {@link sounded}. */
  readonly words: readonly string[];
  /** Each word and the one after it, written as one. */
  readonly joined: readonly string[];
  /** Whether a word tells people apart: neither a particle nor an initial. */
  readonly telling: readonly boolean[];
  readonly tellingWords: number;
}

export function comparable(text: string): ComparableName {
  const tokens = nameTokens(text);
  const telling = tokens.map((token) => !isParticle(token) && !isInitial(token));
  return {
    tokens,
    telling,
    words: tokens.map(sounded),
    joined: tokens.slice(1).map((token, i) => sounded(`${tokens[i] ?? ''}${token}`)),
    tellingWords: telling.filter(Boolean).length,
  };
}
