import { CHAINS } from '@ponte/kernel';
import { MAX_OPERATOR_KEYS, operatorKeyIds } from '../movements-settings.port';
import type { OpenChains } from '../chain/adapters/open-chains';
import { served } from '../chain/adapters/open-chains';
import { SimulatedChain } from '../chain/adapters/simulated/simulated.chain.adapter';
import { policedSigner } from '../signer/adapters/policy/policed.signer.adapter';
import { SimulatedSigner } from '../signer/adapters/simulated.keystore.adapter';

/** Simulated chains, which outlive the service, and a signer with a policy. `base` is eth-base. */
export function simulatedChains(): { readonly open: OpenChains; readonly base: SimulatedChain } {
  const all = CHAINS.map((chain) => new SimulatedChain({ chain }));
  const deployments = all.map(({ deployment }) => deployment);
  const signer = policedSigner(new SimulatedSigner(), {
    operatorKeyIds: operatorKeyIds(MAX_OPERATOR_KEYS),
    deployments,
    limits: {},
    now: Date.now,
  });
  const each = all.map((evm) => ({
    evm,
    confirmations: 1,
    minter: evm.deployment.minter,
    custody: evm.deployment.custody,
    tokens: evm.deployment.tokens,
  }));
  const base = all.find(({ chain }) => chain === 'eth-base') as SimulatedChain;
  return { base, open: { chains: served(each), signer, forget: true, stop: async () => undefined } };
}

/** The code with which a request was refused, or `accepted`. */
export const codeOf = (request: Promise<unknown>): Promise<string> =>
  request.then(
    () => 'accepted',
    (error: unknown) => (error as { code?: string }).code ?? String(error),
  );
