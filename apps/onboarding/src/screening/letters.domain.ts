/**
 * Letters that Unicode decomposition does not change, with their usual Latin transliteration. A basic mapping, not a
 * standard.
 */
const pairs = (text: string): [string, string][] =>
  text
    .trim()
    .split(/\s+/)
    .map((pair) => [pair.charAt(0), pair.slice(1)]);

const LATIN = 'ßss æae œoe øo đd ðd łl þth ħh ıi ŋn ĸk ŧt';
const CYRILLIC =
  'аa бb вv гg дd еe жzh зz иi кk лl мm нn оo пp рr сs тt уu фf хkh цts чch шsh щshch ъ ыy ь эe юyu яya іi єye ґg ђdj љlj њnj ћc џdz ѓg ќk ѕdz';
const GREEK = 'αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υy φf χch ψps ωo';
const ARABIC =
  'اa بb تt ثth جj حh خkh دd ذdh رr زz سs شsh صs ضd طt ظz ع غgh فf قq كk لl مm نn هh وw يy ىa ةa ء پp چch ژzh گg کk یy ٱa';
const HEBREW = 'אa בb גg דd הh וv זz חh טt יy כk ךk לl מm םm נn ןn סs ע פp ףp צts ץts קk רr שsh תt';

/** Keyed by the lower-case letter; empty for a sign that is not transliterated. */
export const LETTERS: ReadonlyMap<string, string> = new Map([LATIN, CYRILLIC, GREEK, ARABIC, HEBREW].flatMap(pairs));
