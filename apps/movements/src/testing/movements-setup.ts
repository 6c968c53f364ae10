import type { Chain } from '@ponte/kernel';
import type { MemoryLog } from '@ponte/testing';
import type { EvmChain } from '../chain/chain.port';
import type { OpenChains } from '../chain/adapters/open-chains';
import type { SimulatedChain } from '../chain/adapters/simulated/simulated.chain.adapter';
import type { FormerKeystoreNumber } from '../movements-settings.port';
import type { Keystore } from '../signer/signer.port';
import type { SignerLimits } from '../signer-policy/signing-policy';

/** How the service is started in a test. */
export interface Setup {
  readonly instant?: boolean;
  readonly operatorKeys?: number;
  readonly limits?: SignerLimits;
  /** How many confirmations a movement needs. */
  readonly confirmations?: number;
  /** Confirmations after which a block is final; by default as many as a movement needs. */
  readonly finality?: number;
  /** Interval between two rounds over everything unfinished. */
  readonly pollMs?: number;
  /** How long a transaction waits before its fees are raised; an hour by default. */
  readonly raiseFeeMs?: number;
  /** How long a payment waits for the treasury; an hour by default. */
  readonly liquidityMs?: number;
  /** Another process of the service, whose log and chains are shared. Both must set `replicated`. */
  readonly beside?: { readonly log: MemoryLog; readonly chains: ReadonlyMap<Chain, SimulatedChain> };
  /** Whether other processes append to the log. */
  readonly replicated?: boolean;
  /** Whether the simulated chains may lose accepted transactions, as a local one does; true by default. */
  readonly forget?: boolean;
  /** Chains and keys to use instead of the simulated ones. */
  readonly open?: OpenChains;
  readonly serve?: (chain: SimulatedChain) => EvmChain;
  /** The keystore; {@link signer} by default. */
  readonly keys?: Keystore;
  /** A keystore with one former operator key. */
  readonly former?: Keystore;
  /** As {@link former}: the second former keystore. */
  readonly older?: Keystore;
}

interface FormerKeystore {
  readonly number: FormerKeystoreNumber;
  readonly count: number;
  readonly keys: Keystore;
}

/** The former keystores of the setup, with one key each. */
export const formerIn = ({ former, older }: Setup): readonly FormerKeystore[] => [
  ...(former ? [{ number: 1, count: 1, keys: former } as const] : []),
  ...(older ? [{ number: 2, count: 1, keys: older } as const] : []),
];
