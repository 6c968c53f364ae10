import { Unavailable } from '@ponte/kernel';
import type { BroadcastRefusal, EvmChain, Hex } from '../chain/chain.port';

/** A transaction whose signed bytes are in the log. */
export interface StoredTransaction {
  readonly from: Hex;
  readonly nonce: number;
  readonly raw: Hex;
  readonly hash: Hex;
}

interface ResendReport {
  /** Transactions that the chain still has. */
  readonly known: number;
  readonly resent: number;
  /** Transactions that the node refused, with its reason. Their movements retry them as usual. */
  readonly refused: ReadonlyArray<{ readonly hash: Hex; readonly reason: BroadcastRefusal }>;
  /** Transactions that were not sent, because the log has no bytes for an earlier nonce. */
  readonly behindGap: readonly Hex[];
}

interface Sender {
  next: number;
  readonly waiting: Map<number, StoredTransaction>;
}

/**
 * Sends again, from their stored bytes, the transactions that a chain has lost: those since the last save of a local
 * chain's state, or all. `stored` is in the order of the log. The bytes are sent in the nonce order of each sender, so
 * that a transfer follows the mint that paid for it. Repeating this changes nothing. Rejects with `Unavailable` when
 * the node does not answer; the caller then starts again.
 */
export async function resendForgotten(
  chain: EvmChain,
  stored: Iterable<StoredTransaction> | AsyncIterable<StoredTransaction>,
): Promise<ResendReport> {
  const senders = new Map<Hex, Sender>();
  const report = { known: 0, resent: 0, refused: new Array<ResendReport['refused'][number]>() };
  for await (const transaction of stored) {
    const sender = await senderOf(transaction.from);
    if (transaction.nonce < sender.next) report.known += 1;
    else sender.waiting.set(transaction.nonce, transaction);
    await sendInOrder(sender);
  }
  const behindGap = [...senders.values()].flatMap(({ waiting }) => [...waiting.values()].map(({ hash }) => hash));
  return { ...report, behindGap };

  async function senderOf(from: Hex): Promise<Sender> {
    const known = senders.get(from);
    if (known !== undefined) return known;
    const sender: Sender = { next: await chain.nextNonce(from, 'latest'), waiting: new Map() };
    senders.set(from, sender);
    return sender;
  }

  async function sendInOrder(sender: Sender): Promise<void> {
    for (let due = sender.waiting.get(sender.next); due !== undefined; due = sender.waiting.get(sender.next)) {
      const outcome = await chain.broadcast(due.raw);
      if (outcome.outcome === 'unknown') throw new Unavailable('chain-unavailable', outcome.message);
      if (outcome.outcome === 'refused') report.refused.push({ hash: due.hash, reason: outcome.reason });
      else report.resent += 1;
      sender.waiting.delete(sender.next);
      sender.next += 1;
    }
  }
}
