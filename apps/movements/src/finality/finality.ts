import type { FinalityEvidence, FinalReceipt, Hex } from '../chain/chain.port';

/** What a final block says of a transaction. Only `reverted` and `superseded` allow money to be given back. */
export type FinalVerdict =
  /** Its nonce is not used at the block, or the answers do not fit each other: nothing is decided. */
  | { readonly kind: 'open' }
  /** One of our hashes brought the effect about. */
  | { readonly kind: 'effective'; readonly receipt: FinalReceipt }
  /** The effect is there, but by none of our hashes. */
  | { readonly kind: 'effective-elsewhere' }
  /** One of our hashes used the nonce and failed, and the effect is not there. */
  | { readonly kind: 'reverted'; readonly receipt: FinalReceipt }
  /** Another transaction used the nonce, and the effect is not there. */
  | { readonly kind: 'superseded' };

const OPEN: FinalVerdict = { kind: 'open' };

/**
 * Reads the evidence of one block. An answer that contradicts itself (a receipt without its nonce, a mint without its
 * reference) comes from a node that has not caught up with itself, so it decides nothing.
 */
export function verdictOf(
  evidence: FinalityEvidence,
  { nonce, reference }: { readonly nonce: number; readonly reference: Hex | null },
): FinalVerdict {
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
