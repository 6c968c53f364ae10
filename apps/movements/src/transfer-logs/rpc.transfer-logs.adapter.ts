import type { AssetId } from '@ponte/kernel';
import { Unavailable } from '@ponte/kernel';
import { outageOf } from '../chain/adapters/rpc/broadcast-outcome';
import type { Deployment } from '../chain/adapters/deployment';
import { hexOf, malformed } from '../chain/adapters/rpc/json-rpc-node';
import { isAddress, isWord } from '../chain/adapters/rpc/json-rpc-values';
import { isRangeTooWide } from '../chain/adapters/rpc/log-range';
import type { ChainNode } from '../chain/adapters/rpc/node';
import type { BlockId, Hex, TokenRequest } from '../chain/chain.port';
import { NFT_MOVED_TOPIC, TRANSFER_TOPIC, lower, transferOf } from './raw-logs.adapter';
import type { NotedLog, RawLog, Returned } from './raw-logs.adapter';
import { transfersInReceipts } from './receipt-transfers.adapter';
import { showsMovement } from './movement-logs.adapter';
import type { LogNode, MinedTransaction, TransferLog } from './transfer-logs.port';

interface RawTransaction {
  readonly from: Hex;
  readonly blockHash: Hex | null;
}
/** A receiver that no transfer has: an address has twelve bytes of zeros before it in a topic. */
const NO_RECEIVER: Hex = `0x${'f'.repeat(64)}`;
const wordOf = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`;

/**
 * Logs over JSON-RPC, from one endpoint. Logs of contracts, topics or blocks that were not requested count as an outage
 * of the endpoint.
 */
export class RpcLogNode implements LogNode {
  private readonly assets: ReadonlyMap<Hex, AssetId>;
  private readonly custody: Hex;

  constructor(
    private readonly node: ChainNode,
    private readonly deployment: Deployment,
  ) {
    const { tokens, custody } = deployment;
    this.custody = lower(custody);
    this.assets = new Map(Object.entries(tokens).map(([asset, address]) => [lower(address), asset as AssetId]));
  }

  headBlock(): Promise<BlockId> {
    return this.node.headBlock();
  }

  finalBlock(): Promise<BlockId> {
    return this.node.finalBlock();
  }

  async blockWithTime(number: number): Promise<(BlockId & { readonly time: number }) | null> {
    const block = await this.node.block(number);
    if (block !== null && block.number !== number)
      throw new Unavailable('chain-unavailable', `the node returned block ${block.number} for block ${number}`);
    return block && { ...block, hash: lower(block.hash) };
  }

  async transferLogs(
    from: number,
    to: number,
    recipients: readonly Hex[] | null,
  ): Promise<readonly TransferLog[] | 'too-much'> {
    const range = { fromBlock: hexOf(from), toBlock: hexOf(to) };
    return this.transfersIn(range, recipients, ({ blockNumber }) => blockNumber >= from && blockNumber <= to);
  }

  async blockTransfers(blockHash: Hex, recipients: readonly Hex[]): Promise<readonly TransferLog[] | 'too-much'> {
    return this.transfersIn({ blockHash }, recipients, (log) => log.blockHash === blockHash);
  }

  async receiptTransfers(block: number | Hex, recipients: readonly Hex[]): Promise<readonly TransferLog[]> {
    const range = typeof block === 'number' ? { fromBlock: hexOf(block), toBlock: hexOf(block) } : { blockHash: block };
    const address = [...this.assets.keys()];
    const none = await this.logsOf({ address, topics: [TRANSFER_TOPIC, null, [NO_RECEIVER]], ...range });
    if (none === 'too-much')
      throw new Unavailable('chain-unavailable', `the node refuses every search for logs in block ${block}`);
    return transfersInReceipts(this.node, block, this.assets, new Set(recipients));
  }

  private async transfersIn(
    range: object,
    recipients: readonly Hex[] | null,
    isInRange: (log: TransferLog) => boolean,
  ): Promise<readonly TransferLog[] | 'too-much'> {
    if (this.assets.size === 0 || recipients?.length === 0) return [];
    const topics = recipients === null ? [TRANSFER_TOPIC] : [TRANSFER_TOPIC, null, recipients.map(wordOf)];
    const logs = await this.logsOf({ address: [...this.assets.keys()], topics, ...range });
    if (logs === 'too-much') return logs;
    const transfers = logs.map((log) => transferOf(log, this.assets)).filter((one) => one !== null);
    if (transfers.length < logs.length || !transfers.every(isInRange))
      throw new Unavailable('chain-unavailable', 'the node returned logs that were not requested');
    await this.requireReplaced(transfers.filter(({ removed }) => removed));
    return transfers.flatMap(({ removed, ...log }) => (removed ? [] : [log]));
  }

  private async logsOf(filter: object): Promise<readonly Returned<RawLog>[] | 'too-much'> {
    let logs: unknown;
    try {
      logs = await this.node.ask('eth_getLogs', [filter]);
    } catch (error) {
      // Providers reject a range that is too wide with many different messages and codes, some of them with a timeout.
      if (isRangeTooWide(error)) return 'too-much';
      throw new Unavailable('chain-unavailable', outageOf(error));
    }
    if (!Array.isArray(logs)) throw new Unavailable('chain-unavailable', 'the node returned no list of logs');
    return logs as readonly Returned<RawLog>[];
  }

  /**
   * A log that was removed is of a block that a reorg replaced: it never happened, and providers may return it for a
   * long time. When the node still has that block, it contradicts itself, and rejects with `Unavailable`.
   */
  private async requireReplaced(removed: readonly NotedLog[]): Promise<void> {
    const blocks = new Map(removed.map(({ blockHash, blockNumber }) => [blockHash, blockNumber]));
    for (const [hash, number] of blocks)
      if ((await this.blockWithTime(number))?.hash === hash)
        throw new Unavailable('chain-unavailable', `the node has removed a log of block ${number}, which it has`);
  }

  unitsHeld(block: BlockId, holders: readonly Hex[]): Promise<readonly bigint[]> {
    const tokens = [...this.assets.keys()];
    return Promise.all(
      holders.map(async (holder) => {
        const balances = await Promise.all(tokens.map((token) => this.node.heldAt(token, holder, block)));
        return balances.reduce((sum, units) => sum + units, 0n);
      }),
    );
  }

  areDeployed(block: BlockId, wallets: readonly Hex[]): Promise<readonly boolean[]> {
    return Promise.all(wallets.map((wallet) => this.node.hasCode(wallet, block)));
  }

  async minedTransaction(txHash: Hex): Promise<MinedTransaction | null> {
    // Not the receipt: anyone can send a transaction whose receipt is too large for any limit.
    const mined = await this.node.rpc<Returned<RawTransaction>>('eth_getTransactionByHash', [txHash]);
    if (!mined || mined.blockHash === null) return null;
    const { from, blockHash } = mined;
    if (!isAddress(from) || !isWord(blockHash))
      throw new Unavailable('chain-unavailable', 'the node returned a malformed transaction');
    return { sender: lower(from), blockHash: lower(blockHash) };
  }

  async certificateMoves(blockHash: Hex): Promise<readonly Hex[]> {
    const logs = await this.logsOf({ address: this.custody, topics: [NFT_MOVED_TOPIC], blockHash });
    if (logs === 'too-much') throw new Unavailable('chain-unavailable', 'the node refuses the logs of our contract');
    return logs.flatMap((log) => {
      const { address, topics, transactionHash, blockHash: of, removed } = log ?? {};
      const isMove = isAddress(address) && lower(address) === this.custody && Array.isArray(topics);
      if (
        !isMove ||
        topics[0] !== NFT_MOVED_TOPIC ||
        !isWord(transactionHash) ||
        !isWord(of) ||
        lower(of) !== blockHash
      )
        throw new Unavailable('chain-unavailable', 'the node returned logs that were not requested');
      return removed === true ? [] : [lower(transactionHash)];
    });
  }
  minedCount(sender: Hex, block: BlockId): Promise<number> {
    return this.node.transactionCount(sender, block);
  }

  async hasMovement(txHash: Hex, request: TokenRequest): Promise<boolean> {
    const receipt = await this.node.receipt(txHash);
    if (receipt === null) throw new Unavailable('chain-unavailable', 'the node lacks the receipt of the transaction');
    if (lower(receipt.transactionHash) !== txHash) return malformed('eth_getTransactionReceipt');
    return showsMovement(receipt.logs, this.deployment, request);
  }
}
