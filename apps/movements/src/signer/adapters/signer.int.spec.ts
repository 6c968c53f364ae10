import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recoverTransactionAddress } from 'viem';
import { openChains } from '../../chain/adapters/open-chains';
import { LocalKeystore } from './local.keystore.adapter';
import { TRANSACTION, signerContract } from './signer.contract';
import { SimulatedSigner } from './simulated.keystore.adapter';

let folder: string;
const PASSPHRASE = 'canary-passphrase';
const keystore = (name = 'keystore.json', passphrase = PASSPHRASE, seed?: Buffer) =>
  LocalKeystore.open({ file: join(folder, name), passphrase, ...(seed && { seed }) });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ponte-signer-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

signerContract('LocalKeystore', keystore, keystore);
signerContract(
  'SimulatedSigner',
  async () => new SimulatedSigner(),
  async () => new SimulatedSigner(),
);

describe('LocalKeystore', () => {
  it('signs as the address that it reports', async () => {
    const signer = await keystore();
    const { raw } = await signer.signTransaction('wallet/1', TRANSACTION);
    const sender = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` });
    expect(sender.toLowerCase()).toBe(await signer.addressOf('wallet/1'));
  });

  it('always derives the same keys from the same seed (a change of the derivation would lose every wallet)', async () => {
    const signer = await keystore('seeded.json', PASSPHRASE, Buffer.alloc(32, 7));
    await expect(signer.addressOf('wallet/1')).resolves.toMatchInlineSnapshot(
      `"0xcc6030a14df55cb5321227728cac1105eb9306c7"`,
    );
    const other = await keystore('other.json', PASSPHRASE, Buffer.alloc(32, 8));
    await expect(other.addressOf('wallet/1')).resolves.not.toBe(await signer.addressOf('wallet/1'));
  });

  it('keeps the seed encrypted, readable only by its owner, and leaves no temporary file behind', async () => {
    const seed = Buffer.alloc(32, 0xc5);
    await keystore('sealed.json', PASSPHRASE, seed);
    const content = await readFile(join(folder, 'sealed.json'), 'utf8');
    for (const form of [seed.toString('hex'), seed.toString('base64'), PASSPHRASE]) expect(content).not.toContain(form);
    if (process.platform !== 'win32') expect((await stat(join(folder, 'sealed.json'))).mode & 0o077).toBe(0);
    expect((await readdir(folder)).filter((file) => file.endsWith('.tmp'))).toEqual([]);
  });

  it('does not open with a wrong passphrase or a changed file, and never overwrites a file that it cannot open', async () => {
    await keystore('kept.json');
    const file = join(folder, 'kept.json');
    const content = await readFile(file, 'utf8');
    await expect(keystore('kept.json', 'wrong')).rejects.toThrow('the keystore does not open');
    await expect(keystore('kept.json', '')).rejects.toThrow('passphrase');
    const changed = JSON.stringify({ ...JSON.parse(content), sealed: Buffer.alloc(32).toString('base64') });
    for (const broken of [changed, content.slice(0, 40), '', 'null', '{"version":2}']) {
      await writeFile(file, broken);
      await expect(keystore('kept.json')).rejects.toThrow(/the keystore (does not open|is not a file)/);
      await expect(readFile(file, 'utf8')).resolves.toBe(broken);
    }
  });

  it('refuses to open or create a missing file that must exist (a new seed would lose every wallet)', async () => {
    const file = join(folder, 'lost.json');
    const refusing = () => LocalKeystore.open({ file, passphrase: PASSPHRASE, missing: 'refuse' });
    await expect(refusing()).rejects.toThrow(`there is no keystore at ${file}`);
    expect(await readdir(folder)).not.toContain('lost.json');
    const which = { kind: 'rpc', chains: [], forget: false } as const;
    const start = openChains({
      which,
      folder: join(folder, 'empty'),
      keystore: { kind: 'file', passphrase: PASSPHRASE },
      operatorKeyIds: ['operator'],
      environment: 'production',
    });
    await expect(start).rejects.toThrow('there is no keystore');
    const made = await (await keystore('lost.json')).addressOf('wallet/1');
    await expect((await refusing()).addressOf('wallet/1')).resolves.toBe(made);
  });

  it('signs nothing for a chain that is not ours, or outside the bounds of gas and fees', async () => {
    const signer = await keystore();
    const outOfBounds = [
      { chainId: 0 },
      { chainId: 5 },
      { nonce: -1 },
      { nonce: 0.5 },
      { value: -1n },
      { gas: 0n },
      { gas: 10n ** 9n },
      { maxFeePerGas: 10n ** 15n },
      { maxPriorityFeePerGas: 3_001n },
      { maxPriorityFeePerGas: -1n },
    ];
    for (const change of outOfBounds) {
      await expect(signer.signTransaction('wallet/1', { ...TRANSACTION, ...change })).rejects.toThrow(RangeError);
    }
    await expect(signer.createKey('')).rejects.toThrow('key id');
  });

  it('signs no more gas than the nodes of the chain accept', async () => {
    const signer = await keystore();
    // A movement out of 20 wallets on Tempo, where new state costs far more than elsewhere.
    const signed = (chainId: number) =>
      signer.signTransaction('wallet/1', { ...TRANSACTION, chainId, gas: 20_000_000n });
    await expect(signed(4_217)).resolves.toMatchObject({ raw: expect.stringMatching(/^0x02/) as string });
    for (const chainId of [1, 8_453]) await expect(signed(chainId)).rejects.toThrow('the gas limit is out of bounds');
  });

  it('reveals no key when it is printed', async () => {
    const seed = Buffer.alloc(32, 0xc5);
    const signer = await keystore('printed.json', PASSPHRASE, seed);
    await signer.addressOf('wallet/1');
    const { inspect } = await import('node:util');
    for (const text of [JSON.stringify(signer), inspect(signer, { depth: 9, showHidden: true })]) {
      expect(text).not.toMatch(/c5 c5 c5|c5c5c5|\[197, ?197/);
      expect(text).not.toContain('197,197');
    }
  });
});
