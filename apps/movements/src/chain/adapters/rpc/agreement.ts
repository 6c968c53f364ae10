import { Unavailable } from '@ponte/kernel';
import type { BlockId, FinalityEvidence, FinalityQuestion, MinedPlace, TransactionStatus } from '../../chain.port';

/** One node, as a source for finality. Both reads reject with `Unavailable` when the node does not answer. */
export interface FinalityNode {
  /** The newest block that the node considers final. */
  finalBlock(): Promise<BlockId>;
  /**
   * All evidence at that block. Rejects with `Unavailable` when the node does not have it, or has another block at its
   * height.
   */
  at(block: BlockId, question: FinalityQuestion): Promise<FinalityEvidence>;
}

/** How many nodes must agree when there is more than one: a single node may lag, stall, lie or follow a fork. */
const WITNESSES = 2;

/** How many of these nodes must agree: all of them where there are fewer than two. */
export const witnessesAmong = ({ length }: readonly unknown[]): number => Math.min(WITNESSES, length);

/**
 * The evidence on which the nodes agree, at the highest block that enough of them have and consider final. A node that
 * is behind that block, does not have it or does not answer is not counted. When nodes that have it contradict each
 * other, the evidence is unavailable, whichever node is right.
 */
export function agreedEvidence(nodes: readonly FinalityNode[], question: FinalityQuestion): Promise<FinalityEvidence> {
  return agreedAt(nodes, { tip: (node) => node.finalBlock(), ask: (node, block) => node.at(block, question), textOf });
}

/** A question that several nodes answer at the same block. */
interface AgreedQuestion<N, T> {
  /** The newest block at which the node may be asked. */
  tip(node: N): Promise<BlockId>;
  /** Rejects with `Unavailable` when the node does not have the block, or has another at its height. */
  ask(node: N, block: BlockId): Promise<T>;
  /** Equal texts mean that two answers agree. */
  textOf(answer: T): string;
}

/** The generic form of {@link agreedEvidence}. */
export async function agreedAt<N, T>(
  nodes: readonly N[],
  { tip, ask, textOf: answerText }: AgreedQuestion<N, T>,
): Promise<T> {
  const needed = witnessesAmong(nodes);
  const finals = (await answersOf(nodes, async (node) => ({ node, block: await tip(node) }))).sort(
    (a, b) => b.block.number - a.block.number,
  );
  let failure = new Unavailable(
    'chain-unavailable',
    `${finals.length} of the ${needed} nodes that must agree named a block`,
  );
  // A node on a fork may name a block that no other node has. In that case the next lower block is tried.
  for (const { block } of finals.slice(needed - 1)) {
    const answers = await answersOf(
      finals.filter((one) => one.block.number >= block.number),
      ({ node }) => ask(node, block),
    );
    const [first] = answers;
    if (answers.some((one) => first && answerText(one) !== answerText(first)))
      throw new Unavailable('chain-unavailable', `nodes contradict each other at block ${block.number}`);
    if (first && answers.length >= needed) return first;
    failure = new Unavailable(
      'chain-unavailable',
      `${answers.length} of the ${needed} nodes that must agree have block ${block.number} as ${block.hash}`,
    );
  }
  throw failure;
}

/** Whether any node answers true. Rejects with `Unavailable` when none does and too few answered. */
export async function seenByAny<N>(nodes: readonly N[], ask: (node: N) => Promise<boolean>): Promise<boolean> {
  const answers = await answersOf(nodes, ask);
  if (!answers.includes(true)) requireEnough(answers, nodes);
  return answers.includes(true);
}

/** What all nodes that answer say. Rejects with `Unavailable` when they contradict each other or too few answered. */
export async function agreedAnswer<N>(nodes: readonly N[], ask: (node: N) => Promise<boolean>): Promise<boolean> {
  const answers = await answersOf(nodes, ask);
  if (answers.includes(true) && answers.includes(false))
    throw new Unavailable('chain-unavailable', 'nodes contradict each other');
  requireEnough(answers, nodes);
  return answers.includes(true);
}

function requireEnough(answers: readonly unknown[], nodes: readonly unknown[]): void {
  const needed = witnessesAmong(nodes);
  if (answers.length < needed)
    throw new Unavailable('chain-unavailable', `${answers.length} of the ${needed} nodes that must agree answered`);
}

/** Whether enough nodes answer true. A node that does not answer counts as one that answers false. */
export async function seenByEnough<N>(nodes: readonly N[], ask: (node: N) => Promise<boolean>): Promise<boolean> {
  const answers = await answersOf(nodes, ask);
  return answers.filter(Boolean).length >= witnessesAmong(nodes);
}

export const isMined = (found: TransactionStatus): boolean => found.status === 'mined' && found.succeeded;

/** Whether the transaction is mined there, successfully, and is at least that old. */
export const isMinedAt = (found: TransactionStatus, { blockHash, confirmations }: MinedPlace): boolean =>
  found.status === 'mined' && found.succeeded && found.blockHash === blockHash && found.confirmations >= confirmations;

async function answersOf<T, R>(items: readonly T[], ask: (item: T) => Promise<R>): Promise<R[]> {
  const results = await Promise.allSettled(items.map(ask));
  for (const one of results) if (one.status === 'rejected' && !(one.reason instanceof Unavailable)) throw one.reason;
  return results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

function textOf({ block, minedCount, receipts, referenceTaken, role }: FinalityEvidence): string {
  const lines = receipts
    .map(({ hash, succeeded, blockNumber, blockHash }) => [hash, succeeded, blockNumber, blockHash].join(' '))
    .sort();
  return JSON.stringify([
    block.number,
    block.hash,
    minedCount,
    referenceTaken,
    role?.contract,
    role?.isOperator,
    lines,
  ]);
}
