import { lruCache, Unavailable } from '@ponte/kernel';
import type { Hex } from '../chain/chain.port';
import { transfersOfBlock } from '../transfer-logs/node-logs.adapter';
import type { LogNode, TransferLog } from '../transfer-logs/transfer-logs.port';

/** Number of cached answers: overlapping scans need the same ones again. */
const REMEMBERED = 20_000;
/**
 * Calls to a node at once, which share one HTTP request. Of the largest transactions that nodes relay (128 KiB, twice
 * as long in JSON), so many fit into the largest answer.
 */
const AT_ONCE = 25;

/**
 * The transactions of transfers, as one node has them. Their receipts are read only of a block whose logs the node
 * refuses: anyone can make large ones.
 */
export class DepositTransactions {
  private readonly senders = lruCache<string, Hex>(REMEMBERED);
  private readonly found = lruCache<string, true>(REMEMBERED);

  constructor(private readonly node: LogNode) {}

  /**
   * Removes the transfers of transactions that our keys signed. A transaction that moves a certificate moves no tokens
   * of ours: any in it were sent by the receiver of the certificate. Rejects with `Unavailable` when the node lacks a
   * transaction, or does not have a log in the block of its transaction.
   */
  async ofOutsiders(logs: readonly TransferLog[], ours: ReadonlySet<Hex>): Promise<readonly TransferLog[]> {
    const transactions = new Map(logs.map((log) => [log.txHash, log]));
    const own = new Map<Hex, Hex>();
    await eachOf([...transactions.values()], async ({ txHash, blockHash }) => {
      if (ours.has(await this.senderOf(txHash, blockHash))) own.set(txHash, blockHash);
    });
    const moves = new Set<Hex>();
    await eachOf([...new Set(own.values())], async (blockHash) => {
      for (const txHash of await this.node.certificateMoves(blockHash)) moves.add(txHash);
    });
    await this.requireInBlocks(logs);
    return logs.filter(({ txHash }) => !own.has(txHash) || moves.has(txHash));
  }

  private async senderOf(txHash: Hex, blockHash: Hex): Promise<Hex> {
    const key = `${blockHash} ${txHash}`;
    const known = this.senders.get(key);
    if (known !== undefined) return known;
    const mined = await this.node.minedTransaction(txHash);
    if (mined?.blockHash !== blockHash)
      throw new Unavailable('chain-unavailable', 'the node has a log, but not its transaction in the same block');
    this.senders.set(key, mined.sender);
    return mined.sender;
  }

  /** The logs were found in a range of blocks. The node must have the same ones when it is asked for their block. */
  private async requireInBlocks(logs: readonly TransferLog[]): Promise<void> {
    const unknown = logs.filter((log) => !this.found.has(textOf(log)));
    await eachOf([...new Set(unknown.map(({ blockHash }) => blockHash))], async (blockHash) => {
      const expected = unknown.filter((log) => log.blockHash === blockHash);
      const recipients = [...new Set(expected.map(({ to }) => to))];
      const inBlock = await transfersOfBlock(this.node, blockHash, recipients, (group) =>
        this.node.blockTransfers(blockHash, group),
      );
      const texts = new Set(inBlock.map(textOf));
      for (const log of expected) {
        if (!texts.has(textOf(log)))
          throw new Unavailable('chain-unavailable', 'the node has a log that is not in its block');
        this.found.set(textOf(log), true);
      }
    });
  }
}

const textOf = ({ units, ...log }: TransferLog): string =>
  [log.blockHash, log.logIndex, log.txHash, log.asset, log.from, log.to, units].join(' ');

async function eachOf<T>(items: readonly T[], read: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) await Promise.all(items.slice(at, at + AT_ONCE).map(read));
}
