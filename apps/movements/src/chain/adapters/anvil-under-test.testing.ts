import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalKeystore } from '../../signer/adapters/local.keystore.adapter';
import type { ChainUnderTest } from './chain-under-test.testing';
import { LocalChains } from './local-anvil/local-anvil';
import { ViemChain } from './rpc/viem.chain.adapter';

export const KEYS = { operatorKeyId: 'minter', treasuryKeyId: 'treasury' };

/** A local anvil chain with our contracts, for the tests of one suite. */
export class AnvilUnderTest {
  chains!: LocalChains;
  subject!: ChainUnderTest;
  private folder = '';

  constructor() {
    beforeAll(() => this.start());
    afterAll(async () => {
      await this.chains.stop();
      await rm(this.folder, { recursive: true, force: true });
    });
  }

  get base() {
    return this.chains.of('eth-base');
  }

  private async start(): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'ponte-chain-'));
    const signer = await LocalKeystore.open({
      file: join(this.folder, 'keystore.json'),
      passphrase: 'correct horse',
      seed: Buffer.alloc(32, 7),
    });
    this.chains = await LocalChains.start({
      folder: join(this.folder, 'chains'),
      signer,
      operatorKeyIds: [KEYS.operatorKeyId],
      treasuryKeyId: KEYS.treasuryKeyId,
      chains: ['eth-base'],
      blockMs: 30,
    });
    const { chain, deployment } = this.base;
    const unreachable = new ViemChain({ deployment, urls: ['http://127.0.0.1:9'], timeoutMs: 500 });
    this.subject = { chain, signer, unreachable, ...KEYS };
  }
}
