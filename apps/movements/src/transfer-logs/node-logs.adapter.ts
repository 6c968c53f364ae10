import { witnessesAmong } from '../chain/adapters/rpc/agreement';
import { LogPages, RangeTooWide } from '../chain/adapters/rpc/log-pages';
import type { Hex } from '../chain/block.port';
import type { LogNode, TransferLog } from './transfer-logs.port';

/** Recipients per request to a node: providers allow 1,000 or more in a filter. */
export const RECIPIENTS_AT_ONCE = 500;
/** Into how many groups the recipients are divided when a node refuses the logs of one block. */
const GROUPS = 8;

/** Names the wallets of a chain that has too many of them for every request. */
export type AllWallets = () => Promise<readonly Hex[]>;

/**
 * The transfers of one block to these recipients, of whom there may be any number. They are read in groups that fit
 * into one request, and in smaller ones while the node refuses them: anyone can fill a block with transfers. `too-much`
 * when it refuses those to a single recipient.
 */
export async function inGroups(
  recipients: readonly Hex[],
  read: (group: readonly Hex[]) => Promise<readonly TransferLog[] | 'too-much'>,
): Promise<readonly TransferLog[] | 'too-much'> {
  const fits = recipients.length <= RECIPIENTS_AT_ONCE;
  const logs = fits ? await read(recipients) : 'too-much';
  if (logs !== 'too-much' || recipients.length <= 1) return logs;
  const size = fits ? Math.ceil(recipients.length / GROUPS) : RECIPIENTS_AT_ONCE;
  const found: (readonly TransferLog[])[] = [];
  for (let at = 0; at < recipients.length; at += size) {
    const group = await inGroups(recipients.slice(at, at + size), read);
    if (group === 'too-much') return group;
    found.push(group);
  }
  return found.flat();
}

/**
 * The transfers of one block, a height or a hash, to these recipients. `read` gets those to a group of them, and is
 * tried first: it is a search of the node's index. If the node refuses even those to a single recipient, they are
 * picked from the receipts of the block, once for all recipients. Rejects with `Unavailable` when the node refuses the
 * receipts too: then it counts as a node that does not answer, and the others decide.
 */
export async function transfersOfBlock(
  node: Pick<LogNode, 'receiptTransfers'>,
  block: number | Hex,
  recipients: readonly Hex[],
  read: (group: readonly Hex[]) => Promise<readonly TransferLog[] | 'too-much'>,
): Promise<readonly TransferLog[]> {
  const logs = await inGroups(recipients, read);
  return logs === 'too-much' ? node.receiptTransfers(block, recipients) : logs;
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
   * The transfers to these recipients in these blocks, page by page. With `AllWallets` they are those to anyone, or to
   * the wallets if the node refuses to return all those of a single block. Rejects with `Unavailable` as
   * {@link transfersOfBlock} does.
   */
  async *transfers(
    from: number,
    to: number,
    recipients: readonly Hex[] | AllWallets,
  ): AsyncGenerator<readonly TransferLog[], void> {
    for (let first = from; first <= to;) {
      const start = first;
      const page = await this.pages.read(to - start + 1, async (count) => {
        const logs = await this.logsIn(start, start + count - 1, recipients);
        if (logs === 'too-much') throw new RangeTooWide();
        return { count, logs };
      });
      yield page.logs;
      first += page.count;
    }
  }

  private async logsIn(
    from: number,
    to: number,
    recipients: readonly Hex[] | AllWallets,
  ): Promise<readonly TransferLog[] | 'too-much'> {
    const read = (some: readonly Hex[] | null) => this.node.transferLogs(from, to, some);
    const areNamed = typeof recipients !== 'function';
    const inBlock = (some: readonly Hex[]) => transfersOfBlock(this.node, from, some, read);
    if (areNamed && from === to) return inBlock(recipients);
    const logs = await read(areNamed ? recipients : null);
    return logs === 'too-much' && !areNamed && from === to ? inBlock(await recipients()) : logs;
  }
}

/**
 * How many blocks to compare at once: as many as the nodes that must agree allow in one request. A node that allows
 * fewer is asked several times, so one that refuses everything does not slow the others down.
 */
export const blocksAtOnce = (nodes: readonly NodeLogs[]): number =>
  nodes.map(({ blocks }) => blocks).sort((one, other) => other - one)[witnessesAmong(nodes) - 1] ?? 1;
