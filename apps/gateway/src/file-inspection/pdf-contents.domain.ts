import type { ObjectsResult, PdfRules } from './pdf-objects.domain';

/**
 * Returns the numbers of the streams that are not pictures, such as the contents of pages, forms, patterns, glyphs and
 * annotations, from qpdf's JSON as in `judgeObjects`. Like that function, the functions of this file run from their own
 * source text.
 */
export function contentStreams(json: Buffer): readonly string[] {
  const numbers: string[] = [];
  const stream = ' R": {\n        "stream": {';
  for (let at = json.indexOf(stream); at !== -1; at = json.indexOf(stream, at + 1)) {
    const number = /"obj:(\d+ \d+)$/.exec(json.toString('latin1', Math.max(0, at - 40), at))?.[1];
    const end = json.indexOf('\n      }', at);
    const isPicture = json.toString('latin1', at, end).includes('\n            "/Subtype": "/Image"');
    if (number !== undefined && !isPicture) numbers.push(number.replace(' ', ','));
  }
  return numbers;
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
