import { corrupted, tooLarge } from './file.errors';

/**
 * A small file can decode to gigabytes; 50 million pixels are some 200 MB, and more than any scan of a document needs.
 */
export const MAX_PIXELS = 50_000_000;

/** What the header says, before anybody decodes it. */
export function checkPixels(width: number, height: number): void {
  if (width === 0 || height === 0) corrupted('the image has no width or no height');
  if (width * height > MAX_PIXELS) tooLarge(`an image must have at most ${MAX_PIXELS / 1_000_000} million pixels`);
}
