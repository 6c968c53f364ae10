import { join } from 'node:path';
import type { Chain } from '@ponte/kernel';
import { CHAINS } from '@ponte/kernel';
import type { ServedChain, ServedChains } from '../../ports/served-chains';
import type { Signer } from '../../ports/signer';
import { LocalKeystore } from '../signer/local-keystore';
import { SimulatedSigner } from '../signer/simulated';
import type { Deployment } from './deployment';
import { parseDeployment } from './deployment';
import { LocalChains } from './local-anvil';
import { SimulatedChain } from './simulated';
import { ViemChain } from './viem';

export interface RpcEndpoints {
  readonly chain: Chain;
  readonly urls: readonly string[];
  readonly deployment: unknown;
  readonly confirmations: number;
}

export type WhichChains =
  | { readonly kind: 'local'; readonly blockMs: number }
  | { readonly kind: 'simulated' }
  | { readonly kind: 'rpc'; readonly chains: readonly RpcEndpoints[]; readonly forget: boolean };

export interface OpenChainsOptions {
  readonly which: WhichChains;
  /** The data folder, whose lock the caller holds. */
  readonly folder: string;
  readonly passphrase: string;
  readonly operatorKeyIds: readonly string[];
}

/** Chains and keys, together since a local chain's contracts name the keys that may mint. */
export interface OpenChains {
  readonly chains: ServedChains;
  readonly signer: Signer;
  /** Whether they may lose what they had taken. */
  readonly forget: boolean;
  stop(): Promise<void>;
}

/** Holds the first supply of what others issue, on a local chain. */
const TREASURY_KEY_ID = 'treasury';
/** Enough on a chain that never reorganises. */
const LOCAL_CONFIRMATIONS = 1;

export async function openChains({ which, folder, passphrase, operatorKeyIds }: OpenChainsOptions): Promise<OpenChains> {
  if (which.kind === 'simulated') return simulated();
  const signer = LocalKeystore.open({ file: join(folder, 'keystore.json'), passphrase });
  switch (which.kind) {
    case 'local': {
      // The nodes start while the key store opens.
      const local = await LocalChains.start({
        folder: join(folder, 'chains'), signer, operatorKeyIds, treasuryKeyId: TREASURY_KEY_ID, blockMs: which.blockMs, confirmations: LOCAL_CONFIRMATIONS,
      });
      const all = CHAINS.map((chain): ServedChain => {
        const { chain: evm, url, deployment } = local.of(chain);
        return { evm, confirmations: LOCAL_CONFIRMATIONS, url, ...contractsOf(deployment) };
      });
      return { chains: served(all), signer: await signer, forget: true, stop: () => local.stop() };
    }
    case 'rpc': {
      const all = await Promise.all(which.chains.map(remote));
      return { chains: served(all), signer: await signer, forget: which.forget, stop: async () => undefined };
    }
  }
}

/** A node of the wrong chain, or a contract that is not ours, stops the start. */
async function remote({ chain, urls, deployment: json, confirmations }: RpcEndpoints): Promise<ServedChain> {
  const deployment = parseDeployment(chain, json);
  const evm = new ViemChain({ deployment, urls });
  await evm.check();
  return { evm, confirmations, ...contractsOf(deployment) };
}

function simulated(): OpenChains {
  const all = CHAINS.map((chain): ServedChain => {
    const evm = new SimulatedChain({ chain });
    return { evm, confirmations: LOCAL_CONFIRMATIONS, ...contractsOf(evm.deployment) };
  });
  return { chains: served(all), signer: new SimulatedSigner(), forget: true, stop: async () => undefined };
}

const contractsOf = ({ minter, custody, tokens }: Deployment): Pick<ServedChain, 'minter' | 'custody' | 'tokens'> => ({ minter, custody, tokens });

/** Looks chains up by their name. */
export function served(all: readonly ServedChain[]): ServedChains {
  const byName = new Map(all.map((one) => [one.evm.chain, one]));
  return {
    all,
    of(chain) {
      const one = byName.get(chain);
      if (one === undefined) throw new Error(`${chain} is not served here`);
      return one;
    },
  };
}
