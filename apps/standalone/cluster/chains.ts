import { join } from 'node:path';
import { CHAINS } from '@ponte/kernel';
import type { MovementsConfig } from '../../movements/src/movements.config';
import { LocalChains } from '../../movements/src/chain/adapters/local-anvil/local-anvil';
import { MOST_OPERATOR_KEYS, operatorKeyIds } from '../../movements/src/movements-settings.port';
import { LocalKeystore } from '../../movements/src/signer/adapters/local-keystore';

/** The chains of a sandbox cluster: they outlive the service that uses them, whichever of its replicas is killed. */
export interface SandboxChains {
  /** What tells the service where they are. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** As the movements service names them. */
const TREASURY_KEY_ID = 'treasury';

/** One anvil for each chain, with our contracts on it, when the settings ask for local chains; else nothing. */
export async function startSandboxChains(
  { chains, keyStore }: MovementsConfig,
  dataDirectory: string,
): Promise<SandboxChains> {
  if (chains.kind !== 'local') return { env: {}, stop: async () => undefined };
  if (keyStore.kind !== 'file')
    throw new Error('local chains need KEYSTORE=file: their contracts name the keys of the file');
  const signer = LocalKeystore.open({ file: join(dataDirectory, 'keystore.json'), passphrase: keyStore.passphrase });
  const local = await LocalChains.start({
    folder: join(dataDirectory, 'chains'),
    signer,
    operatorKeyIds: operatorKeyIds(MOST_OPERATOR_KEYS),
    treasuryKeyId: TREASURY_KEY_ID,
    blockMs: chains.blockMs,
    confirmations: chains.finalAfter,
  });
  const env = Object.fromEntries(
    CHAINS.flatMap((chain) => {
      const suffix = chain.toUpperCase().replaceAll('-', '_');
      const { url, deployment } = local.of(chain);
      return [
        [`CHAIN_RPC_${suffix}`, url],
        [`CHAIN_DEPLOYMENT_${suffix}`, JSON.stringify(deployment)],
        [`CHAIN_CONFIRMATIONS_${suffix}`, '1'],
      ];
    }),
  );
  return {
    env: { ...env, MOVEMENTS_CHAINS: 'rpc', CHAIN_FORGETS: 'true', CHAIN_OUTSIDER: 'anvil' },
    stop: () => local.stop(),
  };
}
