import type { AssetId, Chain } from '@ponte/kernel';
import type { LogNode } from '../token-deposits/transfer-logs.port';

export type Hex = `0x${string}`;

/**
 * What a node said to signed bytes. A movement never fails on any of these:
 * only a mined revert, or another transaction that has consumed the nonce at finality, ends it.
 */
export type Broadcast =
  /** The node holds these bytes: just now, already, or in a block. */
  | { readonly outcome: 'taken' }
  /** The node answered that it will not hold them now. */
  | { readonly outcome: 'refused'; readonly reason: BroadcastRefusal; readonly message: string }
  /**
   * No answer came, so they may or may not have arrived. Resolved by reading the hash, or by sending the same bytes
   * again.
   */
  | { readonly outcome: 'unknown'; readonly message: string };

export type BroadcastRefusal =
  /** Another transaction of this sender was mined under the nonce. */
  | 'nonce-used'
  /**
   * Another transaction of this sender waits under the nonce, or the fee is under the block's: the fee must be raised.
   */
  | 'fee-too-low'
  /** The sender cannot pay for the gas. */
  | 'insufficient-gas-money'
  /** The node does not read the bytes as a transaction of its chain. */
  | 'invalid';

export type TransactionStatus =
  /** This node does not know the hash: not arrived yet, dropped, or forgotten. Never a proof of failure. */
  { readonly status: 'missing' } | { readonly status: 'pooled' } | MinedTransaction;

export interface MinedTransaction {
  readonly status: 'mined';
  /** False: the transaction was reverted; its nonce and gas are spent, and nothing else happened. */
  readonly succeeded: boolean;
  /** Why it was reverted, as far as the node can tell: the name of the contract's error. Null when it succeeded. */
  readonly revertReason: string | null;
  readonly blockNumber: number;
  readonly blockHash: Hex;
  /** Epoch milliseconds. */
  readonly blockTime: number;
  /** 1 in the newest block. */
  readonly confirmations: number;
  /** True when the block is known to be final. False when it is not, or when nothing was asked about that. */
  readonly final: boolean;
  /** Wei paid for gas. */
  readonly feePaid: bigint;
}

/** Wei per gas. */
export interface FeeQuote {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

export interface Head {
  readonly number: number;
  readonly hash: Hex;
  /** Epoch milliseconds. */
  readonly time: number;
}

/** A block by number and hash: what is read "at" it comes from its state, whatever the head is. */
export interface BlockId {
  readonly number: number;
  readonly hash: Hex;
}

/** What has to be known about a transaction before it is given up. */
export interface FinalityQuestion {
  readonly sender: Hex;
  /** Every hash that was ever signed for the intent. */
  readonly hashes: readonly Hex[];
  /** What a contract takes once for the intent; null for a transaction that has no such reference. */
  readonly reference: Hex | null;
  /** Whose reference it is; the minter's when absent. */
  readonly by?: ReferenceTaker;
}

export interface FinalReceipt {
  readonly hash: Hex;
  readonly succeeded: boolean;
  readonly blockNumber: number;
  readonly blockHash: Hex;
}

/** The answers of the nodes that agree, all read at one final block. */
export interface FinalityEvidence {
  readonly block: BlockId;
  /** How many transactions of the sender are mined at the block. */
  readonly minedCount: number;
  /** Of those hashes that are mined at or below the block. */
  readonly receipts: readonly FinalReceipt[];
  /** Whether the reference was taken at the block. False when there is no reference. */
  readonly referenceTaken: boolean;
}

/** Units of a token's contract. */
export interface TokenState {
  readonly supply: bigint;
  readonly balances: readonly bigint[];
}

/** What a vault says that a share is worth. */
export interface SharePrice {
  /** Minor units of the BRL token that redeeming one whole share (10^18) brings, rounded down. */
  readonly perShare: bigint;
  /** Minor units of the BRL token that minting one whole share takes, rounded up. */
  readonly costPerShare: bigint;
  /** The final block at which the vault said so, and its time in epoch milliseconds. */
  readonly block: BlockId;
  readonly minedAt: number;
}

/** What to sign, but for the sender's nonce and the fee. */
export interface ContractCall {
  readonly to: Hex;
  readonly data: Hex;
  /** Gas limit, enough for this call with any arguments. */
  readonly gas: bigint;
}

export interface MintRequest {
  /** 32 bytes. The minter contract takes each reference once for ever. */
  readonly reference: Hex;
  readonly asset: AssetId;
  readonly to: Hex;
  /** Units of the contract (`onChainDecimals`). */
  readonly units: bigint;
  /** For a share (wBRLY): the most units of the asset behind it that these shares may cost, else the mint reverts. */
  readonly mostBacking?: bigint;
}

export interface TransferRequest {
  readonly asset: AssetId;
  readonly to: Hex;
  /** Units of the contract (`onChainDecimals`). */
  readonly units: bigint;
}

export interface TokenSendRequest {
  /** 32 bytes. The custody contract takes each reference once for ever. */
  readonly reference: Hex;
  readonly asset: AssetId;
  readonly to: Hex;
  /** Units of the contract (`onChainDecimals`). */
  readonly units: bigint;
  /** Salts of the wallets to take from, in this order until the units are reached. */
  readonly wallets: readonly Hex[];
}

export interface RedemptionRequest {
  /** 32 bytes. The custody contract takes each reference once for ever. */
  readonly reference: Hex;
  readonly asset: AssetId;
  /** Units of the contract (`onChainDecimals`). */
  readonly units: bigint;
  /** Of a share (wBRLY): the least units of the asset behind it that these shares must bring, else the call reverts. */
  readonly leastBacking?: bigint;
  /** Salts of the wallets to take from, in this order until the units are reached. */
  readonly wallets: readonly Hex[];
}

/** A contract of ours that takes each reference once. */
export type ReferenceTaker = 'minter' | 'custody' | 'certificates';

export interface CertificateSend {
  /** 32 bytes. The custody contract takes each reference once for ever. */
  readonly reference: Hex;
  /** 32 bytes: the reference of the certificate's mint, which is its token id. */
  readonly certificate: Hex;
  /** Salt of the wallet that holds it. */
  readonly wallet: Hex;
  readonly to: Hex;
}

/** That a certificate went from one address to another, lower-case. */
export interface CertificateMovement {
  readonly certificate: Hex;
  readonly from: Hex;
  readonly to: Hex;
}

/** The reward certificates of a chain. All of it refuses `asset-not-supported` where there are none. */
export interface CertificateChain {
  /** The token's id is the reference. */
  mintCall(reference: Hex, to: Hex): ContractCall;

