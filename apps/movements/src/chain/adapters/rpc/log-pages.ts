import { Unavailable } from '@ponte/kernel';

/**
 * Blocks in the first page. Providers allow from 500 to 10,000. A page that is refused is halved; after a success the
 * size is doubled again.
 */
const FIRST_PAGE = 2_000;
const MAX_BLOCKS = 10_000;

/** A node refuses to search that many blocks at once. */
export class RangeTooWide extends Error {}

/** How many blocks of one node are searched for logs at once: as many as the node allows. */
export class LogPages {
  private size = FIRST_PAGE;

  /** The number of blocks in the next page. */
  get blocks(): number {
    return this.size;
  }

  /**
   * Reads one page of at most `most` blocks. `read` gets the number of blocks, and throws {@link RangeTooWide} when the
   * node refuses that many. Rejects with `Unavailable` when the node refuses the logs of a single block.
   */
  async read<T>(most: number, read: (blocks: number) => Promise<T>): Promise<T> {
    for (;;) {
      const blocks = Math.min(most, this.size);
      try {
        const logs = await read(blocks);
        this.size = Math.min(MAX_BLOCKS, this.size * 2);
        return logs;
      } catch (error) {
        if (!(error instanceof RangeTooWide)) throw error;
        if (blocks === 1) throw new Unavailable('chain-unavailable', 'the node refuses the logs of a single block');
        this.size = Math.max(1, Math.floor(blocks / 2));
      }
    }
  }
}
