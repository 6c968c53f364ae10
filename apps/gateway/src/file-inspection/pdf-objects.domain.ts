/** What is allowed in a PDF. */
export interface PdfRules {
  /** Names that must not occur, without their slash. */
  readonly activeNames: readonly string[];
  /** Of one picture. */
  readonly maxPixels: number;
}

/**
 * `active`: it has a name that must not occur, or a link that is not to a website, a mail address or a telephone
 * number. `large`: a picture has too many pixels. `unreadable`: the size of a picture is not a number.
 */
export type ObjectsResult = 'passive' | 'active' | 'large' | 'unreadable';

/**
 * Judges the objects of a PDF in qpdf's JSON, which has one key a line, indented by its depth. Names start with a slash
 * in it, strings with `u:` or `b:` (bytes in hexadecimal), and a reference is written `"5 0 R"`. The text is searched
 * and not parsed, because it may have ten times the size of the file. The function runs from its own source text, so it
 * must not refer to anything outside itself but types and globals.
 */
export function judgeObjects(json: Buffer, { activeNames, maxPixels }: PdfRules): ObjectsResult {
  const ALLOWED_LINK = /^(?:$|#|https?:|mailto:|tel:|[\w-]+(?:\.[\w-]+)+(?:[/?#]|$))/i;

  const lineAt = (at: number): string => {
    const end = json.indexOf('\n', at);
    return json.toString('utf8', at, end === -1 ? json.length : end).replace(/,$/, '');
  };
  /** The value that a reference names. Readers follow further references differently, so they are left as they are. */
  const resolved = (value: string): string => {
    const reference = /^"(\d+ \d+ R)"$/.exec(value)?.[1];
    if (reference === undefined) return value;
    const start = `\n      "obj:${reference}": {\n        "value": `;
    const at = json.indexOf(start);
    return at === -1 ? 'null' : lineAt(at + start.length);
  };
  const isAllowedLink = (value: string): boolean => {
    const [, kind, text = ''] = /^"(u|b):(.*?)"?$/.exec(value) ?? [];
    if (kind === undefined) return false;
    return ALLOWED_LINK.test(kind === 'u' ? text : Buffer.from(text, 'hex').toString('latin1'));
  };
  /** In the catalogue, `URI` is a dictionary whose `Base` precedes the links without a scheme. */
  const hasOtherLinks = (): boolean =>
    ['"/URI": ', '"/Base": '].some((key) => {
      for (let at = json.indexOf(key); at !== -1; at = json.indexOf(key, at + 1)) {
        const value = resolved(lineAt(at + key.length));
        if (value !== '{' && !isAllowedLink(value)) return true;
      }
      return false;
    });
  /** The largest of the values that readers take for this side; 0 without one. */
  const sideOf = (stream: string, names: string): number => {
    const values = [...stream.matchAll(new RegExp(`^ {12}"/(?:${names})": (.*?),?$`, 'gm'))];
    // A list is not the size of a picture: the cross references have one named `W`.
    const numbers = values.map(([, value = '']) => resolved(value)).filter((value) => !value.startsWith('['));
    return numbers.reduce((most, value) => Math.max(most, value === '' ? NaN : Math.abs(Number(value))), 0);
  };
  const worstPicture = (): ObjectsResult => {
    const object = '\n      "obj:';
    const stream = ' R": {\n        "stream": {';
    for (let at = json.indexOf(object), next = at; at !== -1; at = next) {
      next = json.indexOf(object, at + 1);
      const end = next === -1 ? json.length : next;
      const isStream = json.toString('latin1', at, Math.min(end, at + 64)).includes(stream);
      const text = isStream ? json.toString('latin1', at, end) : '';
      const pixels = sideOf(text, 'Width|W') * sideOf(text, 'Height|H');
      if (Number.isNaN(pixels)) return 'unreadable';
      if (pixels > maxPixels) return 'large';
    }
    return 'passive';
  };

  if (activeNames.some((name) => json.includes(`"/${name}"`)) || hasOtherLinks()) return 'active';
  return worstPicture();
}
