import { agreedAt } from '../chain/adapters/rpc/agreement';
import type { BlockId, Hex } from '../chain/block.port';
import { requireBlock, uniqueLogs } from '../token-deposits/node-blocks';
import type { NodeLogs } from '../transfer-logs/node-logs.adapter';
import { blocksAtOnce } from '../transfer-logs/node-logs.adapter';
import type { TransferLog } from '../transfer-logs/transfer-logs.port';
import type { EarlyTransfers, Holding } from './early-transfers.port';

/** Reads from all nodes of a chain. With two or more nodes, two must agree. */
export class AgreedEarlyTransfers implements EarlyTransfers {
  constructor(private readonly nodes: readonly NodeLogs[]) {}

  held(block: BlockId, holders: readonly Hex[]): Promise<readonly Holding[]> {
    return agreedAt(this.nodes, {
      tip: async () => block,
      textOf: (holdings) => holdings.map(({ units, isDeployed }) => `${units} ${isDeployed}`).join(', '),
      // Both are read by the hash of the block, so a node that has another block refuses.
      ask: async ({ node }, at) => {
        const [units, deployed] = await Promise.all([node.unitsHeld(at, holders), node.areDeployed(at, holders)]);
        return holders.map((_, index) => ({ units: units[index] ?? 0n, isDeployed: deployed[index] ?? true }));
      },
    });
  }

  async before(
    { last, most }: { readonly last: number; readonly most: number },
    tip: BlockId,
    recipients: readonly Hex[],
  ): Promise<{ readonly first: number; readonly transfers: readonly TransferLog[] }> {
    const first = last - Math.min(most, blocksAtOnce(this.nodes)) + 1;
    const transfers = await agreedAt(this.nodes, {
      tip: async () => tip,
      textOf,
      ask: async (logs) => {
        await requireBlock(logs.node, tip);
        const transfers: TransferLog[] = [];
        for await (const page of logs.transfers(first, last, recipients)) for (const log of page) transfers.push(log);
        // The node has the same block before and after, so the logs in between are of that chain.
        await requireBlock(logs.node, tip);
        return uniqueLogs(transfers);
      },
    });
    return { first, transfers };
  }
}

const textOf = (transfers: readonly TransferLog[]): string =>
  transfers
    .map(({ asset, to, units, blockHash, logIndex }) => [asset, to, units, blockHash, logIndex].join(' '))
    .sort()
    .join(', ');
