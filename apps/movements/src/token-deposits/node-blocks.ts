import { Unavailable, lowestWhere } from '@ponte/kernel';
import type { BlockId } from '../chain/chain.port';
import type { LogNode, TransferLog } from '../transfer-logs/transfer-logs.port';

/** The node's block at that height. Rejects with `Unavailable` when it does not have one. */
export async function existingBlock(node: LogNode, number: number): Promise<BlockId & { readonly time: number }> {
  const block = await node.blockWithTime(number);
  if (block === null) throw new Unavailable('chain-unavailable', `the node does not have block ${number}`);
  return block;
}

/** Rejects with `Unavailable` when the node has another block at that height, or none. */
export async function requireBlock(node: LogNode, block: BlockId): Promise<void> {
  if ((await existingBlock(node, block.number)).hash !== block.hash)
    throw new Unavailable('chain-unavailable', `the node has another block ${block.number}`);
}

/** The lowest block that is not older than the time (epoch ms); `last` + 1 when all are older. */
export const firstSince = (node: LogNode, time: number, last: number): Promise<number> =>
  lowestWhere(last + 1, async (number) => (await existingBlock(node, number)).time >= time);

/** Each log once: a node may return one twice. */
export function uniqueLogs(logs: readonly TransferLog[]): readonly TransferLog[] {
  return [...new Map(logs.map((log) => [`${log.blockHash} ${log.logIndex}`, log])).values()];
}
