import { type AssetId, type Chain, Unavailable, chainIdOf } from '@ponte/kernel';
import type {
  BlockId,
  Broadcast,
  BroadcastRefusal,
  EvmChain,
  FeeQuote,
  FinalReceipt,
  FinalityEvidence,
  FinalityQuestion,
  Head,
  Hex,
  MintRequest,
  RedemptionRequest,
  ReferenceTaker,
  SharePrice,
  TokenSendRequest,
  TokenState,
  TransactionStatus,
  TransferRequest,
} from '../../chain.port';
import type { FinalityNode } from '../rpc/agreement';
import { agreedEvidence } from '../rpc/agreement';
import { mintCall, redeemCall, sendTokenCall, transferCall } from '../rpc/calls';
import { walletAddress } from '../custody';
import { type Deployment, contractOf, contractsIn } from '../deployment';
import { SimulatedBlocks } from './simulated-blocks';
import { simulatedCertificates } from './simulated-certificates';
import { simulatedDeployment } from './simulated-deployment';
import { simulatedTransactionOf } from './simulated-transaction';
import { SimulatedLogNode } from '../../../token-deposits/simulated-transfer-logs.adapter';

/** What happens to one broadcast, in the order in which they were scripted. */
export type ChainFault =
  /** The node says that it took the bytes, and forgets them. */
  | { readonly kind: 'drop' }
  /** Mined, but reverted. */
  | { readonly kind: 'revert' }
  /** Waits in the pool for so many further blocks. */
  | { readonly kind: 'delay'; readonly blocks: number }
  /** The reply is lost; the bytes arrived or did not. */
  | { readonly kind: 'unknown'; readonly arrived: boolean }
  | { readonly kind: 'refuse'; readonly reason: BroadcastRefusal };

export interface SimulatedChainOptions {
  readonly chain: Chain;
  /** Mines every transaction at once in a block of its own; otherwise blocks come from `mine`. */
  readonly instant?: boolean;
  /** Confirmations after which a block is final. */
  readonly finality?: number;
  /** Block times, epoch ms. */
  readonly now?: () => number;
  readonly deployment?: Deployment;
}

const GAS_PRICE = 1_000_000_000n;
const GAS_USED = 100_000n;
/** A thousand coins. */
const GAS_MONEY = 10n ** 21n;

/** A chain in memory, as quick as a map, that misbehaves on request. Passes the same contract suite as a real node. */
export class SimulatedChain implements EvmChain, FinalityNode {
  readonly chain: Chain;
  readonly chainId: number;
  readonly deployment: Deployment;
  readonly logNodes: readonly SimulatedLogNode[];
  readonly certificates = simulatedCertificates(
    () => this.deployment,
    (read) => this.answer(() => read(this.blocks.state.certificates)),
  );
  private readonly instant: boolean;
  private readonly finality: number;
  private readonly blocks: SimulatedBlocks;
  private readonly faults: ChainFault[] = [];
  private reachable = true;

  constructor({
    chain,
    instant = true,
    finality = 1,
    now = Date.now,
    deployment = simulatedDeployment(chain),
  }: SimulatedChainOptions) {
    this.chain = chain;
    this.chainId = chainIdOf(chain);
    this.deployment = deployment;
    this.instant = instant;
    this.finality = finality;
    this.blocks = new SimulatedBlocks(chain, deployment, now);
    this.logNodes = [new SimulatedLogNode(this.blocks, deployment, this, (read) => this.answer(read))];
  }

  // What a test or a simulator does to it.

  /** Scripts the next broadcasts. */
  script(...faults: readonly ChainFault[]): void {
    this.faults.push(...faults);
  }

  /** An unreachable node answers nothing: reads reject, broadcasts are unknown and do not arrive. */
  setReachable(reachable: boolean): void {
    this.reachable = reachable;
  }

  /** Units that a holder has from the start, and still has after a reorg (a treasury's USDC). */
  endow(asset: AssetId, holder: Hex, units: bigint): void {
    this.blocks.endow(asset, holder, units);
  }

  /** Mines blocks: the first with all that can be mined, the others with what was delayed until then. */
  mine(blocks = 1): void {
    for (let i = 0; i < blocks; i += 1) this.blocks.mine();
  }

  /**
   * Takes back the newest blocks. Their transactions go back into the pool, or are forgotten for good as some nodes do.
   */
  reorg(depth: number, transactions: 'repooled' | 'forgotten'): void {
    this.blocks.reorg(depth, transactions);
  }

  /** A node that lost its data: nothing but the endowments is left. */
  forget(): void {
    this.blocks.forget();
  }

  // The port.

  check(): Promise<void> {
    return this.answer(() => undefined);
  }

  async broadcast(raw: Hex): Promise<Broadcast> {
    const fault = this.faults.shift();
    if (!this.reachable) return { outcome: 'unknown', message: 'the node did not answer' };
    if (fault?.kind === 'refuse') return { outcome: 'refused', reason: fault.reason, message: 'scripted' };
    if (fault?.kind === 'drop') return { outcome: 'taken' };
    if (fault?.kind === 'unknown' && !fault.arrived)
      return { outcome: 'unknown', message: 'scripted: lost on the way' };
    const transaction = await simulatedTransactionOf(raw, this.chainId);
    if (transaction === undefined)
      return { outcome: 'refused', reason: 'invalid', message: 'not a transaction of this chain' };
    const outcome = this.blocks.take({
      ...transaction,
      revert: fault?.kind === 'revert',
      notBefore: fault?.kind === 'delay' ? this.blocks.head.number + fault.blocks + 1 : 0,
    });
    if (this.instant) this.blocks.mineAll();
    return fault?.kind === 'unknown' ? { outcome: 'unknown', message: 'scripted: the reply was lost' } : outcome;
  }

