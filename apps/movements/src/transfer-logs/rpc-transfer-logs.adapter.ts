import type { AssetId } from '@ponte/kernel';
import { Unavailable } from '@ponte/kernel';
import { encodeEventTopics, toEventSelector } from 'viem';
import { CUSTODY_ABI } from '../chain/adapters/rpc/abi';
import { outageOf } from '../chain/adapters/rpc/broadcast-outcome';
import type { Deployment } from '../chain/adapters/deployment';
import { hexOf } from '../chain/adapters/rpc/json-rpc-node';
import { isAddress, isQuantity, isWord } from '../chain/adapters/rpc/json-rpc-values';
import { isRangeTooWide } from '../chain/adapters/rpc/log-range';
import type { ChainNode } from '../chain/adapters/rpc/node';
import type { BlockId, Hex } from '../chain/chain.port';
import type { LogNode, LoggedTransaction, TransferLog } from './transfer-logs.port';

/** The first topic of an ERC-20 (and TIP-20) transfer. */
export const TRANSFER_TOPIC = toEventSelector(
  'event Transfer(address indexed from, address indexed to, uint256 value)',
);

/** The first topic of the event with which the custody contract records that it moved a certificate. */
export const NFT_MOVED_TOPIC = encodeEventTopics({ abi: CUSTODY_ABI, eventName: 'NftMoved' })[0];

/** What a node returns where a log should be: nothing about it is certain. */
type Returned<T> = { readonly [member in keyof T]?: unknown } | null | undefined;
interface RawLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: Hex;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly logIndex: Hex;
  readonly removed: boolean;
}
interface RawReceipt {
  readonly status: Hex;
  readonly from: Hex;
  readonly blockHash: Hex;
  readonly logs: readonly RawLog[];
}
/** A log that `removed` marks belongs to a block that was replaced. */
type NotedLog = TransferLog & { readonly removed: boolean };

const lower = (text: Hex): Hex => text.toLowerCase() as Hex;
const addressIn = (topic: Hex): Hex => `0x${lower(topic).slice(-40)}`;
/** An address in a topic has twelve bytes of zeros before it. */
const isAddressWord = (topic: unknown): topic is Hex => isWord(topic) && /^0x0{24}/.test(topic);
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
    { tokens, custody }: Deployment,
  ) {
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
    if (this.assets.size === 0 || recipients?.length === 0) return [];
    const topics = recipients === null ? [TRANSFER_TOPIC] : [TRANSFER_TOPIC, null, recipients.map(wordOf)];
    const filter = { address: [...this.assets.keys()], topics, fromBlock: hexOf(from), toBlock: hexOf(to) };
    let logs: unknown;
    try {
      logs = await this.node.ask('eth_getLogs', [filter]);
    } catch (error) {
      // Providers reject a range that is too wide with many different messages and codes, some of them with a timeout.
      if (isRangeTooWide(error)) return 'too-much';
      throw new Unavailable('chain-unavailable', outageOf(error));
    }
    if (!Array.isArray(logs)) throw new Unavailable('chain-unavailable', 'the node returned no list of logs');
    const transfers = logs.map((log: Returned<RawLog>) => this.transferOf(log)).filter((one) => one !== null);
    if (transfers.length < logs.length || transfers.some(({ blockNumber }) => blockNumber < from || blockNumber > to))
      throw new Unavailable('chain-unavailable', 'the node returned logs that were not requested');
    await this.requireReplaced(transfers.filter(({ removed }) => removed));
    return transfers.flatMap(({ removed, ...log }) => (removed ? [] : [log]));
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

  async loggedTransaction(txHash: Hex): Promise<LoggedTransaction | null> {
    const receipt = await this.node.rpc<Returned<RawReceipt>>('eth_getTransactionReceipt', [txHash]);
    if (receipt?.status !== '0x1') return null;
    const { from, blockHash, logs } = receipt;
    if (!isAddress(from) || !isWord(blockHash) || !Array.isArray(logs))
      throw new Unavailable('chain-unavailable', 'the node returned a malformed receipt');
    const transfers = logs.map((log: Returned<RawLog>) => this.transferOf(log)).filter((one) => one !== null);
    const logIndices = transfers.flatMap(({ removed, logIndex }) => (removed ? [] : [logIndex]));
    const movesCertificate = logs.some((log: Returned<RawLog>) => this.movesCertificate(log));
    return { sender: lower(from), blockHash: lower(blockHash), logIndices, movesCertificate };
  }

  private movesCertificate(log: Returned<RawLog>): boolean {
    const { address, topics, removed } = log ?? {};
    if (!isAddress(address) || lower(address) !== this.custody || removed === true) return false;
    return Array.isArray(topics) && topics[0] === NFT_MOVED_TOPIC;
  }

  /**
   * Null unless the log is a well-formed transfer of a known token in a block. The full address and the topic decide,
   * never a name or symbol.
   */
  private transferOf(log: Returned<RawLog>): NotedLog | null {
    const { address, topics, data, blockNumber, blockHash, transactionHash, logIndex, removed } = log ?? {};
    const asset = isAddress(address) ? this.assets.get(lower(address)) : undefined;
    const [topic, from, to, more] = Array.isArray(topics) ? (topics as readonly unknown[]) : [];
    if (
      asset === undefined ||
      topic !== TRANSFER_TOPIC ||
      !isAddressWord(from) ||
      !isAddressWord(to) ||
      more !== undefined ||
      !isWord(data) ||
      !isQuantity(blockNumber) ||
      !isWord(blockHash) ||
      !isWord(transactionHash) ||
      !isQuantity(logIndex)
    )
      return null;
    return {
      asset,
      from: addressIn(from),
      to: addressIn(to),
      units: BigInt(data),
      blockNumber: Number(blockNumber),
      blockHash: lower(blockHash),
      txHash: lower(transactionHash),
      logIndex: Number(logIndex),
      removed: removed === true,
    };
  }
}