  sendCall(movement: CertificateSend): ContractCall;

  /** Who has the certificate by the newest block, lower-case; null when it does not exist. */
  ownerOf(certificate: Hex): Promise<Hex | null>;

  /**
   * Whether the mined transaction moved the certificate so, by the logs of its receipt. A mint moves it from the zero
   * address.
   */
  moved(hash: Hex, movement: CertificateMovement): Promise<boolean>;
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
   * Rejects with an Error when the node is of another chain, or a contract is missing or has other decimals than the
   * asset table.
   */
  check(): Promise<void>;

  /** Sends the stored bytes. Never rejects, and may be repeated with the same bytes at will. */
  broadcast(raw: Hex): Promise<Broadcast>;

  transaction(hash: Hex): Promise<TransactionStatus>;

  /** The block at that height of the chain as it is now; null above the head. */
  blockAt(number: number): Promise<BlockId | null>;

  /**
   * Whether any node has the transaction in a block, successfully. Rejects with `Unavailable` when fewer than two
   * answer, or the only one does not: that a transaction is gone is never taken from one node of several.
   */
  minedAnywhere(hash: Hex): Promise<boolean>;

  /**
   * The number of the sender's transactions that are mined, or final. What waits in a pool is not counted: pools
   * forget.
   */
  nextNonce(sender: Hex, at: 'latest' | 'final'): Promise<number>;

  /**
   * Everything about a transaction at one final block, from one node: count, receipts and reference never come from
   * different states. With more than one node, two must give the same answer at the same block. Rejects with
   * `Unavailable` when a node does not have the block, or too few agree: then nothing is known.
   */
  atFinality(question: FinalityQuestion): Promise<FinalityEvidence>;

  /** A fee that stays enough while the base fee triples. */
  feeQuote(): Promise<FeeQuote>;

  /** Price of a share of an ERC-4626 vault, read at one final block from one node. */
  sharePrice(asset: AssetId): Promise<SharePrice>;

  /** Units of the token's contract. */
  tokenBalance(asset: AssetId, holder: Hex): Promise<bigint>;

  /** The newest block. */
  headBlock(): Promise<BlockId>;

  /** Units of the token's contract at that block: all that exist, and what each holder has, in their order. */
  tokensAt(block: BlockId, asset: AssetId, holders: readonly Hex[]): Promise<TokenState>;

  /** Whether a contract of ours has taken the reference. */
  taken(by: ReferenceTaker, reference: Hex): Promise<boolean>;

  /**
   * The transaction in which the contract accepted the reference, or null. Searched from `since` (epoch ms) to the head
   * first, then before it, in pages. Rejects with `Unavailable` when a search ends before it has found anything: the
   * next one goes on from there.
   */
  takenIn(by: ReferenceTaker, reference: Hex, since: number): Promise<Hex | null>;

  /** Address of the wallet of this salt in our custody, deployed or not. Asks no node. */
  walletAddress(salt: Hex): Hex;

  /** Wei that an address can pay gas with. */
  gasBalance(holder: Hex): Promise<bigint>;

  /** Addresses of our contracts and of the known tokens: nothing is to be sent there. */
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

  /** Each node by itself, for deposits: their logs have to agree. At least one. */
  readonly logNodes: readonly LogNode[];
}
