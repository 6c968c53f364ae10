import type { AssetId } from '@ponte/kernel';
import type {
  BlockId,
  EvmChain,
  FeeQuote,
  FinalReceipt,
  FinalityEvidence,
  FinalityQuestion,
  Head,
  Hex,
  MinedPlace,
  ReferenceTaker,
  SharePrice,
  TokenState,
  TransactionStatus,
} from '../../chain.port';
import type { FinalityNode } from '../rpc/agreement';
import { agreedEvidence, isMinedAt } from '../rpc/agreement';
import { certificatesOf } from '../rpc/certificates';
import { contractOf } from '../deployment';
import { simulatedCertificates } from './simulated.certificate-chain.adapter';
import { SimulatedNode } from './simulated-node';
import { SimulatedLogNode } from '../../../transfer-logs/simulated.transfer-logs.adapter';

const GAS_PRICE = 1_000_000_000n;
const GAS_USED = 100_000n;
/** A thousand coins. */
const GAS_MONEY = 10n ** 21n;

/** An in-memory chain that simulates faults on request. It passes the same contract suite as a real node. */
export class SimulatedChain extends SimulatedNode implements EvmChain, FinalityNode {
  readonly logNodes = [new SimulatedLogNode(this.blocks, this.deployment, this, (read) => this.answer(read))];
  readonly certificates = simulatedCertificates(
    this.deployment,
    (read) => this.answer(() => read(this.blocks.state.certificates)),
    (hash) => this.blocks.blockWith(hash) !== undefined,
  );

  check(): Promise<void> {
    return this.answer(() => undefined);
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

  tokensAt({ number, hash }: BlockId, asset: AssetId, holders: readonly Hex[]): Promise<TokenState> {
    const token = contractOf(this.deployment, asset);
    return this.answer(() => {
      this.blocks.assertHas({ number, hash });
      const { balances } = this.blocks.state;
      return {
        supply: balances.supplyOf(token, number),
        balances: holders.map((holder) => balances.of(token, holder, number)),
      };
    });
  }

  async minedAnywhere(hash: Hex): Promise<boolean> {
    const found = await this.transaction(hash);
    return found.status === 'mined' && found.succeeded;
  }

  async agreedMined(hash: Hex, place: MinedPlace): Promise<boolean> {
    return isMinedAt(await this.transaction(hash), place);
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

  async at(block: BlockId, question: FinalityQuestion): Promise<FinalityEvidence> {
    const { sender, hashes, reference, by = 'minter', asksRole = false } = question;
    return this.answer(() => {
      this.blocks.assertHas(block);
      const receipt = (hash: Hex) => this.receiptAt(block, hash);
      const minter = reference === null ? null : this.blocks.state.takerOf(by, reference);
      const minedCount = this.blocks.nonceAt(sender, this.blocks.head.number - block.number + 1);
      return {
        block,
        minedCount,
        receipts: hashes.flatMap(receipt),
        referenceTaken: minter !== null && receipt(minter).length > 0,
        ...(asksRole && {
          role: { contract: this.contract(by), isOperator: this.blocks.roles.isOperator(sender, block.number) },
        }),
      };
    });
  }

  private contract(of: ReferenceTaker): Hex {
    return of === 'certificates' ? certificatesOf(this.deployment) : this.deployment[of];
  }

  private receiptAt(block: BlockId, hash: Hex): FinalReceipt[] {
    const found = this.blocks.blockWith(hash);
    const mined = found?.transactions.find((transaction) => transaction.hash === hash);
    if (found === undefined || mined === undefined || found.number > block.number) return [];
    return [{ hash, succeeded: mined.reason === null, blockNumber: found.number, blockHash: found.hash }];
  }

  feeQuote(): Promise<FeeQuote> {
    return this.answer(() => ({ maxFeePerGas: GAS_PRICE * 3n, maxPriorityFeePerGas: GAS_PRICE }));
  }

  tokenBalance(asset: AssetId, holder: Hex): Promise<bigint> {
    contractOf(this.deployment, asset);
    return this.answer(() => this.blocks.state.balances.of(this.deployment.tokens[asset], holder));
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

  takenAnywhere(by: ReferenceTaker, reference: Hex): Promise<boolean> {
    return this.taken(by, reference);
  }

  takenIn(by: ReferenceTaker, reference: Hex): Promise<Hex | null> {
    return this.answer(() => this.blocks.state.takerOf(by, reference));
  }

  isOperator(_: ReferenceTaker, address: Hex): Promise<boolean> {
    return this.answer(() => this.blocks.roles.isOperator(address, this.blocks.head.number));
  }

  /** Gas costs nothing here. */
  gasBalance = (): Promise<bigint> => this.answer(() => GAS_MONEY);

  heads(signal: AbortSignal): AsyncIterable<Head> {
    return this.blocks.feed.follow(signal, this.blocks.head);
  }
}
