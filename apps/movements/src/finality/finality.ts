import type { FinalityEvidence, FinalReceipt, Hex } from '../chain/chain.port';

/** The outcome of a transaction in a final block. Only `reverted` and `superseded` allow money to be returned. */
export type FinalOutcome =
  /** The nonce is not used at the block, or the answers contradict each other: nothing is decided. */
  | { readonly kind: 'open' }
  /** A transaction with one of the intent's hashes had the effect. */
  | { readonly kind: 'effective'; readonly receipt: FinalReceipt }
  /** The effect exists, but none of the intent's hashes made it. */
  | { readonly kind: 'effective-elsewhere' }
  /** A transaction with one of the intent's hashes used the nonce and failed, and the effect does not exist. */
  | { readonly kind: 'reverted'; readonly receipt: FinalReceipt }
  /** Another transaction used the nonce, and the effect does not exist. */
  | { readonly kind: 'superseded' };

const OPEN: FinalOutcome = { kind: 'open' };

/**
 * Evaluates the evidence of one block. Contradictory evidence (a receipt whose nonce is unused, a mint whose reference
 * is free) comes from a node with an inconsistent state, so it decides nothing.
 */
export function finalOutcomeOf(
  evidence: FinalityEvidence,
  { nonce, reference }: { readonly nonce: number; readonly reference: Hex | null },
): FinalOutcome {
  const { minedCount, receipts, referenceTaken } = evidence;
  const used = minedCount > nonce;
  const [receipt, another] = receipts;
  if (another !== undefined) return OPEN;
  if (receipt !== undefined && !used) return OPEN;
  if (receipt?.succeeded) return reference === null || referenceTaken ? { kind: 'effective', receipt } : OPEN;
  if (referenceTaken) return { kind: 'effective-elsewhere' };
  if (receipt) return { kind: 'reverted', receipt };
  return used ? { kind: 'superseded' } : OPEN;
}
