import { createHash } from 'node:crypto';
import { Refusal, Unavailable } from '@ponte/kernel';
import { localFileInspection } from './local.file-inspection.adapter';
import { PDF_LIMITS, PdfInspection } from './pdf-inspection';
import { compressedPdf, encryptedPdf, plainPdf, streamOf } from '../testing/pdf-files';

/** On a slow machine a PDF may take longer than the service allows. */
const PATIENT = { ...PDF_LIMITS, timeMs: 100_000 };
const files = localFileInspection(new PdfInspection(PATIENT));
/** A picture of 6,000 rows; in a table of cross references, object 5 may hold a size. */
const picture = (width: string): string => streamOf(`/Subtype /Image /Height 6000 ${width}`, Buffer.from('x'));
const link = (uri: string): string => `<< /S /URI /URI ${uri} >>`;
const SCRIPT = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>';

/** The content type, or the message of the refusal. */
async function resultOf(bytes: Buffer, inspection = files): Promise<string> {
  try {
    return (await inspection.inspect(bytes)).contentType;
  } catch (error) {
    if (error instanceof Refusal) return error.violations[0]?.message ?? error.code;
    throw error;
  }
}
const ACTIVE = expect.stringContaining('must not contain') as string;
const UNREADABLE = expect.stringContaining('cannot be read') as string;

describe('a PDF without active content is accepted', () => {
  it.each<[string, Buffer]>([
    ['with a table of cross references', plainPdf({ 3: '<< /S /GoTo /D [2 0 R /Fit] >>' })],
    ['with compressed objects', compressedPdf({ 3: '<< /S /GoTo /D [2 0 R /Fit] >>' })],
    [
      'with compressed objects behind a predictor',
      compressedPdf({ 3: '<< /S /GoTo /D [2 0 R /Fit] >>' }, { predictor: true }),
    ],
    ['with a link', plainPdf({ 3: link('(https://example.com)') })],
    ['with a link in UTF-16', plainPdf({ 3: link('<feff0068007400740070003a002f002f0061>') })],
    ['with a link in an unknown encoding', plainPdf({ 3: link('(HTTP://example.com/\\201\\777)') })],
    ['with a link in another object', compressedPdf({ 3: link('4 0 R'), 4: '(mailto:joao@example.com)' })],
    ['with a telephone number', plainPdf({ 3: link('(tel:+5511999999999)') })],
    ['with a base for links', plainPdf({ 3: link('(#top)'), 4: '<< /URI << /Base (https://example.org/) >> >>' })],
    ['with a link without a scheme', plainPdf({ 3: link('(www.example.com/a)') })],
    ['with pictures of 30 million pixels', plainPdf({ 3: 'null', 4: picture('/Width 5000'), 6: picture('/W 5000') })],
    [
      'with a picture whose width is in another object',
      plainPdf({ 3: 'null', 4: picture('/Width 5 0 R'), 5: '8333', 6: '<< /A << /Width 99999 >> >>' }),
    ],
    ['that is encrypted without a password', encryptedPdf('none')],
    ['that only mentions scripts in a string', plainPdf({ 3: '[(/JavaScript) (say /Launch) <2F4A53>]' })],
    [
      'with bytes in a picture that look like a script',
      plainPdf({ 3: 'null', 4: streamOf('/Type /XObject', Buffer.from(SCRIPT)) }),
    ],
  ])('%s', async (_, file) => expect(await resultOf(file)).toBe('application/pdf'));

  it('and returned with type, size and SHA-256', async () => {
    const file = plainPdf({});
    expect(await files.inspect(file)).toEqual({
      contentType: 'application/pdf',
      sizeBytes: file.length,
      sha256: createHash('sha256').update(file).digest('hex'),
    });
  });
});

