import { CHAINS } from '@ponte/kernel';
import { MemoryEventStore, MemoryLog, temporaryFolder } from '@ponte/testing';
import { LocalChains } from '../chain/adapters/local-anvil/local-anvil';
import type { OpenChains } from '../chain/adapters/open-chains';
import { served } from '../chain/adapters/open-chains';
import { ViemChain } from '../chain/adapters/rpc/viem.chain.adapter';
import { LocalKeystore } from '../signer/adapters/local.keystore.adapter';
import { policedSigner } from '../signer/adapters/policy/policed.signer.adapter';
import { CertificatesUnderTest } from './certificates-under-test';
import { ContinuousMiner } from './continuous-miner';
import { RpcProxy } from './rpc-proxy';
import type { Hex } from '../chain/chain.port';
import { MAX_OPERATOR_KEYS, operatorKeyIds } from '../movements-settings.port';

/** Movements are completed well before they are final. */
export const CONFIRMATIONS = 2;
const FINALITY = 12;

/**
 * The service over local anvil chains. One of them is behind a proxy whose answers a test can change. It mines blocks
 * continuously, as public chains do: fees are not raised while a chain stands still.
 */
export class CertificatesOnAnvil {
  private constructor(
    readonly movements: CertificatesUnderTest,
    readonly proxy: RpcProxy,
    readonly keystore: LocalKeystore,
    readonly url: string,
    readonly contract: Hex,
    readonly miner: ContinuousMiner,
    private readonly end: () => Promise<void>,
  ) {}

  static async start(): Promise<CertificatesOnAnvil> {
    const folder = temporaryFolder();
    const keys = await LocalKeystore.open({ file: `${folder.path}/keystore.json`, passphrase: 'correct horse' });
    const operators = operatorKeyIds(MAX_OPERATOR_KEYS);
    const chains = await LocalChains.start({
      folder: `${folder.path}/chains`,
      signer: keys,
      operatorKeyIds: operators,
      treasuryKeyId: 'treasury',
      // A miner of their own would also mine while the test has paused the one below.
      blockMs: null,
    });
    const { deployment, url } = chains.of('eth-base');
    const proxy = await RpcProxy.before(url);
    const evm = new ViemChain({ deployment, urls: [proxy.url], pollingMs: 20, finality: { confirmations: FINALITY } });
    await evm.check();
    const all = CHAINS.map((chain) => {
      const local = chains.of(chain);
      const { minter, custody, tokens } = local.deployment;
      return { evm: chain === 'eth-base' ? evm : local.chain, confirmations: CONFIRMATIONS, minter, custody, tokens };
    });
    const signer = policedSigner(keys, {
      operatorKeyIds: operators,
      deployments: [deployment],
      limits: {},
      now: Date.now,
    });
    const open: OpenChains = { chains: served(all), signer, forget: false, stop: async () => undefined };
    const log = new MemoryLog();
    const movements = await CertificatesUnderTest.start({
      folder: folder.path,
      open,
      store: new MemoryEventStore({ log }),
      events: () => log.slice(0, log.length),
    });
    const miner = new ContinuousMiner(url);
    return new CertificatesOnAnvil(movements, proxy, keys, url, deployment.certificates as Hex, miner, async () => {
      await movements.stop();
      await miner.stop();
      await proxy.stop();
      await chains.stop();
      folder.remove();
    });
  }

  async stop(): Promise<void> {
    await this.end();
  }
}
