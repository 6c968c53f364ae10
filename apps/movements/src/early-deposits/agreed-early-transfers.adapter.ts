import { agreedAt } from '../chain/adapters/rpc/agreement';
import { LogPages, TooMuch } from '../chain/adapters/rpc/log-pages';
import type { BlockId, Hex } from '../chain/block.port';
import { requireBlock, uniqueLogs } from '../token-deposits/node-blocks';
import type { LogNode, TransferLog } from '../token-deposits/transfer-logs.port';
import type { EarlyTransfers, Holding } from './early-transfers.port';

/** Reads from all nodes of a chain. With two or more nodes, two must agree. */
export class AgreedEarlyTransfers implements EarlyTransfers {
  private readonly pages = new LogPages();

  constructor(private readonly nodes: readonly LogNode[]) {}

  held(block: BlockId, holders: readonly Hex[]): Promise<readonly Holding[]> {
    return agreedAt(this.nodes, {
      tip: async () => block,
      textOf: (holdings) => holdings.map(({ units, isDeployed }) => `${units} ${isDeployed}`).join(', '),
      // Both are read by the hash of the block, so a node that has another block refuses.
      ask: async (node, at) => {
        const [units, deployed] = await Promise.all([node.unitsHeld(at, holders), node.areDeployed(at, holders)]);
        return holders.map((_, index) => ({ units: units[index] ?? 0n, isDeployed: deployed[index] ?? true }));
      },
    });
  }

  before(
    { last, most }: { readonly last: number; readonly most: number },
    tip: BlockId,
    recipients: readonly Hex[],
  ): Promise<{ readonly first: number; readonly transfers: readonly TransferLog[] }> {
    return this.pages.read(most, async (count) => {
      const first = last - count + 1;
      const transfers = await agreedAt(this.nodes, {
        tip: async () => tip,
        textOf,
        ask: async (node) => {
          await requireBlock(node, tip);
          const found = await node.transferLogs(first, last, recipients);
          if (found === 'too-much') throw new TooMuch();
          // The node has the same block before and after, so the logs in between are of that chain.
          await requireBlock(node, tip);
          return uniqueLogs(found);
        },
      });
      return { first, transfers };
    });
  }
}

const textOf = (transfers: readonly TransferLog[]): string =>
  transfers
    .map(({ asset, to, units, blockHash, logIndex }) => [asset, to, units, blockHash, logIndex].join(' '))
    .sort()
    .join(', ');
