import { crc32, deflateSync } from 'node:zlib';
import { MAX_EVIDENCE_BYTES } from '@ponte/contracts';
import { Refusal } from '@ponte/kernel';
import fc from 'fast-check';
import { inspectFile } from './inspect-file.domain';

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([u32(data.length), body, u32(crc32(body))]);
};
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const header = (width: number, height: number, rest = [8, 2, 0, 0, 0]): Buffer =>
  chunk('IHDR', Buffer.concat([u32(width), u32(height), Buffer.from(rest)]));
const PIXELS = chunk('IDAT', deflateSync(Buffer.alloc(2 * 7)));
const END = chunk('IEND', Buffer.alloc(0));
const png = (...chunks: readonly Buffer[]): Buffer => Buffer.concat([PNG_SIGNATURE, ...chunks]);
const PNG = png(header(2, 2), PIXELS, END);

const segment = (marker: number, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker]), u16(data.length + 2), data]);
const frame = (width: number, height: number, marker = 0xc0): Buffer =>
  segment(marker, Buffer.concat([Buffer.from([8]), u16(height), u16(width), Buffer.from([1, 1, 0x11, 0])]));
const SCAN = Buffer.concat([
  segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
  Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd3, 0x56]),
]);
const SOI = Buffer.from([0xff, 0xd8]);
const EOI = Buffer.from([0xff, 0xd9]);
const APP0 = segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1'));
const jpeg = (...parts: readonly Buffer[]): Buffer => Buffer.concat([SOI, APP0, ...parts]);
const JPEG = jpeg(frame(16, 12), SCAN, EOI);

function pdf(
  body = '1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n',
  head = '%PDF-1.7\n',
): Buffer {
  const start = head.length + body.length;
  return Buffer.from(
    `${head}${body}xref\n0 3\n0000000000 65535 f \ntrailer\n<< /Root 1 0 R /Size 3 >>\nstartxref\n${start}\n%%EOF\n`,
    'latin1',
  );
}
const PDF = pdf();
const ZIP_END = Buffer.concat([Buffer.from('PK\u0005\u0006', 'latin1'), Buffer.alloc(18)]);
const SAMSUNG = Buffer.from(
  '\0\0\x01\x0a\x0e\0\0\0Image_UTC_Data1700000000000SEFH\x6b\0\0\0\x01\0\0\0\x18\0\0\0SEFT',
  'latin1',
);

/** The end record of the archive is inside the PDF, and everything after it is the archive's comment. */
function zipInPdf(): Buffer {
  const file = pdf(`1 0 obj\n${ZIP_END.toString('latin1')}\nendobj\n`);
  const at = file.indexOf('PK\u0005\u0006', 0, 'latin1');
  file.writeUInt16LE(file.length - at - ZIP_END.length, at + 20);
  return file;
}

function codeOf(bytes: Uint8Array): string {
  try {
    return inspectFile(Buffer.from(bytes), crc32);
  } catch (error) {
    if (error instanceof Refusal && error.violations[0]?.path === 'file') return error.code;
    throw error;
  }
}

describe('JPEG, PNG, PDF by their first bytes', () => {
  it.each<[string, Buffer, string]>([
    ['a PNG', PNG, 'image/png'],
    ['a JPEG', JPEG, 'image/jpeg'],
    [
      'a progressive JPEG with two scans',
      jpeg(frame(16, 12, 0xc2), SCAN, segment(0xc4, Buffer.alloc(19)), SCAN, EOI),
      'image/jpeg',
    ],
    ['a JPEG with a preview after it', Buffer.concat([JPEG, JPEG]), 'image/jpeg'],
    ['a JPEG with zeros after it', Buffer.concat([JPEG, Buffer.alloc(7)]), 'image/jpeg'],
    ["a JPEG with its camera's trailer", Buffer.concat([JPEG, SAMSUNG]), 'image/jpeg'],
    ['a JPEG with fill bytes', jpeg(Buffer.from([0xff, 0xff]), frame(16, 12), SCAN, EOI), 'image/jpeg'],
    ['a PDF', PDF, 'application/pdf'],
    ['a PDF 2.0', pdf(undefined, '%PDF-2.0\n'), 'application/pdf'],
    [
      'a PDF with its references in a stream',
      Buffer.from('%PDF-1.5\n7 0 obj\n<< /Type /XRef >>\nendobj\nstartxref\n9\n%%EOF', 'latin1'),
      'application/pdf',
    ],
    ['an empty file', Buffer.alloc(0), 'unsupported-media-type'],
    ['a GIF', Buffer.from('GIF89a'), 'unsupported-media-type'],
    ['a ZIP', Buffer.from('PK\u0003\u0004'), 'unsupported-media-type'],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'unsupported-media-type'],
    ['a WebP', Buffer.from('RIFF\x24\0\0\0WEBPVP8 ', 'latin1'), 'unsupported-media-type'],
    ['a PDF that starts late', Buffer.concat([Buffer.from('\n'), PDF]), 'unsupported-media-type'],
  ])('%s', (_, bytes, expected) => {
    expect(codeOf(bytes)).toBe(expected);
  });

  it('are accepted up to 10 MB, which are 10,000,000 bytes', () => {
    expect(MAX_EVIDENCE_BYTES).toBe(10_000_000);
    expect(codeOf(Buffer.alloc(10_000_001))).toBe('file-too-large');
    expect(codeOf(Buffer.alloc(10_000_000))).toBe('unsupported-media-type');
    // The offset inside the file grows by some digits.
    const filled = pdf(' '.repeat(MAX_EVIDENCE_BYTES - pdf('').length - 10));
    expect(filled.length).toBeGreaterThan(MAX_EVIDENCE_BYTES - 20);
    expect(codeOf(filled)).toBe('application/pdf');
  });
});

