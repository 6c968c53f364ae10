import type { ObjectsResult, PdfRules } from './pdf-objects.domain';

/**
 * Returns the numbers of the streams that may have contents of pages, forms, patterns, glyphs or annotations, from
 * qpdf's JSON as in `judgeObjects`: all but the pictures that nothing uses as contents. Like that function, the
 * functions of this file run from their own source text.
 */
export function contentStreams(json: Buffer): readonly string[] {
  const START = '\n      "obj:';
  /** What these keys name is read as contents, whatever its own dictionary says. */
  const CONTENT_KEYS = ['"/Contents": ', '"/CharProcs": ', '"/Pattern": ', '"/AP": '];
  /** Names a picture, or a dictionary that names contents. */
  const MASK = '"/SMask": ';

  const [streams, pictures, values] = [new Set<string>(), new Set<string>(), new Map<string, readonly number[]>()];
  for (let at = json.indexOf(START), next = at; at !== -1; at = next) {
    next = json.indexOf(START, at + 1);
    const end = next === -1 ? json.length : next;
    const head = json.toString('latin1', at + START.length, Math.min(end, at + 80));
    const [, number, stream] = /^(\d+ \d+) R": \{(\n {8}"stream": \{)?/.exec(head) ?? [];
    if (number === undefined) continue;
    if (stream === undefined) values.set(number, [at, end]);
    else if (json.subarray(at, end).includes('\n            "/Subtype": "/Image"')) pictures.add(number);
    else streams.add(number);
  }

  /** The value of a key, which ends at the end of its line, or where its list or dictionary does. */
  const valueAt = (key: number, at: number): string => {
    const line = json.toString('latin1', at, json.indexOf('\n', at));
    if (line !== '[' && line !== '{') return line;
    const indent = key - json.lastIndexOf('\n', key) - 1;
    return json.toString('latin1', at, json.indexOf(`\n${' '.repeat(indent)}${line === '[' ? ']' : '}'}`, at));
  };
  const numbersIn = (text: string): readonly string[] =>
    [...text.matchAll(/"(\d+ \d+) R"/g)].map(([, number = '']) => number);
  const used: string[] = [];
  for (const name of [...CONTENT_KEYS, MASK]) {
    for (let key = json.indexOf(name); pictures.size > 0 && key !== -1; key = json.indexOf(name, key + 1)) {
      const value = valueAt(key, key + name.length);
      if (name !== MASK || !value.startsWith('"') || values.has(numbersIn(value)[0] ?? ''))
        used.push(...numbersIn(value));
    }
  }
  // What is used may be a list or a dictionary of its own.
  for (let number = used.pop(); number !== undefined; number = used.pop()) {
    const [from, to] = values.get(number) ?? [];
    values.delete(number);
    if (from !== undefined) used.push(...numbersIn(json.toString('latin1', from, to)));
    if (pictures.has(number)) streams.add(number);
  }
  return [...streams].map((number) => number.replace(' ', ','));
}

/**
 * Judges the images within content streams (`BI /W 9 /H 9 ID … EI`), from qpdf's JSON with decoded streams in base 64.
 * The image may begin in one stream of a page and continue in the next one, so the largest width and the largest height
 * of all streams count. Numbers are read as generously as readers do: with signs anywhere, or with an exponent.
 */
export function judgeInlineImages(json: Buffer, { maxPixels }: PdfRules): ObjectsResult {
  const SIDE = /\/(W|H)(?:idth|eight)?(?:\s|\0|%[^\r\n]*[\r\n])+([+-]*[\d.][\d.+-]*(?:[eE][+-]?\d+)?)/g;
  const CUT_OFF = /\/(?:W|H)(?:idth|eight)?(?:\s|\0|%[^\r\n]*[\r\n])*(?:%[^\r\n]*)?$/;
  const start = '"data": "';
  const sides = { W: 0, H: 0 };
  for (let at = json.indexOf(start); at !== -1; at = json.indexOf(start, at + 1)) {
    const data = json.toString('latin1', at + start.length, json.indexOf('"', at + start.length));
    const text = Buffer.from(data, 'base64').toString('latin1');
    const unescaped = text.replace(/#([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
    // Its number is in the next stream of the page.
    if (CUT_OFF.test(unescaped)) return 'unreadable';
    for (const [, side, number = ''] of unescaped.matchAll(SIDE))
      sides[side as 'W' | 'H'] = Math.max(sides[side as 'W' | 'H'], parseFloat(number.replaceAll(/[+-]/g, '')) || 0);
  }
  return sides.W * sides.H > maxPixels ? 'large' : 'passive';
}
