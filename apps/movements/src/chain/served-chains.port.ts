import type { AssetId, Chain } from '@ponte/kernel';
import type { EvmChain, Hex } from './chain.port';

/** A chain with its settings in this process. */
export interface ServedChain {
  readonly evm: EvmChain;
  /** That a movement is waited for; 1 is the block itself. */
  readonly confirmations: number;
  readonly minter: Hex;
  readonly custody: Hex;
  readonly tokens: Readonly<Partial<Record<AssetId, Hex>>>;
  /** Of a local node alone: the URL of a provider carries a key. */
  readonly url?: string;
  /** Of a sandbox whose chains run beside it: the anvil that lets someone outside send tokens. */
  readonly outsiderUrl?: string;
}

/** The chains that this process works on. */
export interface ServedChains {
  readonly all: readonly ServedChain[];
  /** Throws an Error for a chain that is not served. */
  of(chain: Chain): ServedChain;
}

export const SERVED_CHAINS = Symbol('ServedChains');
