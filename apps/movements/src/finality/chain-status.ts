import type { MinedTransaction } from '../chain/chain.port';
import type { ServedChain } from '../chain/served-chains.port';

/** What the chain says now about a transaction. */
export type ChainStatus =
  | { readonly kind: 'ended' }
  /** Mined, and has enough confirmations when the head has this number. */
  | { readonly kind: 'maturing'; readonly readyAt: number }
  /**
   * Mined or replaced, but not certain enough for the money that it moves. Checked in each round, and from the head
   * with this number on: infinite if only a final block decides.
   */
  | { readonly kind: 'unfinal'; readonly readyAt: number }
  /**
   * Another transaction used its reference for another movement, in a final block. So this movement can never be made,
   * and a person decides how it ends. Checked in each round.
   */
  | { readonly kind: 'misused'; readonly readyAt: number }
  /** This node has it in no block. That is never proof of failure. */
  | { readonly kind: 'missing' };

export const MISSING: ChainStatus = { kind: 'missing' };
export const UNFINAL: ChainStatus = { kind: 'unfinal', readyAt: Number.POSITIVE_INFINITY };
export const MISUSED: ChainStatus = { kind: 'misused', readyAt: Number.POSITIVE_INFINITY };

export const isOldEnough = (found: MinedTransaction, { confirmations }: ServedChain): boolean =>
  found.confirmations >= confirmations;

export const maturing = (found: MinedTransaction, { confirmations }: ServedChain): ChainStatus => ({
  kind: 'maturing',
  readyAt: found.blockNumber + confirmations - 1,
});
