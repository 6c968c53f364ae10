import type { AssetId, Chain } from '@ponte/kernel';

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
  /** No answer came, so they may or may not have arrived. Resolved by reading the hash, or by sending the same bytes again. */
  | { readonly outcome: 'unknown'; readonly message: string };

export type BroadcastRefusal =
  /** Another transaction of this sender was mined under the nonce. */
  | 'nonce-used'
  /** Another transaction of this sender waits under the nonce, or the fee is under the block's: the fee must be raised. */
  | 'fee-too-low'
  /** The sender cannot pay for the gas. */
  | 'insufficient-gas-money'
  /** The node does not read the bytes as a transaction of its chain. */
  | 'invalid';

export type TransactionStatus =
  /** This node does not know the hash: not arrived yet, dropped, or forgotten. Never a proof of failure. */
  | { readonly status: 'missing' }
  | { readonly status: 'pooled' }
  | MinedTransaction;

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

/** What to sign, but for the sender's nonce and the fee. */
export interface ContractCall {
  readonly to: Hex;
  readonly data: Hex;
  /** Gas limit, enough for this call with any arguments. */
  readonly gas: bigint;
}

export interface MintWish {
  /** 32 bytes. The minter contract takes each reference once for ever. */
  readonly reference: Hex;
  readonly asset: AssetId;
  readonly to: Hex;
  /** Units of the contract (`onChainDecimals`). */
  readonly units: bigint;
  /** For a share (wBRLY): the most units of the asset behind it that these shares may cost, else the mint reverts. */
  readonly mostBacking?: bigint;
}

export interface TransferWish {
  readonly asset: AssetId;
  readonly to: Hex;
  /** Units of the contract (`onChainDecimals`). */
  readonly units: bigint;
}

export interface TokenSendWish {
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
export type ReferenceTaker = 'minter' | 'custody';

/**
 * One EVM chain, with Ponte's contracts on it. Reads reject with `Unavailable` ('chain-unavailable') when no node answers
 * in time: that says nothing about the state of the chain. Addresses and hashes are lower-case.
 * An asset that has no contract here, or cannot be minted, is refused with `asset-not-supported`.
 */
export interface EvmChain {
  readonly chain: Chain;
  readonly chainId: number;

  /** Rejects with an Error when the node is of another chain, or a contract is missing or has other decimals than the asset table. */
  check(): Promise<void>;

  /** Sends the stored bytes. Never rejects, and may be repeated with the same bytes at will. */
  broadcast(raw: Hex): Promise<Broadcast>;

  transaction(hash: Hex): Promise<TransactionStatus>;

  /** The number of the sender's transactions that are mined, or final. What waits in a pool is not counted: pools forget. */
  nextNonce(sender: Hex, at: 'latest' | 'final'): Promise<number>;

  /** A fee that stays enough while the base fee triples. */
  feeQuote(): Promise<FeeQuote>;

  /** Minor units of the BRL token behind one whole share (10^18) of an ERC-4626 vault, and the block at which the vault said so. */
  sharePrice(asset: AssetId): Promise<{ readonly perShare: bigint; readonly blockNumber: number }>;

  /** Units of the token's contract. */
  tokenBalance(asset: AssetId, holder: Hex): Promise<bigint>;

  /** Whether the minter contract has taken the reference. */
  minted(reference: Hex): Promise<boolean>;

  /** The transaction in which the minter contract took the reference, null when there is none. Dearer than `minted`. */
  mintedBy(reference: Hex): Promise<Hex | null>;

  /** Whether a contract of ours has taken the reference. */
  taken(by: ReferenceTaker, reference: Hex): Promise<boolean>;

  /** The transaction in which the contract took the reference, null when there is none. Dearer than `taken`. */
  takenIn(by: ReferenceTaker, reference: Hex): Promise<Hex | null>;

  /** Address of the wallet of this salt in our custody, deployed or not. Asks no node. */
  walletAddress(salt: Hex): Hex;

  /** Wei that an address can pay gas with. */
  gasBalance(holder: Hex): Promise<bigint>;

  /** Addresses of our contracts and of the known tokens: nothing is to be sent there. */
  readonly contracts: ReadonlySet<Hex>;

  mintCall(wish: MintWish): ContractCall;

  sendTokenCall(wish: TokenSendWish): ContractCall;

  redeemCall(request: RedemptionRequest): ContractCall;

  transferCall(wish: TransferWish): ContractCall;

  /**
   * The newest head, then every newer one that is seen (heads may be skipped, never repeated), until the signal aborts.
   * A node that does not answer only makes the next head later. After a reorg a head's number may be lower.
   */
  heads(signal: AbortSignal): AsyncIterable<Head>;
}
