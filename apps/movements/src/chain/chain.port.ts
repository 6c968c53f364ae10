import type { AssetId, Chain } from '@ponte/kernel';
import type { LogNode } from '../transfer-logs/transfer-logs.port';
import type { BlockId, Head, Hex } from './block.port';
import type {
  CertificateChain,
  ContractCall,
  MintRequest,
  RedemptionRequest,
  TokenRequest,
  TokenSendRequest,
  TransferRequest,
} from './contract-call.port';
import type { FinalityEvidence, FinalityQuestion, ReferenceTaker } from './finality.port';
import type { Broadcast, FeeQuote, MinedPlace, TransactionStatus } from './transaction-status.port';

export type * from './block.port';
export type * from './contract-call.port';
export type * from './finality.port';
export type * from './transaction-status.port';

/** Units of a token's contract. */
export interface TokenState {
  readonly supply: bigint;
  readonly balances: readonly bigint[];
}

/** The price of a share, read from its vault. */
export interface SharePrice {
  /** Minor units of the BRL token that redeeming one whole share (10^18) returns, rounded down. */
  readonly perShare: bigint;
  /** Minor units of the BRL token that minting one whole share takes, rounded up. */
  readonly costPerShare: bigint;
  /** The final block at which the price was read, and its time in epoch milliseconds. */
  readonly block: BlockId;
  readonly minedAt: number;
}

/**
 * One EVM chain, with Ponte's contracts on it. Reads reject with `Unavailable` ('chain-unavailable') when no node
 * answers in time: that says nothing about the state of the chain. Addresses and hashes are lower-case. An asset that
 * has no contract here, or cannot be minted, is refused with `asset-not-supported`.
 */
export interface EvmChain {
  readonly chain: Chain;
  readonly chainId: number;

  /**
   * Rejects with an Error when the node serves another chain, or a contract is missing or has other decimals than the
   * asset table; with `Unavailable` when no node answers.
   */
  check(): Promise<void>;

  /**
   * Sends the stored bytes to every node. Never rejects, and may be repeated with the same bytes any number of times.
   * Resolves as soon as one node has them.
   */
  broadcast(raw: Hex): Promise<Broadcast>;

  transaction(hash: Hex): Promise<TransactionStatus>;

  /** The block at that height of the current chain; null above the head. */
  blockAt(number: number): Promise<BlockId | null>;

  /**
   * Whether any node has the transaction in a block, successfully. Rejects with `Unavailable` when fewer than two nodes
   * answer, or the only one does not: one node of several is not enough to conclude that a transaction is gone.
   */
  minedAnywhere(hash: Hex): Promise<boolean>;

  /**
   * Whether two nodes, or the only one, have the transaction there, successfully. False when too few nodes answer.
   */
  agreedMined(hash: Hex, place: MinedPlace): Promise<boolean>;

  /**
   * Whether the mined transaction made this movement: our contract logged its reference, token, receiver and amount.
   * Two nodes, or the only one, must agree. Rejects with `Unavailable` when nodes contradict each other or too few have
   * the transaction.
   */
  agreedMovement(hash: Hex, request: TokenRequest): Promise<boolean>;

  /**
   * The number of the sender's transactions that are mined, or final, according to one node. Pooled transactions are
   * not counted, because pools lose transactions.
   */
  nextNonce(sender: Hex, at: 'latest' | 'final'): Promise<number>;

  /** The number of the sender's transactions that are mined at that block. */
  minedCount(sender: Hex, block: BlockId): Promise<number>;

  /**
   * Evidence about a transaction at one final block. Count, receipts and reference come from one node and one state.
   * With more than one node, two must give the same answer at the same block. Rejects with `Unavailable` when a node
   * does not have the block, or too few agree: then nothing is known.
   */
  atFinality(question: FinalityQuestion): Promise<FinalityEvidence>;

  /** A fee that remains sufficient while the base fee triples. With several nodes, the median of their answers. */
  feeQuote(): Promise<FeeQuote>;

  /** Price of a share of an ERC-4626 vault, read at one final block from one node. */
  sharePrice(asset: AssetId): Promise<SharePrice>;

  /** Units of the token's contract. */
  tokenBalance(asset: AssetId, holder: Hex): Promise<bigint>;

  /** The newest block. */
  headBlock(): Promise<BlockId>;

  /** Supply and balances (in the order of `holders`) at that block, in units of the token's contract. */
  tokensAt(block: BlockId, asset: AssetId, holders: readonly Hex[]): Promise<TokenState>;

  /** Whether one of our contracts has taken the reference, according to one node. */
  taken(by: ReferenceTaker, reference: Hex): Promise<boolean>;

  /** Whether it has in any node's newest block. Rejects as {@link isOperator}. */
  takenAnywhere(by: ReferenceTaker, reference: Hex): Promise<boolean>;

  /**
   * The transaction in which the contract accepted the reference, or null. Searches in pages, first from `since` (epoch
   * ms) to the head, then the earlier blocks. Rejects with `Unavailable` when one search did not cover all of them: the
   * next search continues from there.
   */
  takenIn(by: ReferenceTaker, reference: Hex, since: number): Promise<Hex | null>;

  /**
   * Whether any node's newest block has the address as an operator of the contract. Rejects with `Unavailable` when
   * none has, and fewer than two nodes answered, or the only one did not.
   */
  isOperator(of: ReferenceTaker, address: Hex): Promise<boolean>;

  /** The contract that signed bytes call, lower-case; null when they are no transaction of this chain. Asks no node. */
  calledBy(raw: Hex): Hex | null;

  /** The gas limit of signed bytes. Throws when they are no transaction. Asks no node. */
  gasLimitOf(raw: Hex): bigint;

  /** Address of the wallet of this salt in our custody, deployed or not. Asks no node. */
  walletAddress(salt: Hex): Hex;

  /** Wei that an address can pay gas with; on Tempo 10^-18 dollars of the token in which the address pays fees. */
  gasBalance(holder: Hex): Promise<bigint>;

  /** Addresses of our contracts and of the known tokens. Nothing may be sent to them. */
  readonly contracts: ReadonlySet<Hex>;

  mintCall(request: MintRequest): ContractCall;

  sendTokenCall(request: TokenSendRequest): ContractCall;

  redeemCall(request: RedemptionRequest): ContractCall;

  transferCall(request: TransferRequest): ContractCall;

  readonly certificates: CertificateChain;

  /**
   * The newest head, then every newer one that is seen (heads may be skipped, never repeated), until the signal aborts.
   * A node that does not answer only makes the next head later. After a reorg a head's number may be lower.
   */
  heads(signal: AbortSignal): AsyncIterable<Head>;

  /** The individual nodes, at least one. A deposit counts only if their logs agree. */
  readonly logNodes: readonly LogNode[];
}
