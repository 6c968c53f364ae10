import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CHAINS } from '@ponte/kernel';
import { type StoredTransaction, resendForgotten } from '../../../sending/resend-forgotten';
import type { EvmChain } from '../../chain.port';
import { LocalKeystore } from '../../../signer/adapters/local.keystore.adapter';
import { HOLDER, freshReference, signed, untilMined } from '../chain-under-test.testing';
import { LocalChains, type LocalChainsOptions } from './local-anvil';
import { anvilBinary } from './binary';
import { askNodeOne } from './json-rpc';
import { stopOrphan, isAnvilOn } from './orphan';

let folder: string;
let signer: LocalKeystore;
let running: LocalChains[] = [];
const OPERATOR = 'minter';
const KEYS = { operatorKeyIds: [OPERATOR], treasuryKeyId: 'treasury' };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ponte-anvil-'));
  signer = await LocalKeystore.open({ file: join(folder, 'keystore.json'), passphrase: 'correct horse' });
});

afterEach(async () => {
  await Promise.all(running.map((chains) => chains.stop()));
  running = [];
  await rm(folder, { recursive: true, force: true });
});

async function start(options: Partial<LocalChainsOptions> = {}): Promise<LocalChains> {
  const chains = await LocalChains.start({
    folder: join(folder, 'chains'),
    signer,
    ...KEYS,
    chains: ['tempo'],
    blockMs: 30,
    ...options,
  });
  running.push(chains);
  return chains;
}

async function mint(
  chain: EvmChain,
  nonce: number,
  units = 5n,
): Promise<StoredTransaction & { reference: `0x${string}` }> {
  const reference = freshReference();
  const call = chain.mintCall({ reference, asset: 'tempo/brlv', to: HOLDER, units });
  const from = await signer.addressOf(OPERATOR);
  return { ...(await signed(chain, signer, OPERATOR, call, nonce)), from, nonce, reference };
}

async function untilGone(pid: number, stateFile: string): Promise<void> {
  for (let attempt = 0; attempt < 500 && (await isAnvilOn(pid, stateFile)); attempt += 1) await sleep(10);
}

const stateFile = (): string => join(folder, 'chains', 'tempo', 'state.json');

