import { CHAINS } from '@ponte/kernel';
import { temporaryFolder } from '@ponte/testing';
import { askNodeOne } from '../chain/adapters/local-anvil/json-rpc';
import { LocalChains } from '../chain/adapters/local-anvil/local-anvil';
import { served } from '../chain/adapters/open-chains';
import { ViemChain } from '../chain/adapters/rpc/viem.chain.adapter';
import { SimulatedChain } from '../chain/adapters/simulated/simulated.chain.adapter';
import { AnvilOutsideSender } from '../deposit-simulation/anvil.outside-sender.adapter';
import { LocalKeystore } from '../signer/adapters/local.keystore.adapter';
import { policedSigner } from '../signer/adapters/policy/policed.signer.adapter';
import { MovementsUnderTest } from './movements-under-test';
import { RpcProxy } from './rpc-proxy';

/**
 * The service over one local anvil, a real node behind two providers, which may misbehave. The test mines the blocks.
 * Final blocks are those that anvil calls final: 64 below the head. The other chains are simulated.
 */
export class DepositsOnAnvil {
  private constructor(
    readonly movements: MovementsUnderTest,
    readonly evm: ViemChain,
    readonly proxies: readonly [RpcProxy, RpcProxy],
    readonly outsider: AnvilOutsideSender,
    private readonly url: string,
    readonly stop: () => Promise<void>,
  ) {}

  static async start(): Promise<DepositsOnAnvil> {
    const folder = temporaryFolder();
    const signer = await LocalKeystore.open({ file: `${folder.path}/keystore.json`, passphrase: 'correct horse' });
    const chains = await LocalChains.start({
      folder: `${folder.path}/chains`,
      signer,
      operatorKeyIds: ['operator'],
      treasuryKeyId: 'treasury',
      chains: ['eth-base'],
      blockMs: null,
    });
    const { deployment, url } = chains.of('eth-base');
    const proxies = await Promise.all([RpcProxy.before(url), RpcProxy.before(url)]);
    const evm = new ViemChain({ deployment, urls: proxies.map((proxy) => proxy.url), pollingMs: 20 });
    const { minter, custody, tokens } = deployment;
    const others = CHAINS.filter((chain) => chain !== 'eth-base').map((chain) => new SimulatedChain({ chain }));
    const all = [
      { evm, confirmations: 12, minter, custody, tokens },
      ...others.map((one) => ({ evm: one, confirmations: 1, ...one.deployment })),
    ];
    const deployments = [deployment, ...others.map((one) => one.deployment)];
    const open = {
      chains: served(all),
      signer: policedSigner(signer, { operatorKeyIds: ['operator'], deployments, limits: {}, now: Date.now }),
      forget: false,
      stop: async () => undefined,
    };
    const movements = await new MovementsUnderTest(folder.path, { open }).start();
    return new DepositsOnAnvil(movements, evm, proxies, new AnvilOutsideSender({ tokens }, url), url, async () => {
      await movements.stop();
      await Promise.all(proxies.map((proxy) => proxy.stop()));
      await chains.stop();
      folder.remove();
    });
  }

  /** Calls the node itself. */
  ask(method: string, ...params: unknown[]): Promise<unknown> {
    return askNodeOne(this.url, method, ...params);
  }

  mine(blocks: number): Promise<unknown> {
    return this.ask('anvil_mine', `0x${blocks.toString(16)}`);
  }
}