describe('file bombs', () => {
  it.each<[string, Buffer, string]>([
    ['a PNG of 50 million pixels', png(header(10_000, 5_000), PIXELS, END), 'image/png'],
    ['a PNG with one more row', png(header(10_000, 5_001), PIXELS, END), 'file-too-large'],
    ['a PNG of 2^31 by 2^31', png(header(0x7fffffff, 0x7fffffff), PIXELS, END), 'file-too-large'],
    ['a JPEG of 65,535 by 65,535', jpeg(frame(65_535, 65_535), SCAN, EOI), 'file-too-large'],
    ['a bomb after a small JPEG', Buffer.concat([JPEG, jpeg(frame(65_535, 65_535), SCAN, EOI)]), 'file-too-large'],
    ['a JPEG whose height comes later', jpeg(frame(16, 0), SCAN, EOI), 'file-corrupted'],
    ['a PNG without width', png(header(0, 2), PIXELS, END), 'file-corrupted'],
  ])('%s', (_, bytes, expected) => {
    expect(codeOf(bytes)).toBe(expected);
  });
});

describe('files that are damaged, cut off or valid in two formats are refused', () => {
  const damagedCrc = Buffer.from(PNG);
  damagedCrc.writeUInt8(damagedCrc.readUInt8(29) ^ 1, 29);
  it.each<[string, Buffer]>([
    ['a PNG with a wrong checksum', damagedCrc],
    ['a PNG without pixels', png(header(2, 2), END)],
    ['a PNG without an end', png(header(2, 2), PIXELS)],
    ['a PNG without a header', png(PIXELS, END)],
    ['a PNG with two headers', png(header(2, 2), header(2, 2), PIXELS, END)],
    ['a PNG with an invalid colour type', png(header(2, 2, [8, 5, 0, 0, 0]), PIXELS, END)],
    ['a PNG with a chunk longer than the file', png(header(2, 2), u32(0xffffffff), Buffer.from('IDATxxxx'))],
    ['a PNG with an HTML page after it', Buffer.concat([PNG, Buffer.from('<script>')])],
    ['a PNG that is also a ZIP', png(header(2, 2), PIXELS, chunk('zzZz', ZIP_END), END, ZIP_END)],
    ['a PNG that is also a PDF', png(header(2, 2), chunk('teXt', Buffer.from('%PDF-1.4')), PIXELS, END)],
    ['a JPEG without an end', jpeg(frame(16, 12), SCAN)],
    ['a JPEG without a frame', jpeg(EOI)],
    ['a JPEG with pixels before the frame', jpeg(SCAN, frame(16, 12), EOI)],
    ['a JPEG with two frames', jpeg(frame(16, 12), frame(9_999, 9_999), SCAN, EOI)],
    ['a lossless JPEG', jpeg(frame(16, 12, 0xc3), SCAN, EOI)],
    [
      'a JPEG with a frame that lies about its length',
      jpeg(segment(0xc0, Buffer.from([8, 0, 12, 0, 16, 3, 1, 0x11, 0])), SCAN, EOI),
    ],
    ['a JPEG with a segment of length 1', jpeg(Buffer.from([0xff, 0xe1, 0, 1]), frame(16, 12), SCAN, EOI)],
    ['a JPEG with an archive after it', Buffer.concat([JPEG, Buffer.from('PK\u0003\u0004abc'), ZIP_END])],
    ['a JPEG with a script in a camera trailer', Buffer.concat([JPEG, Buffer.from('<script>'), SAMSUNG])],
    ['a JPEG with any data after it', Buffer.concat([JPEG, Buffer.from('x')])],
    ['the start of a JPEG alone', Buffer.from([0xff, 0xd8, 0xff])],
    ['a PDF cut off', PDF.subarray(0, PDF.length - 10)],
    ['a PDF with half of its objects lost', Buffer.concat([PDF.subarray(0, 20), PDF.subarray(60)])],
    ['a PDF with an invalid version', pdf(undefined, '%PDF-9.9\n')],
    ['a PDF with data after it', Buffer.concat([PDF, Buffer.from('<html>')])],
    ['a PDF that is also a ZIP', zipInPdf()],
  ])('%s', (_, bytes) => {
    expect(codeOf(bytes)).toBe('file-corrupted');
  });

  it('with a message about motion photos if a video follows the image, which a new photograph would have again', () => {
    const video = Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0isommp42', 'latin1');
    const message = 'the file contains other data after the image, such as the video of a motion photo';
    const refusal: unknown = expect.objectContaining({
      violations: [{ code: 'file-corrupted', path: 'file', message }],
    });
    expect(() => inspectFile(Buffer.concat([JPEG, video]), crc32)).toThrow(refusal as Error);
  });

  it('at every cut of every format, without any other error', () => {
    for (const file of [PNG, JPEG, PDF.subarray(0, PDF.length - 1)]) {
      for (let length = 0; length < file.length; length++)
        expect(codeOf(file.subarray(0, length))).toMatch(/^(file-corrupted|unsupported-media-type)$/);
    }
  });

  it('with a known code for any bytes and any change of valid ones', () => {
    const known = /^(image\/png|image\/jpeg|application\/pdf|file-corrupted|file-too-large|unsupported-media-type)$/;
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(codeOf(bytes)).toMatch(known);
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom(PNG, JPEG, PDF), fc.nat(), fc.integer({ min: 0, max: 255 }), (file, at, byte) => {
        const changed = Buffer.from(file);
        changed[at % file.length] = byte;
        expect(codeOf(changed)).toMatch(known);
      }),
      { numRuns: 1_000 },
    );
  });
});
