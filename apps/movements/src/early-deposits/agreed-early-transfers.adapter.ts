import { agreedAt } from '../chain/adapters/rpc/agreement';
import { LogPages, TooMuch } from '../chain/adapters/rpc/log-pages';
import type { BlockId, Hex } from '../chain/block.port';
import { existingBlock, requireBlock, uniqueLogs } from '../token-deposits/node-blocks';
import type { LogNode, TransferLog } from '../token-deposits/transfer-logs.port';
import type { EarlyTransfers } from './early-transfers.port';

/** Reads from all nodes of a chain. With two or more nodes, two must agree. */
export class AgreedEarlyTransfers implements EarlyTransfers {
  private readonly pages = new LogPages();

  constructor(private readonly nodes: readonly LogNode[]) {}

  held(block: BlockId, holders: readonly Hex[]): Promise<{ readonly time: number; readonly units: readonly bigint[] }> {
    return agreedAt(this.nodes, {
      tip: async () => block,
      textOf: ({ time, units }) => [time, ...units].join(' '),
      ask: async (node, at) => {
        // The balances are read by the hash of the block, so a node that has another block refuses.
        const { time } = await existingBlock(node, at.number);
        return { time, units: await node.unitsHeld(at, holders) };
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
