import { lowestWhere, lruCache, Unavailable } from '@ponte/kernel';
import type { Hex } from '../../chain.port';

/** The logs in which mints are searched. All reads reject with `Unavailable` when the node does not answer. */
export interface MintLog {
  head(): Promise<number>;
  /** Epoch ms of a block. */
  timeOf(block: number): Promise<number>;
  /**
   * The transaction that took the reference in these blocks. `too-much` when the node refuses to search so many blocks
   * at once.
   */
  takenIn(reference: Hex, from: number, to: number): Promise<Hex | null | 'too-much'>;
}

/** Blocks in the first page. Providers allow from 500 to 10,000; a page that is refused is halved. */
const FIRST_PAGE = 10_000;
/** Pages per search, so that it ends within seconds. The next search for the reference continues there. */
const MAX_PAGES = 200;
/** The search starts this long before the time of the intent, because our clocks differ from the validators'. */
const MARGIN_MS = 600_000;
const REMEMBERED = 1_000;
/** The newest blocks are searched again in each search, because a reorg may have replaced them since the last one. */
const REPLACEABLE_BLOCKS = 200;

/**
 * Finds the transaction that took a reference, when it is known that it was taken. It is nearly always in the blocks
 * since the intent, so these are searched first. It is in earlier blocks if the event log was restored to an earlier
 * state; those blocks are searched from the newest to the oldest.
 */
export class MintSearch {
  private page = FIRST_PAGE;
  /** The blocks that unfinished searches have covered, by reference: from `from` up to, but not including, `to`. */
  private readonly covered = lruCache<Hex, { from: number; to: number }>(REMEMBERED);

  /**
   * Null when no block has it. Rejects with `Unavailable` when the search has used all its pages. Searches for one
   * reference that run at once share their progress, so a page sets the covered blocks and never adds to them: two
   * searches of the same page would otherwise skip the next one.
   */
  async find(log: MintLog, reference: Hex, since: number): Promise<Hex | null> {
    const head = await log.head();
    const coveredRange = this.covered.get(reference) ?? (await startOf(log, head, since));
    this.covered.set(reference, coveredRange);
    coveredRange.to = Math.min(coveredRange.to, Math.max(0, head + 1 - REPLACEABLE_BLOCKS));
    // A node may have refused a page for a reason other than its size, so each search tries a larger one.
    this.page = Math.min(FIRST_PAGE, this.page * 2);
    const budget = { pages: MAX_PAGES };
    while (coveredRange.to <= head) {
      const start = coveredRange.to;
      const { found, to } = await this.searchPage(log, reference, budget, (page) => [
        start,
        Math.min(head, start + page - 1),
      ]);
      if (found) return this.ended(reference, found);
      coveredRange.to = Math.max(coveredRange.to, to + 1);
    }
    while (coveredRange.from > 0) {
      const end = coveredRange.from;
      const { found, from } = await this.searchPage(log, reference, budget, (page) => [
        Math.max(0, end - page),
        end - 1,
      ]);
      if (found) return this.ended(reference, found);
      coveredRange.from = Math.min(coveredRange.from, from);
    }
    return this.ended(reference, null);
  }

  /** Forgets the covered blocks: a reorg may remove the mint that was found, and then all are searched again. */
  private ended<T>(reference: Hex, found: T): T {
    this.covered.delete(reference);
    return found;
  }

  /** Searches one page; `from` and `to` are its first and last block. */
  private async searchPage(
    log: MintLog,
    reference: Hex,
    budget: { pages: number },
    range: (page: number) => readonly [number, number],
  ) {
    for (;;) {
      if (budget.pages === 0)
        throw new Unavailable(
          'chain-unavailable',
          'the mint was not found in the blocks that one search covers; the next search continues there',
        );
      budget.pages -= 1;
      const [from, to] = range(this.page);
      const found = await log.takenIn(reference, from, to);
      if (found !== 'too-much') return { found, from, to };
      if (from === to) throw new Unavailable('chain-unavailable', 'the node refuses the logs of a single block');
      this.page = Math.max(1, Math.floor((to - from + 1) / 2));
    }
  }
}

/** The first block that is not older than the time, or the number after the head when all blocks are older. */
const firstBlockSince = (log: MintLog, head: number, time: number): Promise<number> =>
  lowestWhere(head + 1, async (block) => (await log.timeOf(block)) >= time);

async function startOf(log: MintLog, head: number, since: number): Promise<{ from: number; to: number }> {
  const start = await firstBlockSince(log, head, since - MARGIN_MS);
  return { from: start, to: start };
}
