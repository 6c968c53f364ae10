import { createHash } from 'node:crypto';
import { Refusal, Unavailable } from '@ponte/kernel';
import { localFileInspection } from './local';
import { PDF_LIMITS, PdfInspection } from './pdf-inspection';
import { compressedPdf, plainPdf, streamOf } from '../testing/pdf-files';

/** On a slow machine a PDF may take longer than the service allows. */
const PATIENT = { ...PDF_LIMITS, timeMs: 100_000 };
const files = localFileInspection(new PdfInspection(PATIENT));
const SCRIPT = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>';

/** The content type, or the message of the refusal. */
async function verdictOn(bytes: Buffer, inspection = files): Promise<string> {
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
    ['with a link', plainPdf({ 3: '<< /S /URI /URI (https://example.com) >>' })],
    ['that only mentions scripts in a string', plainPdf({ 3: '[(/JavaScript) (say /Launch) <2F4A53>]' })],
    [
      'with bytes in a picture that look like a script',
      plainPdf({ 3: 'null', 4: streamOf('/Type /XObject', Buffer.from(SCRIPT)) }),
    ],
  ])('%s', async (_, file) => expect(await verdictOn(file)).toBe('application/pdf'));

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
    ['in media', plainPdf({ 3: '<< /Type /Annot /Subtype /RichMedia >>' })],
  ])('%s', async (_, file) => expect(await verdictOn(file)).toEqual(ACTIVE));
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
  ])('%s', async (_, file) => expect(await verdictOn(file())).toEqual(UNREADABLE));

  it('if a file takes too long, after which the next one is read', async () => {
    // Too short on any machine: a thread does not start in a millisecond.
    const limits = { ...PDF_LIMITS, timeMs: 1 };
    const hasty = localFileInspection(new PdfInspection(limits));
    const long = plainPdf(Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [at + 3, '<< /A [1 2 3] >>'])));
    expect(await verdictOn(long, hasty)).toEqual(UNREADABLE);
    limits.timeMs = PATIENT.timeMs;
    expect(await verdictOn(plainPdf({}), hasty)).toBe('application/pdf');
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
    expect(await verdictOn(plainPdf({}), busy)).toBe('application/pdf');
  });
});
