import { latin, seen } from '../name-tokens.domain';
import { NAME_LETTERS_LIST } from '../own-lists.domain';
import type { ScreeningMatch } from '../screening.port';

/** The finding is about the name itself, so it has no degree. */
const SCORE = 100;

const LATIN_LETTER = /\p{Script=Latin}/u;
const OTHER_LETTER = /(?!\p{Script=Latin})\p{L}/u;
/** Scripts that are transliterated but leave out most vowels: hardly any name is like its Latin spelling. */
const WITHOUT_VOWELS = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/**
 * A finding if a name has letters that are not transliterated, a word of Latin and other letters, or a word in a script
 * without vowels: a name that could hide a listed one. A person has to read it.
 */
export function uncomparedNames(names: readonly string[]): readonly ScreeningMatch[] {
  const doubts = names.flatMap((name) => {
    const unknown = [...new Set(latin(name).match(/(?![a-z])\p{L}/gu))];
    const mixed = (seen(name).match(/\p{L}+/gu) ?? []).some(
      (word) => LATIN_LETTER.test(word) && OTHER_LETTER.test(word),
    );
    return [
      ...(unknown.length > 0
        ? [`"${name}" has letters that are not compared with the lists: ${unknown.join(' ')}`]
        : []),
      ...(mixed ? [`"${name}" has Latin and other letters in one word`] : []),
      ...(WITHOUT_VOWELS.test(seen(name))
        ? [`"${name}" has Arabic or Hebrew letters, which show few vowels: compare its Latin spelling with the lists`]
        : []),
    ];
  });
  return doubts.length === 0
    ? []
    : [{ list: NAME_LETTERS_LIST, entryId: 'unreadable', score: SCORE, matchedOn: doubts.join('; ') }];
}
