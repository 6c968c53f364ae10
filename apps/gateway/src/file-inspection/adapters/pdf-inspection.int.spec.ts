import { createHash, randomBytes } from 'node:crypto';
import { Refusal, Unavailable } from '@ponte/kernel';
import { MAX_EVIDENCE_BYTES } from '@ponte/contracts';
import { localFileInspection } from './local';
import { PDF_LIMITS, PdfInspection } from './pdf-inspection';
import { compressedPdf, plainPdf, streamOf } from '../testing/pdf-files';

const files = localFileInspection(new PdfInspection());
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
    limits.timeMs = PDF_LIMITS.timeMs;
    expect(await verdictOn(plainPdf({}), hasty)).toBe('application/pdf');
  });

  it('if more files than allowed would have to wait', async () => {
    const busy = localFileInspection(new PdfInspection({ ...PDF_LIMITS, waiting: 1 }));
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

describe('the event loop is not blocked while a file of 10 MB is inspected', () => {
  const STALL_MS = 50;
  const TRIES = 12;
  const fill = (start: Buffer, piece: Buffer, end: Buffer): Buffer =>
    Buffer.concat([start, Buffer.alloc(MAX_EVIDENCE_BYTES - start.length - end.length - 20, piece), end]);
  const PNG_START = Buffer.from('89504e470d0a1a0a0000000d4948445200000002000000020802000000fdd49a73', 'hex');
  const JPEG_START = Buffer.from('ffd8ffe00004abcdffc0000b08000c001001010011 00'.replaceAll(' ', ''), 'hex');
  const SCAN = Buffer.from('ffda0008010100003f00', 'hex');
  const EOI = Buffer.from([0xff, 0xd9]);

  /** The longest delay of a timer. The best of several tries, because the machine is busy with other work too. */
  async function stallOf(file: Buffer): Promise<number> {
    let best = Infinity;
    for (let tries = 0; tries < TRIES && best > STALL_MS; tries += 1) {
      let [worst, last] = [0, performance.now()];
      const look = (): void => {
        worst = Math.max(worst, performance.now() - last);
        last = performance.now();
      };
      const timer = setInterval(look, 1);
      await new Promise((done) => {
        setTimeout(done, 5);
      });
      [worst, last] = [0, performance.now()];
      await verdictOn(file);
      look();
      clearInterval(timer);
      best = Math.min(best, worst);
    }
    return best;
  }

  it.each<[string, () => Buffer]>([
    [
      'a PDF of many objects',
      () =>
        plainPdf(
          Object.fromEntries(
            Array.from({ length: 100_000 }, (_, at) => [at + 3, `<< /A [1 2 3] /B (${'x'.repeat(40)}) >>`]),
          ),
        ),
    ],
    ['a PDF of one picture', () => plainPdf({ 3: streamOf('/Type /XObject', randomBytes(9_900_000)) })],
    [
      'a JPEG in which every other byte is 0xff',
      () => fill(Buffer.concat([JPEG_START, SCAN]), Buffer.from([0xff, 0x00]), EOI),
    ],
    ['a JPEG of empty segments', () => fill(JPEG_START, Buffer.from([0xff, 0xfe, 0, 2]), EOI)],
    [
      'a JPEG with zeros behind it',
      () => fill(Buffer.concat([JPEG_START, SCAN, EOI]), Buffer.alloc(1), Buffer.alloc(0)),
    ],
    [
      'a PNG of empty chunks',
      () => fill(PNG_START, Buffer.from('00000000494441543 5af061e'.replaceAll(' ', ''), 'hex'), Buffer.alloc(0)),
    ],
    [
      'a PNG of one large chunk',
      () =>
        fill(
          Buffer.concat([PNG_START, Buffer.from('00980000', 'hex'), Buffer.from('IDAT')]),
          Buffer.from([7]),
          Buffer.alloc(0),
        ),
    ],
  ])('%s', async (_, file) => expect(await stallOf(file())).toBeLessThan(STALL_MS));
});