describe('active content is found', () => {
  const inStream = `7 0 obj\n${SCRIPT}\nendobj\n`;
  it.each<[string, Buffer]>([
    ['in plain form', plainPdf({ 3: SCRIPT })],
    ['spelt with escapes', plainPdf({ 3: '<< /S /#4aava#53cript /#4a#53 (app.alert\\(1\\)) >>' })],
    ['in an object stream', compressedPdf({ 3: SCRIPT })],
    ['in an object stream behind a predictor', compressedPdf({ 3: SCRIPT }, { predictor: true })],
    ['behind references', compressedPdf({ 3: '<< /S 4 0 R >>', 4: '5 0 R', 5: '/JavaScript' })],
    ['in an object that nothing refers to', plainPdf({ 3: 'null', 8: SCRIPT })],
    [
      'inside of a picture, where the cross references point, with a harmless object of the same number',
      plainPdf(
        { 3: 'null', 4: streamOf('/Type /XObject', Buffer.from(inStream)), 7: '<< >>' },
        (number, offset, text) => (number === 7 ? text.indexOf(inStream) : offset),
      ),
    ],
    ['that starts a program', plainPdf({ 3: '<< /S /Launch /F (cmd.exe) >>' })],
    ['that submits a form', plainPdf({ 3: '<< /S /SubmitForm /F (https://example.com) >>' })],
    ['in a form with scripts of its own', plainPdf({ 3: '<< /XFA 4 0 R >>', 4: streamOf('', Buffer.from('<xdp/>')) })],
    ['in another document', plainPdf({ 3: '<< /S /GoToR /F (\\\\\\\\example.com\\\\share) /D [0 /Fit] >>' })],
    ['in an attached file', plainPdf({ 3: 'null', 4: streamOf('/Type /EmbeddedFile', Buffer.from('MZ')) })],
    ['in an attached file without a type', compressedPdf({ 3: '<< /F (a.exe) /EF << /F 4 0 R >> >>', 4: '(stream)' })],
    ['in an attached file on a page', plainPdf({ 3: '<< /Type /Annot /Subtype /FileAttachment >>' })],
    ['behind a link to a file', plainPdf({ 3: link('(file:///etc/passwd)') })],
    ['behind a link to a script', plainPdf({ 3: link('(javascript:alert\\(1\\))') })],
    ['behind a link to a share', plainPdf({ 3: link('(\\\\\\\\example.com\\\\share)') })],
    ['behind a link in UTF-16', plainPdf({ 3: link('<feff00660069006c0065003a0061>') })],
    ['behind a link in another object', compressedPdf({ 3: link('4 0 R'), 4: '(file:///etc/passwd)' })],
    ['behind the base of all links', plainPdf({ 3: 'null', 4: '<< /Type /Catalog /URI << /Base (file:///) >> >>' })],
    ['encrypted without a password', encryptedPdf('none', '<< /S /JavaScript >>')],
    ['in media', plainPdf({ 3: '<< /Type /Annot /Subtype /RichMedia >>' })],
  ])('%s', async (_, file) => expect(await resultOf(file)).toEqual(ACTIVE));
});

describe('a PDF with a picture of more than 50 million pixels is refused', () => {
  it.each<[string, Buffer]>([
    ['with its size in its own object', plainPdf({ 3: 'null', 4: picture('/Width 8334') })],
    ['with its size in another object', plainPdf({ 3: 'null', 4: picture('/Width 5 0 R'), 5: '8334' })],
    ['with its size under a short name', plainPdf({ 3: 'null', 4: picture('/W 8334') })],
    ['with a size that some readers ignore', plainPdf({ 3: 'null', 4: picture('/Width 1 /W 8334') })],
    ['with a size of many digits', plainPdf({ 3: 'null', 4: picture(`/Width 8334.${'0'.repeat(500)}`) })],
    ['with a size that is not a whole number', plainPdf({ 3: 'null', 4: picture('/Width 8333.5') })],
  ])('%s', async (_, file) => expect(await resultOf(file)).toBe('an image must have at most 50 million pixels'));

  it.each<[string, string]>([
    ['is text', '/Width (8334)'],
    ['is an object that is not a number', '/Width 1 0 R'],
  ])('and one whose width %s', async (_, width) => {
    expect(await resultOf(plainPdf({ 3: 'null', 4: picture(width) }))).toEqual(UNREADABLE);
  });
});

describe('a PDF that needs a password is refused', () => {
  it('with a code and a message of its own', async () => {
    await expect(files.inspect(encryptedPdf('secret'))).rejects.toMatchObject({
      violations: [
        { code: 'file-password-protected', path: 'file', message: 'the PDF must open without a password: remove it' },
      ],
    });
  });
});

describe('PDFs that cannot be read without repair or within the limits are refused', () => {
  it.each<[string, () => Buffer]>([
    ['cross references that point elsewhere', () => plainPdf({ 3: 'null' }, (_, offset) => offset + 3)],
    ['a name twice in one object', () => plainPdf({ 3: '<< /S /GoTo /S /JavaScript >>' })],
    [
      'an unknown filter',
      () =>
        Buffer.from(
          compressedPdf({ 3: SCRIPT }).toString('latin1').replace('/Filter /FlateDecode', '/Filter /FlateDecodf'),
          'latin1',
        ),
    ],
    ['objects nested a million deep', () => plainPdf({ 3: '['.repeat(1_000_000) + ']'.repeat(1_000_000) })],
    ['objects that take 300 MB unpacked', () => compressedPdf({ 3: 'null' }, { padding: 300_000_000 })],
  ])('%s', async (_, file) => expect(await resultOf(file())).toEqual(UNREADABLE));

  it('if a file takes too long, after which the next one is read', async () => {
    // Too short on any machine: a thread does not start in a millisecond.
    const limits = { ...PDF_LIMITS, timeMs: 1 };
    const hasty = localFileInspection(new PdfInspection(limits));
    const long = plainPdf(Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [at + 3, '<< /A [1 2 3] >>'])));
    expect(await resultOf(long, hasty)).toBe(
      'the PDF cannot be read within the limits of time and memory: print it to a new PDF, or photograph the document',
    );
    limits.timeMs = PATIENT.timeMs;
    expect(await resultOf(plainPdf({}), hasty)).toBe('application/pdf');
  });

  it('if more files than allowed would have to wait', async () => {
    const busy = localFileInspection(new PdfInspection({ ...PATIENT, waiting: 1 }));
    const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => busy.inspect(plainPdf({}))));
    expect(outcomes.map((one) => (one.status === 'rejected' ? one.reason instanceof Unavailable : 'taken'))).toEqual([
      'taken',
      'taken',
      true,
      true,
    ]);
    expect(await resultOf(plainPdf({}), busy)).toBe('application/pdf');
  });
});