describe('the local chains', () => {
  it('start in parallel, each with its own id and contracts, and end with stop', async () => {
    const chains = await start({ chains: CHAINS });
    const all = CHAINS.map((chain) => chains.of(chain));
    expect(all.map(({ chain }) => chain.chainId)).toEqual([1, 8453, 4217]);
    expect(all.every(({ deployedNow }) => deployedNow)).toBe(true);
    expect(Object.keys(chains.of('eth-base').deployment.tokens).sort()).toEqual([
      'eth-base/brlv',
      'eth-base/brly',
      'eth-base/usdc',
      'eth-base/usdt',
      'eth-base/wbrly',
    ]);
    await chains.stop();
    for (const { pid, chain } of all) {
      await expect(isAnvilOn(pid ?? 0, join(folder, 'chains', chain.chain, 'state.json'))).resolves.toBe(false);
    }
  });

  it('have the same contracts, balances and port after a restart', async () => {
    const first = (await start()).of('tempo');
    const transaction = await mint(first.chain, 0);
    await first.chain.broadcast(transaction.raw);
    await untilMined(first.chain, transaction.hash);
    await running[0]?.stop();
    const second = (await start()).of('tempo');
    expect(second).toMatchObject({ deployment: first.deployment, deployedNow: false, url: first.url });
    await expect(second.chain.tokenBalance('tempo/brlv', HOLDER)).resolves.toBe(5n);
    await expect(second.chain.transaction(transaction.hash)).resolves.toMatchObject({
      status: 'mined',
      succeeded: true,
    });
  });

  it('mine no empty blocks while no one sends anything', async () => {
    const { chain } = (await start({ blockMs: 5 })).of('tempo');
    const blocks: number[] = [];
    for (let nonce = 0; nonce < 4; nonce += 1) {
      const { raw, hash } = await mint(chain, nonce);
      await chain.broadcast(raw);
      blocks.push((await untilMined(chain, hash)).blockNumber);
    }
    expect(blocks).toEqual([2, 3, 4, 5]);
  });

  it('mine the required confirmations', async () => {
    const { chain } = (await start({ confirmations: 4 })).of('tempo');
    const transaction = await mint(chain, 0);
    await chain.broadcast(transaction.raw);
    await untilMined(chain, transaction.hash, 4);
    await expect(chain.nextNonce(transaction.from, 'final')).resolves.toBe(1);
  });

  it('keep their contracts through a reorg, however many blocks there are', async () => {
    const { chain, url } = (await start()).of('tempo');
    const transaction = await mint(chain, 0);
    await chain.broadcast(transaction.raw);
    await untilMined(chain, transaction.hash);
    for (let block = 0; block < 1_200; block += 60) {
      await askNodeOne(url, 'anvil_mine', 60);
      await askNodeOne(url, 'anvil_reorg', 30, []);
      await expect(chain.tokenBalance('tempo/brlv', HOLDER)).resolves.toBe(5n);
    }
  });

  it('end an orphan of an earlier run by its stored pid', async () => {
    const orphan = (await start()).of('tempo').pid ?? 0;
    await start();
    await expect(isAnvilOn(orphan, stateFile())).resolves.toBe(false);
  });

  it('never end a process that is not an anvil on that state file, even if its pid is stored', async () => {
    const { pid = 0 } = (await start()).of('tempo');
    for (const stranger of [process.pid, 0, 1, -1, Number.NaN, 2 ** 40])
      await expect(stopOrphan(stranger, stateFile())).resolves.toBe(false);
    await expect(stopOrphan(pid, join(folder, 'another', 'state.json'))).resolves.toBe(false);
    await expect(isAnvilOn(pid, stateFile())).resolves.toBe(true);
  });

  it('accept forgotten transactions again from the stored bytes, in nonce order and with one effect', async () => {
    const first = (await start()).of('tempo');
    const stored = await Promise.all([0, 1, 2, 3].map((nonce) => mint(first.chain, nonce)));
    for (const { raw } of stored) await first.chain.broadcast(raw);
    await Promise.all(stored.map(({ hash }) => untilMined(first.chain, hash)));
    process.kill(first.pid ?? 0, 'SIGKILL');
    await untilGone(first.pid ?? 0, stateFile());
    await running[0]?.stop();
    await rm(stateFile(), { force: true });
    const second = (await start()).of('tempo');
    expect(second).toMatchObject({ deployedNow: true, deployment: first.deployment });
    const report = await resendForgotten(second.chain, [...stored].reverse());
    expect(report).toEqual({ known: 0, resent: 4, refused: [], behindGap: [] });
    for (const { hash } of stored) expect((await untilMined(second.chain, hash)).succeeded).toBe(true);
    await expect(second.chain.tokenBalance('tempo/brlv', HOLDER)).resolves.toBe(20n);
    await expect(resendForgotten(second.chain, stored)).resolves.toEqual({
      known: 4,
      resent: 0,
      refused: [],
      behindGap: [],
    });
  });

  it('set aside a state file that a crash truncated, and start with an empty chain', async () => {
    const first = (await start()).of('tempo');
    await running[0]?.stop();
    const content = await readFile(stateFile(), 'utf8');
    await writeFile(stateFile(), content.slice(0, content.length / 2));
    const second = (await start()).of('tempo');
    expect(second).toMatchObject({ deployedNow: true, deployment: first.deployment });
    expect(await readFile(`${stateFile()}.broken`, 'utf8')).toBe(content.slice(0, content.length / 2));
  });

  it('get new contracts when the keystore was replaced, because the old ones accept only lost keys', async () => {
    const first = (await start()).of('tempo');
    await running[0]?.stop();
    signer = await LocalKeystore.open({ file: join(folder, 'other.json'), passphrase: 'correct horse' });
    const second = (await start()).of('tempo');
    expect(second.deployment.minter).not.toBe(first.deployment.minter);
    const transaction = await mint(second.chain, 0);
    await second.chain.broadcast(transaction.raw);
    expect((await untilMined(second.chain, transaction.hash)).succeeded).toBe(true);
  });

  it('stop all nodes when one cannot start', async () => {
    await mkdir(join(folder, 'chains'));
    await writeFile(join(folder, 'chains', 'tempo'), 'in the way');
    await expect(start({ chains: CHAINS })).rejects.toThrow('EEXIST');
    for (const chain of ['eth-mainnet', 'eth-base']) {
      await expect(readFile(join(folder, 'chains', chain, 'process.json'), 'utf8')).resolves.toContain('"pid":0');
    }
  });

  it('name a platform for which there is no anvil', () => {
    expect(() => anvilBinary('sunos-x64')).toThrow('there is no anvil for sunos-x64');
  });
});
