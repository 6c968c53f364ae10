import { Unavailable, refuse } from '@ponte/kernel';
import { type PublicClient, type Transport, createPublicClient } from 'viem';
import type {
  BlockId,
  FinalReceipt,
  FinalityEvidence,
  FinalityQuestion,
  Hex,
  ReferenceTaker,
  SharePrice,
  TokenState,
  TransactionStatus,
} from '../../chain.port';
import { SELECTORS } from './abi';
import type { FinalityNode } from './agreement';
import { outageOf } from './broadcast-outcome';
import type { ReceiptLog } from './certificates';
import { revertReasonOf } from './revert-reason';
import { callData } from './words';

/**
 * The block that can no longer go away: the node's `finalized` tag, or where the chain has none, this many
 * confirmations.
 */
export type Finality = 'finalized-tag' | { readonly confirmations: number };

export interface ChainNodeOptions {
  readonly transport: Transport;
  readonly minter: Hex;
  readonly custody: Hex;
  readonly certificates?: Hex | undefined;
  readonly finality: Finality;
}

export interface RawBlock {
  readonly number: Hex;
  readonly hash: Hex;
  readonly timestamp: Hex;
  readonly baseFeePerGas?: Hex;
}

interface RawReceipt {
  readonly status: Hex;
  readonly transactionHash: Hex;
  readonly blockNumber: Hex;
  readonly blockHash: Hex;
  readonly gasUsed: Hex;
  readonly effectiveGasPrice: Hex;
  readonly logs: readonly ReceiptLog[];
}

/** One whole share, 18 decimals. */
const ONE_SHARE = 10n ** 18n;

/**
 * One JSON-RPC endpoint. Whatever one method reads comes from this endpoint alone: two may be at different heads, or on
 * different forks.
 */
export class ChainNode implements FinalityNode {
  private readonly client: PublicClient;

  constructor(private readonly options: ChainNodeOptions) {
    this.client = createPublicClient({ transport: options.transport, cacheTime: 0 });
  }