  transaction(hash: Hex): Promise<TransactionStatus> {
    return this.answer(() => {
      const block = this.blocks.blockWith(hash);
      const mined = block?.transactions.find((transaction) => transaction.hash === hash);
      if (block === undefined || mined === undefined)
        return { status: this.blocks.isPooled(hash) ? 'pooled' : 'missing' };
      return {
        status: 'mined',
        succeeded: mined.reason === null,
        revertReason: mined.reason,
        blockNumber: block.number,
        blockHash: block.hash,
        blockTime: block.time,
        confirmations: this.blocks.head.number - block.number + 1,
        final: this.blocks.head.number - block.number + 1 >= this.finality,
        feePaid: GAS_PRICE * GAS_USED,
      };
    });
  }

  nextNonce(sender: Hex, at: 'latest' | 'final'): Promise<number> {
    return this.answer(() => this.blocks.nonceAt(sender, at === 'latest' ? 1 : this.finality));
  }

  blockAt(number: number): Promise<BlockId | null> {
    return this.answer(() => {
      const block = this.blocks.at(number);
      return block ? { number, hash: block.hash } : null;
    });
  }

  headBlock(): Promise<BlockId> {
    return this.answer(() => ({ number: this.blocks.head.number, hash: this.blocks.head.hash }));
  }

  /** Of the head alone, whatever the block: the state of earlier ones is not kept. */
  tokensAt(_: BlockId, asset: AssetId, holders: readonly Hex[]): Promise<TokenState> {
    contractOf(this.deployment, asset);
    const { state } = this.blocks;
    return this.answer(() => ({
      supply: state.supplyOf(asset),
      balances: holders.map((holder) => state.balanceOf(asset, holder)),
    }));
  }

  async minedAnywhere(hash: Hex): Promise<boolean> {
    const found = await this.transaction(hash);
    return found.status === 'mined' && found.succeeded;
  }

  atFinality(question: FinalityQuestion): Promise<FinalityEvidence> {
    return agreedEvidence([this], question);
  }

  finalBlock(): Promise<BlockId> {
    return this.answer(() => {
      const { number, hash } =
        this.blocks.at(Math.max(0, this.blocks.head.number - this.finality + 1)) ?? this.blocks.head;
      return { number, hash };
    });
  }

  async at(block: BlockId, { sender, hashes, reference, by = 'minter' }: FinalityQuestion): Promise<FinalityEvidence> {
    return this.answer(() => {
      if (this.blocks.at(block.number)?.hash !== block.hash)
        throw new Unavailable('chain-unavailable', 'the node does not have the block');
      const receipt = (hash: Hex): FinalReceipt[] => {
        const found = this.blocks.blockWith(hash);
        const mined = found?.transactions.find((transaction) => transaction.hash === hash);
        if (found === undefined || mined === undefined || found.number > block.number) return [];
        return [{ hash, succeeded: mined.reason === null, blockNumber: found.number, blockHash: found.hash }];
      };
      const minter = reference === null ? null : this.blocks.state.takerOf(by, reference);
      const minedCount = this.blocks.nonceAt(sender, this.blocks.head.number - block.number + 1);
      return {
        block,
        minedCount,
        receipts: hashes.flatMap(receipt),
        referenceTaken: minter !== null && receipt(minter).length > 0,
      };
    });
  }

  feeQuote(): Promise<FeeQuote> {
    return this.answer(() => ({ maxFeePerGas: GAS_PRICE * 3n, maxPriorityFeePerGas: GAS_PRICE }));
  }

  tokenBalance(asset: AssetId, holder: Hex): Promise<bigint> {
    contractOf(this.deployment, asset);
    return this.answer(() => this.blocks.state.balanceOf(asset, holder));
  }

  /** The simulated vault earns nothing. */
  async sharePrice(asset: AssetId): Promise<SharePrice> {
    contractOf(this.deployment, asset);
    const block = await this.finalBlock();
    const { time } = this.blocks.at(block.number) ?? this.blocks.head;
    return { perShare: 10n ** 18n, costPerShare: 10n ** 18n, block, minedAt: time };
  }

  taken(by: ReferenceTaker, reference: Hex): Promise<boolean> {
    return this.answer(() => this.blocks.state.takerOf(by, reference) !== null);
  }

  takenIn(by: ReferenceTaker, reference: Hex): Promise<Hex | null> {
    return this.answer(() => this.blocks.state.takerOf(by, reference));
  }

  walletAddress(salt: Hex): Hex {
    return walletAddress(this.deployment.custody, salt);
  }

  /** Gas costs nothing here. */
  gasBalance = (): Promise<bigint> => this.answer(() => GAS_MONEY);

  get contracts(): ReadonlySet<Hex> {
    return contractsIn(this.deployment);
  }

  mintCall(request: MintRequest) {
    return mintCall(this.deployment, request);
  }

  sendTokenCall(request: TokenSendRequest) {
    return sendTokenCall(this.deployment, request);
  }

  redeemCall(request: RedemptionRequest) {
    return redeemCall(this.deployment, request);
  }

  transferCall(request: TransferRequest) {
    return transferCall(this.deployment, request);
  }

  heads(signal: AbortSignal): AsyncIterable<Head> {
    return this.blocks.feed.follow(this.blocks.head, signal);
  }

  // Inside.

  private answer<T>(read: () => T): Promise<T> {
    return this.reachable
      ? promised(read)
      : Promise.reject(new Unavailable('chain-unavailable', 'the node did not answer'));
  }
}

const promised = <T>(read: () => T): Promise<T> =>
  new Promise((resolve) => {
    resolve(read());
  });
