/**
 * Letters that Unicode decomposition does not change, with their usual Latin transliteration. A basic mapping, not a
 * standard.
 */
const pairs = (text: string): [string, string][] =>
  text
    .trim()
    .split(/\s+/)
    .map((pair) => [pair.charAt(0), pair.slice(1)]);

/** Groups such as `ae:ᴁᴂ`: the basic letters, and the letters that are read as them. */
const groups = (text: string): [string, string][] =>
  text.split(' ').flatMap((group) => {
    const [basic = '', letters = ''] = group.split(':');
    return Array.from(letters, (letter): [string, string] => [letter, basic]);
  });

const LATIN = 'ßss æae œoe øo đd ðd łl þth ħh ıi ŋn ĸk ŧt';
/**
 * Phonetic, small-capital, hooked, turned and medieval Latin letters, which pass for the basic letters; no name needs
 * most of them. Based on what they look like (the confusables of Unicode Technical Standard 39) or are derived from.
 */
const LOOK_ALIKES =
  ':ʔʕʖʡʢɂƾǁǂǃʬʭꜣꜥꞌꞏᴥᴤ𝼎𝼊 a:ɑɐɒʌᴀⱥᶏᶐꬰꬱꭤꞻ aa:ꜳ𐞀 ae:ᴁᴂꞛ ao:ꜵ au:ꜷ av:ꜹꜻ ay:ꜽ b:ƀɓƃƅʙᴃᴯᵬᶀꞗꞵ c:ƈɕȼʗᴄↄꜿꞓꞔ𝼏𝼝 ' +
  'd:ɖɗƌȡᴅᴆᵭᶁᶑꝺꟈẟ db:ȸ dj:ʤ𝼒𝼙 dz:ʣʥꭦ e:ǝəɛɇɘɚɜɝɞᴇᴈᶒᶓᶔᶕⱸⱻꬲꬳꬴꭡ f:ƒɸᵮᶂẝⅎꜰꝼꞙꬵꟻⱷ g:ɠɡɢʛǥƍᵷᵹᶃꝿꞡꬶꟑ𝼁𝼂 ' +
  'h:ɥɦɧʜʮʯⱨⱶꜧꞕꟶ hv:ƕ i:ɩɨɪᴉᵎᵻᵼᶖꞽꟾꟷ𝼚 j:ȷɉɟʄʝᴊ k:ƙʞᴋᶄⱪꝁꝃꝅꞣ𝼃𝼐 l:ƚƛǀȴɫɬɭʟᴌᶅⱡꝇꝉꞁꞎꬷꬸꬹ𝼄𝼑𝼓 ll:ỻ ls:ʪ lz:ʫɮ𝼅 ' +
  'm:ɱɰᴍᴟᵯᶆꟺꟽꟿꬺ n:ɲƞȵɳɴᴎᴻᵰᶇꞑꞥꬻꬼ𝼇𝼔 o:ɔɵɤɷʘʚᴏᴐᴑᴒᴓᴖᴗᶗⱺꝋꝍꟁꬽꬾꬿꞷ𝼛 oe:ɶᴔꞝꭀꭁꭂꭢ oi:ƣ oo:ꝏꭃꭄ ou:ȣᴕ p:ƥƿᴘᵱᵽᶈꝑꝓꝕꟼ ' +
  'q:ɋʠꝗꝙꞯ qp:ȹ r:ʀɍɹɺɻɼɽɾɿʁᴙᴚᵲᵳᶉⱹꝛꞃꞧꭅꭆꭇꭈꭉꭊꭋꭌꭨ𝼈𝼕𝼖 s:ƨƽȿʂᵴᶊẜꜱꞅꞩꟊꟗꟙ𝼞 sh:ʃƪʅʆᶋᶘꭍ𝼋𝼌 t:ƫƭʈȶⱦʇᴛᵵꞇ𝼉𝼍 tc:ʨ ' +
  'tch:ʧ𝼗𝼜 th:ᵺꝥꝧꟓ ts:ʦꭧ tz:ꜩ u:ʉʊᴜᴝᴞᵾᵿᶙꞹꞿꭎꭏꭒ ue:ᵫꞟ ui:ꭐꭑ uo:ꭣ v:ʋᴠᶌⱱⱴꝟỽ vy:ꝡ w:ɯʍᴡⱳꟃꟕ x:ᶍꭓꭔꭕꭖꭗꭘꭙ ' +
  'y:ɣʎʏƴɏỿꭚȝ𝼆 z:ƶȥɀʐʑᴢᵶᶎⱬꝣ zh:ʒƹƺʓᴣᶚ𝼘';
const CYRILLIC =
  'аa бb вv гg дd еe жzh зz иi кk лl мm нn оo пp рr сs тt уu фf хkh цts чch шsh щshch ъ ыy ь эe юyu яya іi єye ґg ђdj љlj њnj ћc џdz ѕdz јj әa өo үu ұu қq ңn һh ғg ҳh ҷj';
const GREEK = 'αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υy φf χch ψps ωo';
const ARABIC =
  'اa بb تt ثth جj حh خkh دd ذdh رr زz سs شsh صs ضd طt ظz ع غgh فf قq كk لl مm نn هh وw يy ىa ةa ء پp چch ژzh گg کk یy ٱa ٹt ڈd ڑr ےy ںn ہh ھh ڼn ځz څs ډd ړr ږzh ښsh ګg ۍy ېy';
const HEBREW = 'אa בb גg דd הh וv זz חh טt יy כk ךk לl מm םm נn ןn סs ע פp ףp צts ץts קk רr שsh תt';

/** Letters in circles and squares, and the letters of flags. */
const ENCLOSED = [0x1f150, 0x1f170, 0x1f1e6].flatMap((first) =>
  Array.from('abcdefghijklmnopqrstuvwxyz', (basic, i): [string, string] => [String.fromCodePoint(first + i), basic]),
);

/** Keyed by the lower-case letter; empty for a sign that is not transliterated. */
export const LETTERS: ReadonlyMap<string, string> = new Map([
  ...[LATIN, CYRILLIC, GREEK, ARABIC, HEBREW].flatMap(pairs),
  ...groups(LOOK_ALIKES),
  ...ENCLOSED,
]);
