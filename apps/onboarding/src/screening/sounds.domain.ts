/** Spellings of one sound, in the order in which they are read. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/chr/g, 'kr'],
  [/sch|sh|tch|ch/g, 's'],
  [/kh|ck|q/g, 'k'],
  [/gh/g, 'g'],
  [/ph/g, 'f'],
  [/th/g, 't'],
  [/dh/g, 'd'],
  [/zh|dj|dzh/g, 'j'],
  [/ts|tz/g, 'z'],
  [/c/g, 'k'],
  [/x/g, 'ks'],
  [/oo|ou|ow/g, 'u'],
  [/ee|ie|y/g, 'i'],
  [/(.)\1+/g, '$1'],
];
const HIDDEN = /[aeiouh]/g;

/** A word with one spelling for each sound: youssef and yusef, noor and nour become the same. */
export function sounded(token: string): string {
  return SPELLINGS.reduce((text, [spelling, sound]) => text.replace(spelling, sound), token);
}

/**
 * The consonants of a {@link sounded} word, which is what transliterations agree on. A first vowel counts as one,
 * whichever it is. W may be a vowel (Dawud, Daoud) or a v (Iwanow, Ivanov), hence up to two.
 */
export function skeletons(soundedToken: string): readonly string[] {
  const first = soundedToken.charAt(0).replace(/[aeiou]/, 'a');
  const rest = soundedToken.slice(1).replace(HIDDEN, '');
  const bare = (first === 'w' ? 'v' : first) + rest.replaceAll('w', '');
  return rest.includes('w') ? [bare, (first === 'w' ? 'v' : first) + rest.replaceAll('w', 'v')] : [bare];
}

/** From this length on a skeleton with one letter too few is still telling. */
const LEAST_TO_SHORTEN = 3;

/** Two words whose skeletons are at most one letter apart have one of these in common. */
export function blocks(soundedToken: string): readonly string[] {
  return [...new Set(skeletons(soundedToken).flatMap((skeleton) => [skeleton, ...shortened(skeleton)]))];
}

function shortened(skeleton: string): readonly string[] {
  if (skeleton.length < LEAST_TO_SHORTEN) return [];
  return Array.from(skeleton, (_, i) => skeleton.slice(0, i) + skeleton.slice(i + 1));
}
