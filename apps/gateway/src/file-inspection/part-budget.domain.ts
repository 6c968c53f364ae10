import { corrupted } from './file.errors';

/**
 * Ten times as many segments as a real file of 10 MB has. Walking this many takes some milliseconds, a million a
 * second.
 */
const MAX_PARTS = 20_000;

/** Limits the number of segments or chunks of an image. */
export class PartBudget {
  private left = MAX_PARTS;

  /** Counts one segment or chunk. Refuses `file-corrupted` if there are too many. */
  spend(): void {
    this.left -= 1;
    if (this.left < 0) corrupted(`an image must have at most ${MAX_PARTS} segments`);
  }
}
