import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { CHAINS } from '@ponte/kernel';
import type { Chain } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import { encodeFunctionData, keccak256, parseAbi, toHex } from 'viem';
import { askNode, askNodeOne } from '../chain/adapters/local-anvil/json-rpc';
import { LocalChains } from '../chain/adapters/local-anvil/local-anvil';
import { openChains } from '../chain/adapters/open-chains';
import type { EvmChain, Hex } from '../chain/chain.port';
import { operatorKeyIds } from '../movements-settings.port';
import { LocalKeystore } from '../signer/adapters/local.keystore.adapter';
import type { SignerLimits } from '../signer-policy/signing-policy';
import { ContinuousMiner } from './continuous-miner';
import { MovementsUnderTest } from './movements-under-test';

const PASSPHRASE = 'correct horse';
const KEYSTORE = { kind: 'file', passphrase: PASSPHRASE } as const;
const ROLE = keccak256(toHex('OPERATOR_ROLE'));
const ACCESS = parseAbi([
  'function grantRole(bytes32 role, address account)',
  'function revokeRole(bytes32 role, address account)',
  'function hasRole(bytes32 role, address account) view returns (bool)',
]);
/** A coin, in wei. */
const COIN = 10n ** 18n;

/**
 * Local anvil chains whose contracts name one operator key, and the movements service over them as in production: by
 * RPC, with keystores in the files of a data folder. The chains and the log outlive the service.
 */
export class KeysOnAnvil {
  private readonly folder = temporaryFolder();
  private chains!: LocalChains;
  private miner!: ContinuousMiner;
  private admin!: Hex;
  private running: MovementsUnderTest | undefined;

  /** Deploys the contracts with the first operator key, and returns its address. */
  async start(): Promise<Hex> {
    const keys = await this.keystore();
    this.chains = await LocalChains.start({
      folder: join(this.folder.path, 'chains'),
      signer: keys,
      operatorKeyIds: ['operator'],
      treasuryKeyId: 'treasury',
      // Mined below: a local miner rests while nothing is sent through its own client.
      blockMs: null,
    });
    this.miner = new ContinuousMiner(this.chains.of('eth-base').url);
    this.admin = await keys.addressOf('deployer');
    return keys.addressOf('operator');
  }

  async stop(): Promise<void> {
    await this.running?.stop();
    await this.miner.stop();
    await this.chains.stop();
    this.folder.remove();
  }

  /** Makes the keystore the former one, and a new one in its place. Returns the address of the new operator key. */
  async replaceKeystore(): Promise<Hex> {
    await rename(join(this.folder.path, 'keystore.json'), join(this.folder.path, 'former-keystore.json'));
    return (await this.keystore()).addressOf('operator');
  }

  /** Starts movements instead of the one that ran before. */
  async movements(setup: { former: boolean; limits?: SignerLimits }): Promise<MovementsUnderTest> {
    const before = this.running;
    await before?.stop();
    const { limits, former } = setup;
    const open = await openChains({
      which: {
        kind: 'rpc',
        chains: CHAINS.map((chain) => {
          const { url, deployment } = this.chains.of(chain);
          return { chain, urls: [url], deployment, confirmations: 1 };
        }),
        forget: false,
        outsider: true,
      },
      folder: this.folder.path,
      keystore: KEYSTORE,
      ...(former && { formerKeys: [{ number: 1, keystore: KEYSTORE, count: 1 }] }),
      ...(limits && { limits }),
      operatorKeyIds: operatorKeyIds(1),
      usedKeyIds: operatorKeyIds(1),
      environment: 'sandbox',
    });
    this.running = new MovementsUnderTest(this.folder.path, {
      open,
      ...(before && { beside: before }),
      ...(former && { former: open.signer }),
    });
    for (const [accountId, status] of before?.statuses ?? []) this.running.statuses.set(accountId, status);
    return this.running.start();
  }

  grant = (address: Hex): Promise<void> => this.change('grantRole', address);
  revoke = (address: Hex): Promise<void> => this.change('revokeRole', address);

  /** Whether the address has the role, in each contract of each chain. */
  async roles(address: Hex): Promise<boolean[]> {
    const data = encodeFunctionData({ abi: ACCESS, functionName: 'hasRole', args: [ROLE, address] });
    const answers = this.contracts().map(([chain, to]) =>
      askNodeOne(this.chains.of(chain).url, 'eth_call', { to, data }, 'latest'),
    );
    return (await Promise.all(answers)).map((answer) => BigInt(String(answer)) === 1n);
  }

  get base(): EvmChain {
    return this.chains.of('eth-base').chain;
  }

  /** The BRLV of an address on eth-base. */
  balanceOf = (holder: Hex): Promise<bigint> => this.base.tokenBalance('eth-base/brlv', holder);

  /** Sets the coins of an address on every chain. */
  async coins(address: Hex, coins: bigint): Promise<void> {
    for (const chain of CHAINS)
      await askNodeOne(this.chains.of(chain).url, 'anvil_setBalance', address, toHex(coins * COIN));
  }

  /** The admin of the contracts sends the transaction to each contract that has operators. */
  private async change(functionName: 'grantRole' | 'revokeRole', address: Hex): Promise<void> {
    const data = encodeFunctionData({ abi: ACCESS, functionName, args: [ROLE, address] });
    for (const [chain, to] of this.contracts()) {
      const { url } = this.chains.of(chain);
      const [, , hash] = await askNode(url, [
        { method: 'anvil_setBalance', params: [this.admin, toHex(COIN)] },
        { method: 'anvil_impersonateAccount', params: [this.admin] },
        { method: 'eth_sendTransaction', params: [{ from: this.admin, to, data }] },
      ]);
      await eventually(async () => {
        await askNodeOne(url, 'evm_mine');
        expect(await askNodeOne(url, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
      });
    }
  }

  private contracts(): (readonly [Chain, Hex])[] {
    return CHAINS.flatMap((chain) => {
      const { minter, custody, certificates } = this.chains.of(chain).deployment;
      return [minter, custody, ...(certificates ? [certificates] : [])].map((to) => [chain, to] as const);
    });
  }

  private keystore(): Promise<LocalKeystore> {
    return LocalKeystore.open({ file: join(this.folder.path, 'keystore.json'), passphrase: PASSPHRASE });
  }
}
