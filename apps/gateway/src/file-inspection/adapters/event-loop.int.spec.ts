import { randomBytes } from 'node:crypto';
import { MAX_EVIDENCE_BYTES } from '@ponte/contracts';
import { Refusal } from '@ponte/kernel';
import { localFileInspection } from './local.file-inspection.adapter';
import { PDF_LIMITS, PdfInspection } from './pdf-inspection';
import { plainPdf, streamOf } from '../testing/pdf-files';
import { workOnThisThread } from '../testing/work-on-this-thread';

/** Twice what the 20,000 segments of an image need. A million take less than a tenth of a second. */
const MAX_CALLS = 1_000_000;
/** On a slow machine a PDF may take longer than the service allows. */
const files = localFileInspection(new PdfInspection({ ...PDF_LIMITS, timeMs: 100_000 }));

const fill = (start: Buffer, piece: Buffer, end: Buffer): Buffer =>
  Buffer.concat([start, Buffer.alloc(MAX_EVIDENCE_BYTES - start.length - end.length - 20, piece), end]);
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const PNG_START = hex('89504e470d0a1a0a 0000000d 49484452 0000000200000002 0802000000 fdd49a73');
const EMPTY_CHUNK = hex('00000000 49444154 35af061e');
const JPEG_START = hex('ffd8 ffe00004abcd ffc0000b 08000c0010 01011100');
const EMPTY_SEGMENT = hex('fffe0002');
const SCAN = hex('ffda0008 010100003f00');
const EOI = hex('ffd9');
const NOTHING = Buffer.alloc(0);

/** The content type, or the message of the refusal. */
async function resultOf(bytes: Buffer): Promise<string> {
  try {
    return (await files.inspect(bytes)).contentType;
  } catch (error) {
    if (error instanceof Refusal) return error.violations[0]?.message ?? error.code;
    throw error;
  }
}

describe('the event loop is not blocked while a file of 10 MB is inspected', () => {
  it.each<[string, string, () => Buffer]>([
    [
      'a PDF of many objects',
      'application/pdf',
      () =>
        plainPdf(
          Object.fromEntries(
            Array.from({ length: 50_000 }, (_, at) => [at + 3, `<< /A [1 2 3] /B (${'x'.repeat(125)}) >>`]),
          ),
        ),
    ],
    [
      'a PDF of one picture',
      'application/pdf',
      () => plainPdf({ 3: streamOf('/Type /XObject', randomBytes(9_900_000)) }),
    ],
    [
      'a JPEG in which every other byte is 0xff',
      'image/jpeg',
      () => fill(Buffer.concat([JPEG_START, SCAN]), hex('ff00'), EOI),
    ],
    [
      'a JPEG with zeros behind it',
      'image/jpeg',
      () => fill(Buffer.concat([JPEG_START, SCAN, EOI]), hex('00'), NOTHING),
    ],
  ])('%s, which is accepted', async (_, contentType, file) => {
    const bytes = file();
    expect(bytes.length).toBeGreaterThan(0.9 * MAX_EVIDENCE_BYTES);
    const { result, calls, waited, programs } = await workOnThisThread(() => resultOf(bytes));
    // It waits for the thread that computes the hash, and for that of a PDF. PDFs are read with WebAssembly.
    expect({ result, waited, programs }).toEqual({ result: contentType, waited: true, programs: 0 });
    expect(calls).toBeLessThan(MAX_CALLS);
  });

  it.each<[string, string, () => Buffer]>([
    ['a JPEG of empty segments', 'at most 20000 segments', () => fill(JPEG_START, EMPTY_SEGMENT, EOI)],
    ['a PNG of empty chunks', 'at most 20000 segments', () => fill(PNG_START, EMPTY_CHUNK, NOTHING)],
    [
      'a PNG of one large chunk',
      'a checksum of the PNG is wrong',
      () => fill(Buffer.concat([PNG_START, hex('00980000'), Buffer.from('IDAT')]), hex('07'), NOTHING),
    ],
  ])('%s, which is refused', async (_, refusal, file) => {
    const bytes = file();
    const { result, calls } = await workOnThisThread(() => resultOf(bytes));
    expect(result).toContain(refusal);
    expect(calls).toBeLessThan(MAX_CALLS);
  });
});
