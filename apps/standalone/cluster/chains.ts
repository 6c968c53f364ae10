import { join } from 'node:path';
import { CHAINS } from '@ponte/kernel';
import type { MovementsConfig } from '../../movements/src/movements.config';
import { LocalChains } from '../../movements/src/chain/adapters/local-anvil/local-anvil';
import { MAX_OPERATOR_KEYS, operatorKeyIds } from '../../movements/src/movements-settings.port';
import { LocalKeystore } from '../../movements/src/signer/adapters/local.keystore.adapter';

/** The chains of a sandbox cluster. They keep running when a replica of the service that uses them is killed. */
interface SandboxChains {
  /** The settings with which the service finds the chains. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** The key id that the movements service uses. */
const TREASURY_KEY_ID = 'treasury';

/**
 * Starts one anvil per chain with our contracts deployed if the settings ask for local chains; otherwise starts
 * nothing.
 */
export async function startSandboxChains(
  { chains, keystore }: MovementsConfig,
  dataDirectory: string,
): Promise<SandboxChains> {
  if (chains.kind !== 'local') return { env: {}, stop: async () => undefined };
  if (keystore.kind !== 'file')
    throw new Error('local chains need KEYSTORE=file: their contracts are deployed with the keys of the file');
  const signer = LocalKeystore.open({ file: join(dataDirectory, 'keystore.json'), passphrase: keystore.passphrase });
  const local = await LocalChains.start({
    folder: join(dataDirectory, 'chains'),
    signer,
    operatorKeyIds: operatorKeyIds(MAX_OPERATOR_KEYS),
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
