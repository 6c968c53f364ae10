import { witnessesAmong } from '../chain/adapters/rpc/agreement';
import { LogPages, RangeTooWide } from '../chain/adapters/rpc/log-pages';
import type { Hex } from '../chain/block.port';
import type { LogNode, TransferLog } from './transfer-logs.port';

/** Into how many groups the recipients are divided when a node refuses the logs of one block. */
const GROUPS = 8;

/**
 * The transfers of one block to these recipients, read in smaller groups while the node refuses them: anyone can fill a
 * block with transfers. `too-much` when it refuses those to a single recipient.
 */
export async function inGroups(
  recipients: readonly Hex[],
  read: (group: readonly Hex[]) => Promise<readonly TransferLog[] | 'too-much'>,
): Promise<readonly TransferLog[] | 'too-much'> {
  const logs = await read(recipients);
  if (logs !== 'too-much' || recipients.length <= 1) return logs;
  const size = Math.ceil(recipients.length / GROUPS);
  const found: (readonly TransferLog[])[] = [];
  for (let at = 0; at < recipients.length; at += size) {
    const group = await inGroups(recipients.slice(at, at + size), read);
    if (group === 'too-much') return group;
    found.push(group);
  }
  return found.flat();
}

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
   * block, even those to a single recipient: then it counts as a node that does not answer, and the others decide.
   */
  async *transfers(
    from: number,
    to: number,
    recipients: readonly Hex[] | null,
  ): AsyncGenerator<readonly TransferLog[], void> {
    for (let first = from; first <= to;) {
      const start = first;
      const page = await this.pages.read(to - start + 1, async (count) => {
        const read = (some: readonly Hex[] | null) => this.node.transferLogs(start, start + count - 1, some);
        const logs = await (count === 1 && recipients ? inGroups(recipients, read) : read(recipients));
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
