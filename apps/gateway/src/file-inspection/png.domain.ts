import { PartBudget } from './part-budget.domain';
import { checkPixels } from './pixels.domain';
import { corrupted } from './file.errors';
import { checkTrailer } from './trailer.domain';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The bytes of length, type and CRC around a chunk's data. */
const CHUNK_FRAME = 12;
const HEADER_LENGTH = 13;

/** The bit depths that each colour type may have (PNG specification 11.2.1). */
const BIT_DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/**
 * The CRC of PNG chunks (ISO 3309). It is a native function, because a loop over ten million bytes would block the
 * event loop.
 */
export type Crc32 = (bytes: Uint8Array) => number;

export const isPng = (bytes: Buffer): boolean => bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE);

/** Walks the chunks: the header first, every checksum correct, image data, an end, and nothing after it. */
export function checkPng(bytes: Buffer, crc32: Crc32): void {
  let at = SIGNATURE.length;
  let pixelData = false;
  const budget = new PartBudget();
  for (let first = true; ; first = false) {
    budget.spend();
    const { type, data, next } = chunkAt(bytes, at, crc32);
    if (first !== (type === 'IHDR')) corrupted('a PNG must start with exactly one header');
    if (type === 'IHDR') checkHeader(data);
    if (type === 'IDAT') pixelData = true;
    at = next;
    if (type === 'IEND') break;
  }
  if (!pixelData) corrupted('the PNG contains no image');
  checkTrailer(bytes.subarray(at));
}

function chunkAt(bytes: Buffer, at: number, crc32: Crc32): { type: string; data: Buffer; next: number } {
  if (at + CHUNK_FRAME > bytes.length) corrupted('the PNG is cut off');
  const length = bytes.readUInt32BE(at);
  const end = at + CHUNK_FRAME + length;
  if (end > bytes.length) corrupted('the PNG is cut off');
  const type = bytes.toString('latin1', at + 4, at + 8);
  if (!/^[A-Za-z]{4}$/.test(type)) corrupted('the PNG has an invalid chunk');
  if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
    corrupted('a checksum of the PNG is wrong');
  return { type, data: bytes.subarray(at + 8, end - 4), next: end };
}

function checkHeader(data: Buffer): void {
  if (data.length !== HEADER_LENGTH) corrupted('the header of the PNG has a wrong length');
  const [depth, colour, compression, filter, interlace] = data.subarray(8);
  const known =
    BIT_DEPTHS[colour as number]?.includes(depth as number) === true &&
    compression === 0 &&
    filter === 0 &&
    (interlace === 0 || interlace === 1);
  if (!known) corrupted('the header of the PNG is not valid');
  checkPixels(data.readUInt32BE(0), data.readUInt32BE(4));
}
