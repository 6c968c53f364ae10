import type { Chain } from '@ponte/kernel';

/**
 * How the final block is determined: by the node's `finalized` tag or, on a chain without one, by a number of
 * confirmations.
 */
export type Finality = 'finalized-tag' | { readonly confirmations: number };

/** Chains whose blocks are final at once. All others have a `finalized` tag. */
export const FINALITY: Readonly<Partial<Record<Chain, Finality>>> = { tempo: { confirmations: 1 } };

/** Interval between two polls of the newest block, ms: a fraction of the block time, which is 12 s on Ethereum. */
export const POLLING_MS: Readonly<Record<Chain, number>> = { 'eth-mainnet': 2_000, 'eth-base': 500, tempo: 500 };