  async transaction(hash: Hex): Promise<TransactionStatus> {
    const [receipt, held, head] = await Promise.all([
      this.rpc<RawReceipt | null>('eth_getTransactionReceipt', [hash]),
      this.rpc<unknown>('eth_getTransactionByHash', [hash]),
      this.rpc<Hex>('eth_blockNumber', []),
    ]);
    if (receipt === null) return { status: held === null ? 'missing' : 'pooled' };
    const succeeded = receipt.status === '0x1';
    const [block, revertReason] = await Promise.all([
      this.rpc<RawBlock | null>('eth_getBlockByHash', [receipt.blockHash, false]),
      succeeded ? null : revertReasonOf(this.client, receipt.transactionHash),
    ]);
    if (block === null) throw new Unavailable('chain-unavailable', 'the block went away while it was read');
    const blockNumber = Number(receipt.blockNumber);
    // A lagging node may answer the head before the receipt's block.
    const confirmations = Math.max(1, Number(head) - blockNumber + 1);
    const { finality } = this.options;
    return {
      status: 'mined',
      succeeded,
      revertReason,
      blockNumber,
      confirmations,
      blockHash: receipt.blockHash,
      blockTime: Number(block.timestamp) * 1_000,
      final: finality !== 'finalized-tag' && confirmations >= finality.confirmations,
      feePaid: BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice),
    };
  }

  async finalBlock(): Promise<BlockId> {
    const { number, hash } = await this.rawFinalBlock();
    return { number: Number(number), hash };
  }

  private async rawFinalBlock(): Promise<RawBlock> {
    const { finality } = this.options;
    const tag = finality === 'finalized-tag' ? 'finalized' : await this.agedBy(finality.confirmations);
    const block = await this.rpc<RawBlock | null>('eth_getBlockByNumber', [tag, false]);
    if (block === null) throw new Unavailable('chain-unavailable', 'the node names no final block');
    return block;
  }

  private async agedBy(confirmations: number): Promise<Hex> {
    const head = Number(await this.rpc<Hex>('eth_blockNumber', []));
    return `0x${Math.max(0, head - confirmations + 1).toString(16)}`;
  }

  async at(block: BlockId, { sender, hashes, reference, by = 'minter' }: FinalityQuestion): Promise<FinalityEvidence> {
    // EIP-1898: by hash, so that a node which lacks the block, or has another at its height, refuses instead of
    // answering from another state.
    const state = { blockHash: block.hash, requireCanonical: true };
    const question = this.questionOf(by);
    const [count, taken, receipts] = await Promise.all([
      this.rpc<Hex>('eth_getTransactionCount', [sender, state]),
      reference === null
        ? null
        : this.rpc<Hex>('eth_call', [{ to: question.to, data: callData(question.selector, [reference]) }, state]),
      Promise.all(hashes.map((hash) => this.receiptAt(block, hash))),
    ]);
    return {
      block,
      minedCount: Number(count),
      receipts: receipts.flat(),
      referenceTaken: taken !== null && BigInt(taken) === 1n,
    };
  }

  private questionOf(by: ReferenceTaker): { readonly to: Hex; readonly selector: Hex } {
    const { minter, custody, certificates } = this.options;
    switch (by) {
      case 'minter':
        return { to: minter, selector: SELECTORS.minted };
      case 'custody':
        return { to: custody, selector: SELECTORS.moved };
      // The same function as the minter's.
      case 'certificates':
        return {
          to: certificates ?? refuse('asset-not-supported', 'reward certificates have no contract on this chain'),
          selector: SELECTORS.minted,
        };
    }
  }

  /** The logs of a mined transaction; null when the node has no receipt of it. */
  async logsOf(hash: Hex): Promise<readonly ReceiptLog[] | null> {
    return (await this.rpc<RawReceipt | null>('eth_getTransactionReceipt', [hash]))?.logs ?? null;
  }

  async headBlock(): Promise<BlockId> {
    const block = await this.rpc<RawBlock | null>('eth_getBlockByNumber', ['latest', false]);
    if (block === null) throw new Unavailable('chain-unavailable', 'the node names no block');
    return { number: Number(block.number), hash: block.hash };
  }

  async tokensAt({ hash: blockHash }: BlockId, token: Hex, holders: readonly Hex[]): Promise<TokenState> {
    const call = async (data: Hex): Promise<bigint> =>
      BigInt(
        await this.rpc<Hex>('eth_call', [
          { to: token, data },
          { blockHash, requireCanonical: true },
        ]),
      );
    const [supply, balances] = await Promise.all([
      call(SELECTORS.totalSupply),
      Promise.all(holders.map((holder) => call(callData(SELECTORS.balanceOf, [holder])))),
    ]);
    return { supply, balances };
  }

  /** Rejects with `Unavailable` when the vault was not there yet at the final block. */
  async sharePrice(vault: Hex): Promise<SharePrice> {
    const { number, hash, timestamp } = await this.rawFinalBlock();
    const state = { blockHash: hash, requireCanonical: true };
    const ask = (selector: Hex): Promise<Hex> =>
      this.rpc<Hex>('eth_call', [{ to: vault, data: callData(selector, [ONE_SHARE]) }, state]);
    const [brings, takes] = await Promise.all([ask(SELECTORS.convertToAssets), ask(SELECTORS.previewMint)]);
    if (brings === '0x' || takes === '0x')
      throw new Unavailable('chain-unavailable', 'the vault is in no final block yet');
    return {
      perShare: BigInt(brings),
      costPerShare: BigInt(takes),
      block: { number: Number(number), hash },
      minedAt: Number(timestamp) * 1000,
    };
  }

  /** A receipt belongs to the block's history only if the node has its block there too. */
  private async receiptAt(block: BlockId, hash: Hex): Promise<FinalReceipt[]> {
    const receipt = await this.rpc<RawReceipt | null>('eth_getTransactionReceipt', [hash]);
    if (receipt === null || Number(receipt.blockNumber) > block.number) return [];
    const canonical = await this.rpc<RawBlock | null>('eth_getBlockByNumber', [receipt.blockNumber, false]);
    if (canonical?.hash !== receipt.blockHash)
      throw new Unavailable('chain-unavailable', 'the node gave a receipt of a block that is not in its chain');
    return [
      {
        hash,
        succeeded: receipt.status === '0x1',
        blockNumber: Number(receipt.blockNumber),
        blockHash: receipt.blockHash,
      },
    ];
  }

  /** One typed call; viem's own types of raw methods follow its schema and say less than what nodes answer. */
  async rpc<T>(method: string, params: readonly unknown[]): Promise<T> {
    try {
      return await this.ask<T>(method, params);
    } catch (error) {
      throw new Unavailable('chain-unavailable', outageOf(error));
    }
  }

  /** As {@link rpc}, with the node's own error. */
  ask<T>(method: string, params: readonly unknown[]): Promise<T> {
    return (this.client.request as (call: { method: string; params: readonly unknown[] }) => Promise<T>)({
      method,
      params,
    });
  }
}

/** The answer of the first node that gives one. Rejects as the last of them did. */
export async function firstAnswer<T>(nodes: readonly ChainNode[], ask: (node: ChainNode) => Promise<T>): Promise<T> {
  let failure: unknown = new Unavailable('chain-unavailable', 'there is no node to ask');
  for (const node of nodes) {
    try {
      return await ask(node);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      failure = error;
    }
  }
  throw failure;
}
