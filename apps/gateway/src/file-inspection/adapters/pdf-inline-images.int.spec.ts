import { deflateSync } from 'node:zlib';
import { Refusal } from '@ponte/kernel';
import { localFileInspection } from './local.file-inspection.adapter';
import { PDF_LIMITS, PdfInspection } from './pdf-inspection';
import { plainPdf, streamOf } from '../testing/pdf-files';

/** On a slow machine a PDF may take longer than the service allows. */
const files = localFileInspection(new PdfInspection({ ...PDF_LIMITS, timeMs: 100_000 }));
const TOO_LARGE = 'an image must have at most 50 million pixels';
const UNREADABLE = 'the PDF contains objects that cannot be read';
const LIMITS = 'the PDF cannot be read within the limits of time and memory';
const FORM = '/Subtype /Form /BBox [0 0 9 9]';

const imageOf = (sides: string): string => `q BI ${sides} /CS /G /BPC 8 ID x\nEI Q`;
const content = (text: string, dictionary = ''): string => streamOf(dictionary, Buffer.from(text));
/** One run for each byte. */
const runsOf = (text: string): Buffer => Buffer.from([...Buffer.from(text)].flatMap((byte) => [0, byte]).concat(128));
/** A PDF of one page. */
const pageOf = (entries: string, objects: Readonly<Record<number, string>>): Buffer =>
  plainPdf({
    2: '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
    3: 'null',
    4: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] ${entries} >>`,
    ...objects,
  });

/** The content type, or the message of the refusal. */
async function verdictOn(bytes: Buffer): Promise<string> {
  try {
    return (await files.inspect(bytes)).contentType;
  } catch (error) {
    if (error instanceof Refusal) return error.violations[0]?.message ?? error.code;
    throw error;
  }
}

describe('an image inside a content stream of a PDF has at most 50 million pixels', () => {
  it.each<[string, (text: string) => Buffer]>([
    ['of a page', (text) => pageOf('/Contents 5 0 R', { 5: content(text) })],
    [
      'of a page, in two parts',
      (text) => pageOf('/Contents [5 0 R 6 0 R]', { 5: content(text.slice(0, 12)), 6: content(text.slice(12)) }),
    ],
    ['of a form', (text) => pageOf('/Resources << /XObject << /A 5 0 R >> >>', { 5: content(text, FORM) })],
    [
      'of an annotation',
      (text) =>
        pageOf('/Annots [6 0 R]', {
          5: content(text, FORM),
          6: '<< /Type /Annot /Subtype /Stamp /Rect [0 0 9 9] /AP << /N 5 0 R >> >>',
        }),
    ],
    [
      'of a pattern',
      (text) =>
        pageOf('/Resources << /Pattern << /A 5 0 R >> >>', {
          5: content(text, '/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9'),
        }),
    ],
    [
      'of a glyph',
      (text) =>
        pageOf('/Resources << /Font << /A 6 0 R >> >>', {
          5: content(text),
          6: '<< /Type /Font /Subtype /Type3 /CharProcs << /a 5 0 R >> >>',
        }),
    ],
    [
      'that is compressed',
      (text) => pageOf('/Contents 5 0 R', { 5: streamOf('/Filter /FlateDecode', deflateSync(text)) }),
    ],
    [
      'in runs of equal bytes',
      (text) => pageOf('/Contents 5 0 R', { 5: streamOf('/Filter /RunLengthDecode', runsOf(text)) }),
    ],
    [
      'in hexadecimal',
      (text) =>
        pageOf('/Contents 5 0 R', { 5: content(`${Buffer.from(text).toString('hex')}>`, '/Filter /ASCIIHexDecode') }),
    ],
  ])('%s', async (_, fileOf) => {
    expect(await verdictOn(fileOf(imageOf('/W 8333 /H 6000')))).toBe('application/pdf');
    expect(await verdictOn(fileOf(imageOf('/W 8334 /H 6000')))).toBe(TOO_LARGE);
  });

  it.each([
    '/Width 8334 /Height 6000',
    '/H 6000 /W\0%\r8334',
    '/#57 8334 /#48#65ight 6000',
    '/W +8334 /H -6000',
    '/W 83-34 /H 6000.',
    '/W 8334e0 /H 6E+3',
    '/W 1 /W 8334 /H 6000',
  ])('however its size is written: %j', async (sides) => {
    expect(await verdictOn(pageOf('/Contents 5 0 R', { 5: content(imageOf(sides)) }))).toBe(TOO_LARGE);
  });

  it.each<[string, string, Readonly<Record<number, string>>]>([
    ['contents', '/Contents 5 0 R', {}],
    ['one of several contents', '/Contents 6 0 R', { 6: '[5 0 R]' }],
    ['a glyph', '/Resources << /Font << /A << /CharProcs << /a 5 0 R >> >> >> >>', {}],
    ['a pattern', '/Resources << /Pattern 6 0 R >>', { 6: '<< /A 5 0 R >>' }],
    ['an annotation', '/Annots [<< /AP 6 0 R >>]', { 6: '<< /N 7 0 R >>', 7: '<< /On 5 0 R >>' }],
    ['a mask', '/Resources << /ExtGState << /A << /SMask << /S /Alpha /G 5 0 R >> >> >> >>', {}],
    ['a mask of its own', '/Resources << /ExtGState << /A << /SMask 6 0 R >> >> >>', { 6: '<< /G 5 0 R >>' }],
  ])('even if its stream says that it is a picture, but is used as %s', async (_, entries, objects) => {
    const fileOf = (sides: string): Buffer =>
      pageOf(entries, { ...objects, 5: content(imageOf(sides), '/Subtype /Image /Width 1 /Height 1') });
    expect(await verdictOn(fileOf('/W 8333 /H 6000'))).toBe('application/pdf');
    expect(await verdictOn(fileOf('/W 8334 /H 6000'))).toBe(TOO_LARGE);
  });

  it('and a picture is not decoded, whatever its name', async () => {
    const data = deflateSync(Buffer.alloc(30_000_000));
    const picture = streamOf('/Subtype /Image /Width 1 /Height 1 /SMask 6 0 R /Filter /FlateDecode', data);
    const mask = streamOf('/Subtype /Image /Width 1 /Height 1 /Filter /FlateDecode', data);
    const entries = '/Contents [7 0 R] /Resources << /XObject << /G 5 0 R >> /ExtGState << /A << /SMask /None >> >> >>';
    expect(await verdictOn(pageOf(entries, { 5: picture, 6: mask, 7: content('q Q') }))).toBe('application/pdf');
  });

  it('and the name and the number of a side must be in the same stream', async () => {
    const file = pageOf('/Contents [5 0 R 6 0 R]', { 5: content('q BI /H 6000 /W '), 6: content('8334 ID x\nEI Q') });
    expect(await verdictOn(file)).toBe(UNREADABLE);
  });

  it.each([
    ['take too much memory', deflateSync(Buffer.alloc(100_000_000, ' ')), LIMITS],
    ['take too much memory together', deflateSync(Buffer.alloc(10_000_000, ' ')), LIMITS],
    ['cannot be decoded', Buffer.from('not compressed'), UNREADABLE],
  ])('and the contents are refused if they %s', async (_, data, message) => {
    const stream = streamOf('/Filter /FlateDecode', data);
    const file = pageOf('/Contents [5 0 R 6 0 R 7 0 R]', { 5: stream, 6: stream, 7: stream });
    expect(await verdictOn(file)).toContain(message);
  });

  it('and other text of a page is not read as the size of an image', async () => {
    const text = '/H 12 Tf (Power BI /W 99999) Tj /Width << /Height 5 >> BDC 99999 0 m';
    expect(await verdictOn(pageOf('/Contents 5 0 R', { 5: content(text) }))).toBe('application/pdf');
  });
});
