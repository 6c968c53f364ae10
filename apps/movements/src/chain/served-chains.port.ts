import type { AssetId, Chain } from '@ponte/kernel';
import type { EvmChain, Hex } from './chain.port';

/** A chain with its settings in this process. */
export interface ServedChain {
  readonly evm: EvmChain;
  /** How many confirmations a movement needs; 1 is the block itself. */
  readonly confirmations: number;
  readonly minter: Hex;
  readonly custody: Hex;
  readonly tokens: Readonly<Partial<Record<AssetId, Hex>>>;
  /** Set only for a local node: a provider's URL contains its API key. */
  readonly url?: string;
  /** Only in a sandbox with separate chain processes: the anvil that sends tokens from outside addresses. */
  readonly outsiderUrl?: string;
}

/** The chains that this process works on. */
export interface ServedChains {
  readonly all: readonly ServedChain[];
  /** Throws an Error for a chain that is not served. */
  of(chain: Chain): ServedChain;
}

export const SERVED_CHAINS = Symbol('ServedChains');
