import { Unavailable } from '@ponte/kernel';
import type { Transport } from 'viem';
import { encodeFunctionData, keccak256 } from 'viem';
import type {
  BlockId,
  Broadcast,
  ContractRole,
  FeeQuote,
  FinalReceipt,
  FinalityEvidence,
  FinalityQuestion,
  Head,
  Hex,
  ReferenceTaker,
  SharePrice,
  TokenState,
  TransactionStatus,
} from '../../chain.port';
import type { Deployment } from '../deployment';
import type { Finality } from '../chain-properties';
import { CALLS } from './abi';
import type { FinalityNode } from './agreement';
import { broadcastOutcomeOf, outageOf } from './broadcast-outcome';
import type { ReceiptLog } from './certificates';
import type { RawBlock, Returned, StateAt } from './json-rpc-node';
import { JsonRpcNode, malformed, numberIn } from './json-rpc-node';
import { isBlockTime, isUnsigned } from './json-rpc-values';
import { operatorCall, takenCall } from './references';
import { revertReasonOf } from './revert-reason';

interface ChainNodeOptions {
  readonly transport: Transport;
  readonly deployment: Deployment;
  readonly finality: Finality;
}

/** The minimum tip: 0.001 gwei, as on Base. Sequencers and validators drop transactions without a tip. */
const MIN_TIP = 1_000_000n;
/** The base fee grows by at most an eighth per block, so this factor covers nine full blocks in a row. */
const BASE_FEE_HEADROOM = 3n;
/** One whole share, 18 decimals. */
const ONE_SHARE = 10n ** 18n;

/**
 * One JSON-RPC endpoint. Everything that one method reads comes from this endpoint: two endpoints may be at different
 * heads or on different forks.
 */
export class ChainNode extends JsonRpcNode implements FinalityNode {
  constructor(private readonly options: ChainNodeOptions) {
    super(options.transport);
  }

  /** As the port's `broadcast`, to this node alone. Never rejects. */
  async broadcast(raw: Hex): Promise<Broadcast> {
    try {
      await this.ask('eth_sendRawTransaction', [raw]);
      return { outcome: 'taken' };
    } catch (error) {
      const outcome = broadcastOutcomeOf(error);
      const mayBeOurs = outcome.outcome === 'refused' && outcome.reason === 'nonce-used';
      return mayBeOurs ? this.heldUnder(raw, outcome) : outcome;
    }
  }

  /** A node answers "nonce too low" also to a transaction that it has already mined. */
  private async heldUnder(raw: Hex, otherwise: Broadcast): Promise<Broadcast> {
    try {
      const known = await this.transaction(keccak256(raw));
      return known.status === 'missing' ? otherwise : { outcome: 'taken' };
    } catch (error) {
      return { outcome: 'unknown', message: error instanceof Unavailable ? error.message : outageOf(error) };
    }
  }

  async transaction(hash: Hex): Promise<TransactionStatus> {
    const [receipt, held, head] = await Promise.all([
      this.receipt(hash),
      this.rpc<unknown>('eth_getTransactionByHash', [hash]),
      this.headNumber(),
    ]);
    if (held === undefined) return malformed('eth_getTransactionByHash');
    if (receipt === null) return { status: held === null ? 'missing' : 'pooled' };
    const succeeded = receipt.status === '0x1';
    const [block, revertReason] = await Promise.all([
      this.rpc<Returned<RawBlock>>('eth_getBlockByHash', [receipt.blockHash, false]),
      succeeded ? null : revertReasonOf(this.client, receipt.transactionHash),
    ]);
    if (block === null) throw new Unavailable('chain-unavailable', 'the block was replaced while it was read');
    if (!isBlockTime(block?.timestamp)) return malformed('eth_getBlockByHash');
    const blockNumber = Number(receipt.blockNumber);
    // A lagging node may report a head below the receipt's block.
    const confirmations = Math.max(1, head - blockNumber + 1);
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
    const { number, hash } = await this.finalHead();
    return { number, hash };
  }

  private async finalHead(): Promise<Head> {
    const { finality } = this.options;
    if (finality === 'finalized-tag') return this.existingBlock('finalized');
    if (finality.confirmations === 1) return this.existingBlock('latest');
    return this.existingBlock(Math.max(0, (await this.headNumber()) - finality.confirmations + 1));
  }

