import { Unavailable } from '@ponte/kernel';
import type { BlockId, Hex } from '../../chain.port';
import type { Deployment } from '../deployment';
import { hexOf } from '../rpc/json-rpc-node';
import { isWord } from '../rpc/json-rpc-values';
import type { ChainNode } from '../rpc/node';
import { takenCall } from '../rpc/references';

/** Blocks before the final one whose logs, transactions and receipts every node must have, at least. */
export const HISTORY_BLOCKS = 10_000;
/** A first topic that no event has, so that the searches find nothing. Also a reference that nothing has. */
const NO_EVENT: Hex = `0x${'f'.repeat(64)}`;

/** What a node does not provide. */
export interface UnmetRequirement {
  /** The place of the node in the settings, from 1. */
  readonly node: number;
  /** Null when the node does not answer at all, so that nothing is known. */
  readonly lacks: string | null;
  readonly reason: string;
}

interface Subject {
  readonly node: ChainNode;
  readonly deployment: Deployment;
}
interface Requirement {
  readonly what: string;
  /** Rejects with `Unavailable` when the node does not provide it. */
  readonly read: (subject: Subject, final: BlockId) => Promise<unknown>;
}

const earliestOf = ({ number }: BlockId): number => Math.max(0, number - HISTORY_BLOCKS);

const REQUIREMENTS: readonly Requirement[] = [
  {
    what: 'the state at the final block, by its hash (eth_call, eth_getCode, eth_getTransactionCount; EIP-1898)',
    // The contracts may be newer than the final block.
    read: async ({ node, deployment }, final) => {
      const { to, data } = takenCall(deployment, 'minter', NO_EVENT);
      await node.callData(to, data, final);
      await node.hasCode(to, final);
      await node.transactionCount(to, final);
    },
  },
  {
    what: 'logs by the hash of their block (eth_getLogs)',
    read: ({ node, deployment }, { hash: blockHash }) => searchLogs(node, { address: deployment.minter, blockHash }),
  },
  {
    what: `logs of the last ${HISTORY_BLOCKS} final blocks (eth_getLogs)`,
    read: ({ node, deployment }, final) => {
      const at = hexOf(earliestOf(final));
      return searchLogs(node, { address: deployment.minter, fromBlock: at, toBlock: at });
    },
  },
  {
    what: `blocks, transactions and receipts of the last ${HISTORY_BLOCKS} final blocks`,
    read: async ({ node }, final) => readTransaction(node, earliestOf(final)),
  },
  {
    what: 'fees (eth_maxPriorityFeePerGas)',
    read: ({ node }) => node.feeQuote(),
  },
];

/**
 * What the nodes of a chain lack of what is read from them. Each node that answers must provide all of it: any of them
 * may be the one that is read, and two of them must agree. Never rejects.
 */
export async function unmetRequirements(
  nodes: readonly ChainNode[],
  deployment: Deployment,
): Promise<readonly UnmetRequirement[]> {
  const found = await Promise.all(nodes.map((node) => lackedBy({ node, deployment })));
  return found.flatMap((unmet, at) => unmet.map((one) => ({ node: at + 1, ...one })));
}

type Unmet = Omit<UnmetRequirement, 'node'>;

async function lackedBy(subject: Subject): Promise<readonly Unmet[]> {
  const { node } = subject;
  let final: BlockId;
  try {
    final = await node.finalBlock();
  } catch (error) {
    return whileReachable(node, [{ lacks: 'the final block (eth_getBlockByNumber)', reason: reasonOf(error) }]);
  }
  const unmet: Unmet[] = [];
  for (const { what, read } of REQUIREMENTS) {
    try {
      await read(subject, final);
    } catch (error) {
      unmet.push({ lacks: what, reason: reasonOf(error) });
    }
  }
  return unmet.length === 0 ? unmet : whileReachable(node, unmet);
}

/** An answer that is missing says nothing while the node answers nothing else either. */
async function whileReachable(node: ChainNode, unmet: readonly Unmet[]): Promise<readonly Unmet[]> {
  try {
    await node.chainId();
    return unmet;
  } catch (error) {
    return [{ lacks: null, reason: reasonOf(error) }];
  }
}

async function searchLogs(node: ChainNode, filter: object): Promise<void> {
  const logs = await node.rpc<unknown>('eth_getLogs', [{ ...filter, topics: [NO_EVENT] }]);
  if (!Array.isArray(logs)) lack('the node returned no list of logs');
}

/** Reads a block by its number and its hash, and its first transaction, if it has any, with the receipt. */
async function readTransaction(node: ChainNode, number: number): Promise<void> {
  const { hash } = await node.existingBlock(number);
  const block = await node.rpc<{ readonly transactions?: unknown } | null>('eth_getBlockByHash', [hash, false]);
  if (!Array.isArray(block?.transactions)) return lack(`the node does not have block ${number} by its hash`);
  const [txHash] = block.transactions as readonly unknown[];
  if (txHash === undefined) return;
  if (!isWord(txHash)) return lack(`the node does not list the transactions of block ${number} by their hashes`);
  if (!(await node.rpc<unknown>('eth_getTransactionByHash', [txHash])))
    return lack(`the node does not have the first transaction of block ${number}`);
  if ((await node.receipt(txHash)) === null)
    return lack(`the node does not have the receipt of the first transaction of block ${number}`);
}

function lack(reason: string): never {
  throw new Unavailable('chain-unavailable', reason);
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown error');
