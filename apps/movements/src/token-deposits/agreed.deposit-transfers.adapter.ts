import { Unavailable } from '@ponte/kernel';
import { agreedAt } from '../chain/adapters/rpc/agreement';
import type { BlockId, Hex } from '../chain/chain.port';
import { AgreedEarlyTransfers } from '../early-deposits/agreed.early-transfers.adapter';
import { DepositTransactions } from './deposit-transactions.adapter';
import type { DepositTransfers, OwnAddresses, TransfersOfBlock } from './deposit-transfers.port';
import { existingBlock, firstSince, requireBlock, uniqueLogs } from './node-blocks';
import type { AllWallets } from '../transfer-logs/node-logs.adapter';
import { NodeLogs, blocksAtOnce } from '../transfer-logs/node-logs.adapter';
import type { LogNode, TransferLog } from '../transfer-logs/transfer-logs.port';

/**
 * Reads which transfers of a chain are deposits, from all nodes of the chain. With two or more nodes, two must agree.
 */
export class AgreedTransfers implements DepositTransfers {
  private readonly logs: readonly NodeLogs[];
  /** The number of the final block that each node named when it was asked last. */
  private readonly finals = new Map<LogNode, number>();
  readonly early: AgreedEarlyTransfers;
  private readonly transactions = new Map<LogNode, DepositTransactions>();

  constructor(
    private readonly nodes: readonly LogNode[],
    private readonly ours: OwnAddresses,
  ) {
    this.logs = nodes.map((node) => new NodeLogs(node));
    this.early = new AgreedEarlyTransfers(this.logs);
  }

  get highestNamed(): number {
    return Math.max(0, ...this.finals.values());
  }

  final(): Promise<BlockId> {
    return this.tip(async (node) => {
      const block = await node.finalBlock().catch((error: unknown) => {
        // What it named was perhaps wrong, and would count until it answers again.
        this.finals.delete(node);
        throw error;
      });
      this.finals.set(node, block.number);
      return block;
    });
  }

  head(): Promise<BlockId> {
    return this.tip((node) => node.headBlock());
  }

  async at(number: number, tip: BlockId): Promise<BlockId> {
    if (number === tip.number) return tip;
    return agreedAt(this.nodes, {
      tip: async () => tip,
      textOf: ({ hash }) => hash,
      ask: async (node, end) => {
        const { hash } = await existingBlock(node, number);
        await requireBlock(node, end);
        return { number, hash };
      },
    });
  }

  async firstSince(time: number, tip: BlockId): Promise<number> {
    const found = await Promise.allSettled(this.nodes.map((node) => firstSince(node, time, tip.number)));
    const answers = found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    if (answers.length === 0)
      throw new Unavailable('chain-unavailable', 'no node could name the first block since a given time');
    return Math.min(...answers);
  }

  async read(
    from: number,
    tip: BlockId,
  ): Promise<{ readonly end: BlockId; readonly blocks: readonly TransfersOfBlock[] }> {
    const to = Math.min(tip.number, from + blocksAtOnce(this.logs) - 1);
    const end = await this.at(to, tip);
    let all: Promise<readonly Hex[]> | undefined;
    // The same wallets for all nodes, although others may be created in the meantime.
    const recipients = (await this.ours.recipients()) ?? [() => (all ??= this.ours.allWallets())];
    const blocks = await agreedAt(this.logs, {
      tip: async () => tip,
      textOf,
      ask: async (logs) => {
        await requireBlock(logs.node, end);
        const found = await this.depositsIn(logs, from, to, recipients);
        // The node has the same blocks before and after, so all reads in between are of that chain.
        await requireBlock(logs.node, end);
        if (end.hash !== tip.hash) await requireBlock(logs.node, tip);
        return found;
      },
    });
    return { end, blocks };
  }

  private tip(name: (node: LogNode) => Promise<BlockId>): Promise<BlockId> {
    const named = new Map<LogNode, BlockId>();
    return agreedAt(this.nodes, {
      tip: async (node) => {
        const block = await name(node);
        named.set(node, block);
        return block;
      },
      textOf: ({ hash }) => hash,
      ask: async (node, block) => {
        if (named.get(node)?.hash !== block.hash) await requireBlock(node, block);
        return block;
      },
    });
  }

  private async depositsIn(
    logs: NodeLogs,
    from: number,
    to: number,
    recipients: readonly (readonly Hex[] | AllWallets)[],
  ): Promise<readonly TransfersOfBlock[]> {
    const candidates: TransferLog[] = [];
    for (const group of recipients) {
      for await (const page of logs.transfers(from, to, group)) {
        // Transfers of zero units put look-alike addresses into the history of a wallet (address poisoning).
        for (const log of await this.fromOutside(page.filter(({ units }) => units > 0n))) candidates.push(log);
      }
    }
    const transfers = await this.withoutOwnTransactions(logs.node, uniqueLogs(candidates));
    const numbers = [...new Set(transfers.map(({ blockNumber }) => blockNumber))].sort((one, other) => one - other);
    return Promise.all(
      numbers.map(async (number) => {
        const { hash, time } = await existingBlock(logs.node, number);
        const inBlock = transfers
          .filter(({ blockNumber }) => blockNumber === number)
          .sort((one, other) => one.logIndex - other.logIndex);
        if (inBlock.some(({ blockHash }) => blockHash !== hash))
          throw new Unavailable('chain-unavailable', `the node returned logs of another block ${number}`);
        return { number, hash, time, transfers: inBlock };
      }),
    );
  }

  /** Transfers to wallets of accounts, but not from one: only our own movements take tokens out of wallets. */
  private async fromOutside(logs: readonly TransferLog[]): Promise<readonly TransferLog[]> {
    const wallets = await this.ours.wallets([...new Set(logs.flatMap(({ from, to }) => [from, to]))]);
    return logs.filter(({ from, to }) => wallets.has(to) && !wallets.has(from));
  }

  /** Removes transfers that our keys signed, such as mints. */
  private async withoutOwnTransactions(node: LogNode, logs: readonly TransferLog[]): Promise<readonly TransferLog[]> {
    if (logs.length === 0) return [];
    const transactions = this.transactions.get(node) ?? new DepositTransactions(node);
    this.transactions.set(node, transactions);
    return transactions.ofOutsiders(logs, await this.ours.senders());
  }
}

const textOf = (blocks: readonly TransfersOfBlock[]): string =>
  JSON.stringify(
    blocks.map(({ number, hash, time, transfers }) => [
      number,
      hash,
      time,
      transfers.map((one) => ({ ...one, units: one.units.toString() })),
    ]),
  );
