import { corrupted } from './file.errors';

/**
 * Ten times as many as a file of 10 MB has in practice. A walk over that many takes some milliseconds, over a million a
 * second.
 */
const MOST_PARTS = 20_000;

/** How many segments or chunks a picture may have. */
export class PartBudget {
  private left = MOST_PARTS;

  /** Refuses `file-corrupted` when there are too many. */
  spend(): void {
    this.left -= 1;
    if (this.left < 0) corrupted(`an image must have at most ${MOST_PARTS} segments`);
  }
}
