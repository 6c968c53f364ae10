import { witnessesAmong } from '../chain/adapters/rpc/agreement';
import { LogPages, RangeTooWide } from '../chain/adapters/rpc/log-pages';
import type { Hex } from '../chain/block.port';
import type { LogNode, TransferLog } from './transfer-logs.port';

/** Reads the logs of one node, in pages of as many blocks as this node allows. */
export class NodeLogs {
  private readonly pages = new LogPages();

  constructor(readonly node: LogNode) {}

  /** How many blocks the node is asked for next. */
  get blocks(): number {
    return this.pages.blocks;
  }

  /**
   * The transfers in these blocks, page by page. Rejects with `Unavailable` when the node refuses the logs of a single
   * block: then it counts as a node that does not answer, and the others decide.
   */
  async *transfers(
    from: number,
    to: number,
    recipients: readonly Hex[] | null,
  ): AsyncGenerator<readonly TransferLog[], void> {
    for (let first = from; first <= to;) {
      const start = first;
      const page = await this.pages.read(to - start + 1, async (count) => {
        const logs = await this.node.transferLogs(start, start + count - 1, recipients);
        if (logs === 'too-much') throw new RangeTooWide();
        return { count, logs };
      });
      yield page.logs;
      first += page.count;
    }
  }
}

/**
 * How many blocks to compare at once: as many as the nodes that must agree allow in one request. A node that allows
 * fewer is asked several times, so one that refuses everything does not slow the others down.
 */
export const blocksAtOnce = (nodes: readonly NodeLogs[]): number =>
  nodes.map(({ blocks }) => blocks).sort((one, other) => other - one)[witnessesAmong(nodes) - 1] ?? 1;
