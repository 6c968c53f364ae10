import { corrupted, tooLarge } from './file.errors';

/** A small file can decode to gigabytes. 50 million pixels are about 200 MB, more than any scanned document needs. */
export const MAX_PIXELS = 50_000_000;

/** Checks the size from the header, before anything is decoded. */
export function checkPixels(width: number, height: number): void {
  if (width === 0 || height === 0) corrupted('the image has no width or no height');
  if (width * height > MAX_PIXELS) tooManyPixels();
}

/** Refuses a file for the size of one of its images. */
export const tooManyPixels = (): never =>
  tooLarge(`an image must have at most ${MAX_PIXELS / 1_000_000} million pixels`);
