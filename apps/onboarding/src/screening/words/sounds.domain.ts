/**
 * Spellings of the same sound, in the order in which they are replaced. Portuguese and Spanish names are written with s
 * or z (Souza, Sousa), and with c or s before e and i. A w after o belongs to the vowel before a consonant and in words
 * of one syllable (Chow, Chou). Elsewhere (Rowan, Rouan; Popow, Popov) it may be a vowel or a v, see {@link skeletons}.
 */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/chr/g, 'kr'],
  [/sch|sh|tch|ch/g, 's'],
  [/kh|ck|q/g, 'k'],
  [/gh/g, 'g'],
  [/ph/g, 'f'],
  [/th/g, 't'],
  [/dh/g, 'd'],
  [/zh|dj|dzh/g, 'j'],
  [/ts|tz|z/g, 's'],
  [/c(?=[eiy])/g, 's'],
  [/c/g, 'k'],
  [/x/g, 'ks'],
  [/ow(?=[aeiouy])|(?<=[aeiouy].*)ow$/g, 'uw'],
  [/oo|ou|ow(?=[^aeiouy])|(?<=^[^aeiouy]*)ow$/g, 'u'],
  [/ee|ie|y/g, 'i'],
  [/(.)\1+/g, '$1'],
];
const HIDDEN = /[aeiouh]/g;

/** Rewrites a word with one spelling per sound, so that youssef and yusef, or noor and nour, become the same. */
export function phoneticForm(token: string): string {
  return SPELLINGS.reduce((text, [spelling, sound]) => text.replace(spelling, sound), token);
}

/**
 * The consonants of a {@link phoneticForm} word, on which transliterations agree. Any initial vowel counts as the same
 * consonant. A w may be a vowel (Dawud, Daoud) or a v (Iwanow, Ivanov), and an initial g before e or i may be a j
 * (Gean, Jean), so there are up to four skeletons.
 */
export function skeletons(soundedToken: string): readonly string[] {
  const first = soundedToken
    .charAt(0)
    .replace(/[aeiou]/, 'a')
    .replace('w', 'v');
  const rest = soundedToken.slice(1).replace(HIDDEN, '');
  const rests = rest.includes('w') ? [rest.replaceAll('w', ''), rest.replaceAll('w', 'v')] : [rest];
  const firsts = /^g[ei]/.test(soundedToken) ? [first, 'j'] : [first];
  return firsts.flatMap((start) => rests.map((end) => start + end));
}

/** From this length on, a skeleton with one letter missing is still distinctive. */
const MIN_TO_SHORTEN = 3;

/** Index keys of a word: two words whose skeletons differ by at most one letter share one of them. */
export function blocks(soundedToken: string): readonly string[] {
  return [...new Set(skeletons(soundedToken).flatMap((skeleton) => [skeleton, ...shortened(skeleton)]))];
}

function shortened(skeleton: string): readonly string[] {
  if (skeleton.length < MIN_TO_SHORTEN) return [];
  return Array.from(skeleton, (_, i) => skeleton.slice(0, i) + skeleton.slice(i + 1));
}
