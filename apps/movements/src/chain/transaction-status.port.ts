import type { Hex } from './block.port';

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
