import { PartBudget } from './part-budget.domain';
import { checkPixels } from './pixels.domain';
import { corrupted } from './file.errors';
import { checkTrailer } from './trailer.domain';

const START = Buffer.from([0xff, 0xd8, 0xff]);
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
const FILL = 0xff;
/** Baseline, extended and progressive frames, which browsers support. */
const SHOWN_FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);
/** Lossless, hierarchical and arithmetic frames. */
const OTHER_FRAMES: ReadonlySet<number> = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);
const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7;

export const isJpeg = (bytes: Buffer): boolean => bytes.subarray(0, START.length).equals(START);

/**
 * Walks the segments to the end of the image: one frame that browsers support, at least one scan, nothing cut off.
 * Phones append further images (gain maps, previews), each of which is checked in the same way.
 */
export function checkJpeg(bytes: Buffer): void {
  const budget = new PartBudget();
  let at = checkImage(bytes, 0, budget);
  while (isJpeg(bytes.subarray(at))) at = checkImage(bytes, at, budget);
  checkTrailer(bytes.subarray(at));
}

/** Returns the offset of the end of the image. */
function checkImage(bytes: Buffer, start: number, budget: PartBudget): number {
  let at = start + 2;
  let frame = false;
  let scan = false;
  for (;;) {
    budget.spend();
    const { marker, next } = markerAt(bytes, at);
    if (marker === END_OF_IMAGE) {
      if (!frame || !scan) corrupted('the JPEG contains no image');
      return next;
    }
    const length = next + 2 <= bytes.length ? bytes.readUInt16BE(next) : corrupted('the JPEG is cut off');
    if (length < 2 || next + length > bytes.length) corrupted('the JPEG is cut off');
    const segment = bytes.subarray(next + 2, next + length);
    if (OTHER_FRAMES.has(marker) || (SHOWN_FRAMES.has(marker) && frame))
      corrupted('the JPEG uses a compression that browsers do not support');
    if (SHOWN_FRAMES.has(marker)) frame = checkFrame(segment);
    if (marker === START_OF_SCAN && !frame) corrupted('the JPEG has image data before its frame header');
    if (marker === START_OF_SCAN) scan = true;
    at = marker === START_OF_SCAN ? endOfScan(bytes, next + length) : next + length;
  }
}

/** Reads a marker, which follows any number of 0xff bytes. */
function markerAt(bytes: Buffer, start: number): { marker: number; next: number } {
  let at = start;
  if (bytes[at] !== FILL) corrupted(at < bytes.length ? 'the JPEG has an invalid segment' : 'the JPEG is cut off');
  while (bytes[at] === FILL) at += 1;
  const marker = bytes[at];
  if (marker === undefined) return corrupted('the JPEG is cut off');
  // Markers below 0xc0 are not in use, and a start or restart marker is not allowed between segments.
  if (marker < 0xc0 || marker === 0xd8 || isRestart(marker)) corrupted('the JPEG has an invalid segment');
  return { marker, next: at + 1 };
}

/** Checks a frame header (ITU T.81 B.2.2). A height of zero, supplied later, would hide the number of pixels. */
function checkFrame(segment: Buffer): true {
  if (segment.length < 6 || segment.length !== 6 + 3 * (segment[5] as number) || segment[5] === 0)
    corrupted('the frame header of the JPEG has a wrong length');
  checkPixels(segment.readUInt16BE(3), segment.readUInt16BE(1));
  return true;
}

/** The offset after a scan. In image data, 0xff is followed by zero or a restart marker; anything else ends it. */
function endOfScan(bytes: Buffer, start: number): number {
  // Compare byte by byte: searching for each 0xff would take half a second if every other byte were one.
  for (let at = start; at + 1 < bytes.length; at += 1) {
    if (bytes[at] !== FILL) continue;
    const after = bytes[at + 1] as number;
    if (after === 0 || isRestart(after)) at += 1;
    else if (after !== FILL) return at;
  }
  return corrupted('the JPEG is cut off');
}
