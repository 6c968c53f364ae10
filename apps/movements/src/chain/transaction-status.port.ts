import type { Hex } from './block.port';

/**
 * What the nodes answered to signed bytes. None of these ends a movement: only a mined revert, or another transaction
 * that has used the nonce and is final, does.
 */
export type Broadcast =
  /** At least one node has these bytes, in its pool or in a block. */
  | { readonly outcome: 'taken' }
  /** No node is known to have the bytes, and at least one refused to keep them. */
  | { readonly outcome: 'refused'; readonly reason: BroadcastRefusal; readonly message: string }
  /**
   * No answer came, so they may or may not have arrived. Resolved by reading the hash, or by sending the same bytes
   * again.
   */
  | { readonly outcome: 'unknown'; readonly message: string };

export type BroadcastRefusal =
  /** Another transaction of this sender was mined with the nonce, and no node answered as if the nonce were free. */
  | 'nonce-used'
  /** The fee must be raised: another transaction is pending with the nonce, or the fee is below the base fee. */
  | 'fee-too-low'
  /** The sender cannot pay for the gas. */
  | 'insufficient-gas-money'
  /** The node does not accept the bytes as a transaction of its chain. */
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
  /** True when the block is known to be final. False when it is not, or when finality was not checked. */
  readonly final: boolean;
  /** Wei paid for gas. */
  readonly feePaid: bigint;
}

/** A block, and how many confirmations a transaction in it must have. */
export type MinedPlace = Pick<MinedTransaction, 'blockHash' | 'confirmations'>;

/** Wei per gas. */
export interface FeeQuote {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}
