import { LETTERS } from './words/letters.domain';

/** Longer than any real name. These limits bound the work caused by external input. */
const MAX_LENGTH = 400;
const MAX_TOKENS = 24;

/** Particles, forms of address, and what stands for a missing name (fnu, lnu, xxx). They do not distinguish people. */
const PARTICLES: ReadonlySet<string> = new Set(
  (
    'al el ul as ad ar an az bin ben ibn bint abu abou ould ag de da do dos das di du del della des der den van von y e la le los las san st ' +
    'mr mrs ms dr sheikh shaykh haji hajji mullah maulavi sayyid jr sr neto filho junior fnu lnu xxx'
  ).split(' '),
);

/**
 * `abd` means "servant of" and is written with its article, with the next word, or separately: abdulrahman, abd
 * al-rahman, abdurrahman.
 */
const SERVANT = /^abd[aeiou]([lrsnzdt])(.{3,})$/;
const SERVANT_ALONE = /^abd[aeiou][lrsnzdt]$/;

/** Characters that show nothing, accents, and modifiers such as apostrophes and the Arabic elongation. */
const UNSEEN =
  /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\u02b0-\u02ff\u0640'`\u00b4\u2018\u2019\u201b\u2032]/gu;

/** The name in lower case, without accents and invisible characters, with its punctuation. */
export const seen = (name: string): string =>
  // Lower-casing must not depend on the locale: with a Turkish locale, I would become a different letter.
  name.slice(0, MAX_LENGTH).normalize('NFKD').toLowerCase().normalize('NFKD').replace(UNSEEN, '');

/** The {@link seen} name in Latin letters, as far as {@link LETTERS} has them. */
export const latin = (name: string): string =>
  Array.from(seen(name), (letter) => LETTERS.get(letter) ?? letter).join('');

/**
 * The words of a name, comparable across scripts, case, accents and punctuation: `"João D'Ávila-Souza"` and `"JOAO
 * DAVILA SOUZA"` give the same words. The order is kept.
 */
export const nameTokens = (name: string): readonly string[] => wordsOf(latin(name));

/** The words of a {@link latin} text. */
export const wordsOf = (text: string): readonly string[] =>
  text
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .flatMap(servant)
    .reduce<readonly string[]>(kept, []);

/** Drops surplus words from the left, particles and initials first, so that padding cannot push a family name out. */
function kept(tokens: readonly string[], token: string): readonly string[] {
  const all = [...tokens, token];
  if (all.length <= MAX_TOKENS) return all;
  const padding = all.findIndex((one) => isParticle(one) || isInitial(one));
  return all.toSpliced(padding === -1 ? MAX_TOKENS / 2 : padding, 1);
}

/** `abdullah` stays one word: the rest is a separate word only if it is more than "lah". */
function servant(word: string): readonly string[] {
  if (SERVANT_ALONE.test(word)) return ['abd'];
  const rest = SERVANT.exec(word)?.[2];
  return rest === undefined || /^l?ah?$/.test(rest) ? [word] : ['abd', rest];
}

export const isParticle = (token: string): boolean => PARTICLES.has(token);

export const isInitial = (token: string): boolean => token.length === 1 && /[a-z]/.test(token);
