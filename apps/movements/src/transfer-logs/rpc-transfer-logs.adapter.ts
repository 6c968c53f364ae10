import type { AssetId } from '@ponte/kernel';
import { Unavailable } from '@ponte/kernel';
import { toEventSelector } from 'viem';
import { outageOf } from '../chain/adapters/rpc/broadcast-outcome';
import type { Deployment } from '../chain/adapters/deployment';
import { hexOf } from '../chain/adapters/rpc/json-rpc-node';
import { isTooMuch } from '../chain/adapters/rpc/log-range';
import type { ChainNode } from '../chain/adapters/rpc/node';
import type { BlockId, Hex } from '../chain/chain.port';
import type { LogNode, LoggedTransaction, TransferLog } from './transfer-logs.port';

/** The first topic of an ERC-20 (and TIP-20) transfer. */
export const TRANSFER_TOPIC = toEventSelector(
  'event Transfer(address indexed from, address indexed to, uint256 value)',
);

interface RawLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: Hex;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly logIndex: Hex;
  readonly removed?: boolean;
}
interface RawReceipt {
  readonly status: Hex;
  readonly from: Hex;
  readonly blockHash: Hex;
  readonly logs: readonly RawLog[];
}

const lower = (text: Hex): Hex => text.toLowerCase() as Hex;
const addressIn = (topic: Hex): Hex => `0x${lower(topic).slice(-40)}`;
const wordOf = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`;

/**
 * Logs over JSON-RPC, from one endpoint. Logs of contracts, topics or blocks that were not requested count as an outage
 * of the endpoint.
 */
export class RpcLogNode implements LogNode {
  private readonly assets: ReadonlyMap<Hex, AssetId>;

  constructor(
    private readonly node: ChainNode,
    { tokens }: Deployment,
  ) {
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
    let logs: readonly RawLog[];
    try {
      logs = await this.node.ask<readonly RawLog[]>('eth_getLogs', [filter]);
    } catch (error) {
      // Providers reject a range that is too wide with many different messages and codes, some of them with a timeout.
      if (isTooMuch(error)) return 'too-much';
      throw new Unavailable('chain-unavailable', outageOf(error));
    }
    const found = logs.map((log) => this.transferOf(log));
    if (found.some((one) => one === null || one.blockNumber < from || one.blockNumber > to))
      throw new Unavailable('chain-unavailable', 'the node returned logs that were not requested');
    return found.filter((one) => one !== null);
  }

  unitsHeld(block: BlockId, holders: readonly Hex[]): Promise<readonly bigint[]> {
    const tokens = [...this.assets.keys()];
    return Promise.all(
      holders.map(async (holder) => {
        const held = await Promise.all(tokens.map((token) => this.node.heldAt(token, holder, block)));
        return held.reduce((sum, units) => sum + units, 0n);
      }),
    );
  }

  areDeployed(block: BlockId, wallets: readonly Hex[]): Promise<readonly boolean[]> {
    return Promise.all(wallets.map((wallet) => this.node.hasCode(wallet, block)));
  }

  async loggedTransaction(txHash: Hex): Promise<LoggedTransaction | null> {
    const receipt = await this.node.rpc<RawReceipt | null>('eth_getTransactionReceipt', [txHash]);
    if (receipt?.status !== '0x1') return null;
    const logIndices = receipt.logs.flatMap((log) => this.transferOf(log)?.logIndex ?? []);
    return { sender: lower(receipt.from), blockHash: lower(receipt.blockHash), logIndices };
  }

  /**
   * Null unless the log is a mined transfer of a known token. The full address and the topic decide, never a name or
   * symbol.
   */
  private transferOf(log: RawLog): TransferLog | null {
    const asset = this.assets.get(lower(log.address));
    const [topic, from, to] = log.topics;
    if (
      asset === undefined ||
      log.removed === true ||
      topic !== TRANSFER_TOPIC ||
      log.topics.length !== 3 ||
      !from ||
      !to ||
      log.data.length !== 66
    )
      return null;
    return {
      asset,
      from: addressIn(from),
      to: addressIn(to),
      units: BigInt(log.data),
      blockNumber: Number(log.blockNumber),
      blockHash: lower(log.blockHash),
      txHash: lower(log.transactionHash),
      logIndex: Number(log.logIndex),
    };
  }
}
