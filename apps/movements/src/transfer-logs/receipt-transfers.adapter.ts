import type { AssetId } from '@ponte/kernel';
import { Unavailable } from '@ponte/kernel';
import type { BlockId, Hex } from '../chain/block.port';
import type { JsonRpcNode, Returned as Malformable } from '../chain/adapters/rpc/json-rpc-node';
import { hexOf, malformed } from '../chain/adapters/rpc/json-rpc-node';
import { isAddress, isQuantity, isWord } from '../chain/adapters/rpc/json-rpc-values';
import type { RawLog, Returned } from './raw-logs.adapter';
import { TRANSFER_TOPIC, lower, transferOf } from './raw-logs.adapter';
import type { TransferLog } from './transfer-logs.port';

interface RawBlock {
  readonly number: Hex;
  readonly hash: Hex;
  readonly transactions: readonly Hex[];
}
interface ListedBlock extends BlockId {
  readonly transactions: readonly Hex[];
}

/** Receipts at once. They share one HTTP request, unless they are too large together. */
const AT_ONCE = 50;

/**
 * The transfers of known tokens to these recipients in one block, from the receipts of all its transactions. Receipts
 * have no limit of logs, and the gas of one transaction bounds their size. Rejects with `Unavailable` when the node
 * lacks one, or returns one of another block.
 */
export async function transfersInReceipts(
  node: JsonRpcNode,
  block: number | Hex,
  assets: ReadonlyMap<Hex, AssetId>,
  recipients: ReadonlySet<Hex>,
): Promise<readonly TransferLog[]> {
  const { transactions, ...id } = await listedBlock(node, block);
  const found: (readonly TransferLog[])[] = [];
  for (let at = 0; at < transactions.length; at += AT_ONCE) {
    // Each receipt is reduced to its transfers at once: the whole block need not fit into memory.
    const read = async (txHash: Hex) => transfersIn(await logsOf(node, txHash, id), txHash, id, assets);
    found.push(...(await Promise.all(transactions.slice(at, at + AT_ONCE).map(read))));
  }
  return found.flat().filter(({ to }) => recipients.has(to));
}

async function listedBlock(node: JsonRpcNode, block: number | Hex): Promise<ListedBlock> {
  const isHeight = typeof block === 'number';
  const method = isHeight ? 'eth_getBlockByNumber' : 'eth_getBlockByHash';
  const answer = await node.rpc<Malformable<RawBlock>>(method, [isHeight ? hexOf(block) : block, false]);
  if (answer === null) throw new Unavailable('chain-unavailable', `the node does not have block ${block}`);
  const { number, hash, transactions } = answer ?? {};
  if (!isQuantity(number) || !isWord(hash) || !Array.isArray(transactions) || !transactions.every(isWord))
    return malformed(method);
  if (isHeight ? Number(number) !== block : lower(hash) !== block)
    throw new Unavailable('chain-unavailable', `the node returned block ${Number(number)} for block ${block}`);
  return { number: Number(number), hash: lower(hash), transactions: transactions.map(lower) };
}

async function logsOf(node: JsonRpcNode, txHash: Hex, { number, hash }: BlockId): Promise<readonly unknown[]> {
  const receipt = await node.receipt(txHash);
  if (receipt === null || lower(receipt.transactionHash) !== txHash || lower(receipt.blockHash) !== hash)
    throw new Unavailable('chain-unavailable', `the node lacks a receipt of block ${number}`);
  return receipt.logs;
}

function transfersIn(
  logs: readonly unknown[],
  txHash: Hex,
  block: BlockId,
  assets: ReadonlyMap<Hex, AssetId>,
): readonly TransferLog[] {
  return (logs as readonly Returned<RawLog>[]).flatMap((log) => {
    const { address, topics } = log ?? {};
    // A log that cannot be read might be a transfer.
    if (!isAddress(address) || !Array.isArray(topics)) return malformed('eth_getTransactionReceipt');
    if (!assets.has(lower(address)) || topics[0] !== TRANSFER_TOPIC) return [];
    const transfer = transferOf(log, assets);
    if (transfer === null || transfer.removed || transfer.txHash !== txHash || transfer.blockHash !== block.hash)
      return malformed('eth_getTransactionReceipt');
    const { removed: _, ...rest } = transfer;
    return [rest];
  });
}
