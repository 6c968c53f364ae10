import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@ponte/testing';
import { LocalKeystore } from '../../../signer/adapters/local.keystore.adapter';
import { freshReference } from '../chain-under-test.testing';
import { parseDeployment } from '../deployment';
import { LocalChains } from './local-anvil';
import { simulatedDeployment } from '../simulated/simulated-deployment';
import { ViemChain } from '../rpc/viem.chain.adapter';

let folder: ReturnType<typeof temporaryFolder>;
let running: LocalChains | undefined;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await running?.stop();
  folder.remove();
});

async function start() {
  const signer = await LocalKeystore.open({ file: join(folder.path, 'keystore.json'), passphrase: 'correct horse' });
  const keys = { operatorKeyIds: ['operator'], treasuryKeyId: 'treasury' };
  running = await LocalChains.start({
    folder: join(folder.path, 'chains'),
    signer,
    ...keys,
    chains: ['eth-base', 'tempo'],
    blockMs: 30,
  });
  return running;
}

describe('the contract of the certificates on a local chain', () => {
  it('is only on eth-base, and is added to an older chain without moving the other contracts', async () => {
    const first = await start();
    const { deployment } = first.of('eth-base');
    expect([typeof deployment.certificates, first.of('tempo').deployment.certificates]).toEqual(['string', undefined]);
    expect(() => first.of('tempo').chain.certificates.mintCall(freshReference(), deployment.minter)).toThrow(
      expect.objectContaining({ code: 'asset-not-supported' }),
    );
    await first.stop();
    const file = join(folder.path, 'chains', 'eth-base', 'contracts.json');
    const { certificates, ...before } = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    expect(certificates).toBe(deployment.certificates);
    await writeFile(file, JSON.stringify(before));
    const { deployment: after, deployedNow } = (await start()).of('eth-base');
    expect([after.minter, after.custody, after.tokens, deployedNow]).toEqual([
      deployment.minter,
      deployment.custody,
      deployment.tokens,
      false,
    ]);
    expect(after.certificates).not.toBe(deployment.certificates);
    expect(await readFile(file, 'utf8')).toContain(String(after.certificates));
  });

  it('is read from the configuration, and a wrong address stops the start', async () => {
    const { chain, ...json } = simulatedDeployment('eth-base');
    expect(parseDeployment(chain, json)).toEqual({ chain, ...json });
    expect(() => parseDeployment(chain, { ...json, certificates: '0x12' })).toThrow(
      'certificates must be the address of a contract',
    );
    const { deployment, url } = (await start()).of('eth-base');
    const strange = new ViemChain({ deployment: { ...deployment, certificates: deployment.custody }, urls: [url] });
    await expect(strange.check()).rejects.toThrow('no contract for reward certificates');
  });
});