  async at(block: BlockId, question: FinalityQuestion): Promise<FinalityEvidence> {
    const { sender, hashes, reference, by = 'minter', asksRole = false } = question;
    const [minedCount, referenceTaken, receipts, role] = await Promise.all([
      this.transactionCount(sender, block),
      reference !== null && this.taken(by, reference, block),
      Promise.all(hashes.map((hash) => this.receiptAt(block, hash))),
      asksRole ? this.role(by, sender, block) : undefined,
    ]);
    const evidence = { block, minedCount, receipts: receipts.flat(), referenceTaken };
    return role === undefined ? evidence : { ...evidence, role };
  }

  /** Rejects with `Unavailable` when there is no contract: only a contract's "no" counts as one. */
  async role(of: ReferenceTaker, address: Hex, at: StateAt): Promise<ContractRole> {
    const { to: contract, data } = operatorCall(this.options.deployment, of, address);
    return { contract, isOperator: (await this.call(contract, data, at)) !== 0n };
  }

  async taken(by: ReferenceTaker, reference: Hex, at: StateAt): Promise<boolean> {
    const { to, data } = takenCall(this.options.deployment, by, reference);
    return (await this.call(to, data, at)) === 1n;
  }

  async feeQuote(): Promise<FeeQuote> {
    const [block, tip] = await Promise.all([
      this.rpc<Returned<RawBlock>>('eth_getBlockByNumber', ['latest', false]),
      this.unsigned('eth_maxPriorityFeePerGas', []),
    ]);
    const baseFee = block?.baseFeePerGas ?? '0x0';
    if (!block || !isUnsigned(baseFee)) return malformed('eth_getBlockByNumber');
    const maxPriorityFeePerGas = tip > MIN_TIP ? tip : MIN_TIP;
    return { maxPriorityFeePerGas, maxFeePerGas: BigInt(baseFee) * BASE_FEE_HEADROOM + maxPriorityFeePerGas };
  }

  /** The logs of a mined transaction; null when the node has no receipt of it. */
  async logsOf(hash: Hex): Promise<readonly ReceiptLog[] | null> {
    return (await this.receipt(hash))?.logs ?? null;
  }

  async tokensAt(block: BlockId, token: Hex, holders: readonly Hex[]): Promise<TokenState> {
    const [supply, balances] = await Promise.all([
      this.call(token, encodeFunctionData(CALLS.totalSupply), block),
      Promise.all(holders.map((holder) => this.tokenBalance(token, holder, block))),
    ]);
    return { supply, balances };
  }

  tokenBalance(token: Hex, holder: Hex, at: StateAt): Promise<bigint> {
    return this.call(token, encodeFunctionData({ ...CALLS.balanceOf, args: [holder] }), at);
  }

  /** As {@link tokenBalance}, but zero when the token did not exist yet at that block. */
  async heldAt(token: Hex, holder: Hex, at: BlockId): Promise<bigint> {
    const data = encodeFunctionData({ ...CALLS.balanceOf, args: [holder] });
    return numberIn((await this.callData(token, data, at)) ?? '0x0');
  }

  /** Rejects with `Unavailable` when the vault did not exist yet at the final block. */
  async sharePrice(vault: Hex): Promise<SharePrice> {
    const { time: minedAt, ...block } = await this.finalHead();
    const [perShare, costPerShare] = await Promise.all([
      this.call(vault, encodeFunctionData({ ...CALLS.convertToAssets, args: [ONE_SHARE] }), block),
      this.call(vault, encodeFunctionData({ ...CALLS.previewMint, args: [ONE_SHARE] }), block),
    ]);
    return { perShare, costPerShare, block, minedAt };
  }

  /** The receipt if it is at or below the block. Its block must be part of the node's chain. */
  private async receiptAt(block: BlockId, hash: Hex): Promise<FinalReceipt[]> {
    const receipt = await this.receipt(hash);
    const blockNumber = Number(receipt?.blockNumber);
    if (receipt === null || blockNumber > block.number) return [];
    const { blockHash } = receipt;
    if ((await this.block(blockNumber))?.hash !== blockHash)
      throw new Unavailable('chain-unavailable', 'the node returned a receipt of a block that is not in its chain');
    return [{ hash, succeeded: receipt.status === '0x1', blockNumber, blockHash }];
  }
}
