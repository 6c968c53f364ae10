import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { AssetId } from '@ponte/kernel';
import { Unavailable } from '@ponte/kernel';
import { encodeFunctionData, parseAbi, toFunctionSelector } from 'viem';
import type { Hex } from '../chain.port';
import { LocalKeystore } from '../../signer/adapters/local-keystore';
import { SimulatedSigner } from '../../signer/adapters/simulated';
import { CUSTODY_ABI, MINTER_ABI } from './rpc/abi';
import { implementationOf } from './custody';
import type { RpcRule } from '../../testing/rpc-proxy';
import { RpcProxy } from '../../testing/rpc-proxy';
import type { ChainUnderTest } from './chain-under-test.testing';
import { HOLDER, freshReference, signed, untilMined } from './chain-under-test.testing';
import { chainContract } from './chain.contract';
import { contractCallsContract } from './contract-calls.contract';
import type { Deployment } from './deployment';
import { LocalChains } from './local-anvil/local-anvil';
import { askNodeOne } from './local-anvil/json-rpc';
import { SimulatedChain } from './simulated/simulated';
import { ViemChain } from './rpc/viem';

const KEYS = { operatorKeyId: 'minter', treasuryKeyId: 'treasury' };

describe('in memory', () => {
  let subject: ChainUnderTest;

  beforeAll(async () => {
    const signer = new SimulatedSigner();
    const chain = new SimulatedChain({ chain: 'eth-base' });
    chain.endow('eth-base/usdc', await signer.addressOf(KEYS.treasuryKeyId), 10n ** 12n);
    const unreachable = new SimulatedChain({ chain: 'eth-base' });
    unreachable.setReachable(false);
    subject = { chain, signer, unreachable, ...KEYS };
  });

  chainContract('SimulatedChain', () => subject);
  contractCallsContract('SimulatedChain', () => subject);
});

describe('on anvil', () => {
  let folder: string;
  let chains: LocalChains | undefined;
  let subject: ChainUnderTest;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ponte-chain-'));
    const signer = await LocalKeystore.open({
      file: join(folder, 'keystore.json'),
      passphrase: 'correct horse',
      seed: Buffer.alloc(32, 7),
    });
    chains = await LocalChains.start({
      folder: join(folder, 'chains'),
      signer,
      operatorKeyIds: [KEYS.operatorKeyId],
      treasuryKeyId: KEYS.treasuryKeyId,
      chains: ['eth-base'],
      blockMs: 30,
    });
    const { chain, deployment } = chains.of('eth-base');
    const unreachable = new ViemChain({ deployment, urls: ['http://127.0.0.1:9'], timeoutMs: 500 });
    subject = { chain, signer, unreachable, ...KEYS };
  });

  afterAll(async () => {
    await chains?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  chainContract('ViemChain', () => subject);
  contractCallsContract('ViemChain', () => subject);

  it('refuses at start a node of another chain, a missing contract and other decimals (D13)', async () => {
    const { deployment, url } = (chains as LocalChains).of('eth-base');
    const check = (changed: Deployment) => new ViemChain({ deployment: changed, urls: [url] }).check();
    await expect(check({ chain: 'tempo', minter: HOLDER, custody: HOLDER, tokens: {} })).rejects.toThrow(
      'the node of tempo is of chain 8453, not 4217',
    );
    await expect(check({ ...deployment, minter: HOLDER })).rejects.toThrow('no minter contract');
    await expect(check({ ...deployment, custody: HOLDER })).rejects.toThrow('no custody contract of ours at 0xabab');
    await expect(check({ ...deployment, custody: deployment.minter })).rejects.toThrow('no custody contract of ours');
    const withToken = (asset: AssetId, address?: Hex) =>
      check({ ...deployment, tokens: { ...deployment.tokens, [asset]: address } });
    await expect(withToken('eth-base/usdc', HOLDER)).rejects.toThrow('eth-base/usdc at 0xabab');
    await expect(withToken('eth-base/usdc', deployment.tokens['eth-base/brlv'])).rejects.toThrow(
      'has 18 decimals, not 6',
    );
  });

  it('reads from the next endpoint when one does not answer', async () => {
    const { deployment, url } = (chains as LocalChains).of('eth-base');
    const chain = new ViemChain({ deployment, urls: ['http://127.0.0.1:9', url] });
    await expect(chain.check()).resolves.toBeUndefined();
  });

  it('gives evidence of one final block from nodes that have it, and none while a second node has not caught up (D7)', async () => {
    const { deployment, url } = (chains as LocalChains).of('eth-base');
    const sender = await subject.signer.addressOf('minter');
    const { number, hash } = (await askNodeOne(url, 'eth_getBlockByNumber', 'latest', false)) as {
      number: Hex;
      hash: Hex;
    };
    const lagging = await RpcProxy.before(url);
    const behind: RpcRule = ({ params }) =>
      JSON.stringify(params).includes(hash) ? { error: { code: -32000, message: 'header not found' } } : undefined;
    try {
      const chain = new ViemChain({ deployment, urls: [url, lagging.url], finality: { confirmations: 1 } });
      const ask = () => chain.atFinality({ sender, hashes: [], reference: freshReference() });
      lagging.rules = [behind];
      await expect(ask()).rejects.toBeInstanceOf(Unavailable);
      lagging.rules = [];
      await expect(ask()).resolves.toMatchObject({ block: { number: Number(number), hash } });
      const counts = lagging.of('eth_getTransactionCount').map(({ params }) => params[1]);
      expect(counts.length).toBeGreaterThan(0);
      for (const at of counts) expect(at).toEqual({ blockHash: hash, requireCanonical: true });
      lagging.rules = [({ method }) => (method === 'eth_getTransactionCount' ? { result: '0x7b' } : undefined)];
      await expect(ask()).rejects.toThrow('contradict');
    } finally {
      await lagging.stop();
    }
  });

  it('looks for a mint in pages that the provider gives, from the block of its intent', async () => {
    const { deployment, url } = (chains as LocalChains).of('eth-base');
    const provider = await RpcProxy.before(url);
    const [MOST, reference] = [2, freshReference()];
    const { chain, signer } = subject;
    const mint = await signed(
      chain,
      signer,
      'minter',
      chain.mintCall({ reference, asset: 'eth-base/brlv', to: HOLDER, units: 1n }),
    );
    await chain.broadcast(mint.raw);
    await untilMined(chain, mint.hash);
    provider.rules = [
      ({ method, params: [filter] }) => {
        if (method !== 'eth_getLogs') return undefined;
        const { fromBlock, toBlock } = filter as { fromBlock: Hex; toBlock: Hex };
        return Number(toBlock) - Number(fromBlock) >= MOST
          ? { error: { code: -32005, message: 'query returned more than 10000 results' } }
          : undefined;
      },
    ];
    try {
      const limited = new ViemChain({ deployment, urls: [provider.url] });
      await expect(limited.takenIn('minter', reference, Date.now() + 3_600_000)).resolves.toBe(mint.hash);
      await expect(limited.takenIn('minter', freshReference(), Date.now())).resolves.toBeNull();
      expect(
        provider
          .of('eth_getLogs')
          .every(({ params: [filter] }) => Number((filter as { fromBlock: Hex }).fromBlock) >= 0),
      ).toBe(true);
    } finally {
      await provider.stop();
    }
  });

  it('lets no one mint or burn but those who may', async () => {
    const {
      deployment: { minter, custody, tokens },
      url,
    } = (chains as LocalChains).of('eth-base');
    const brlv = tokens['eth-base/brlv'] ?? minter;
    const { signer } = subject;
    const [operator, treasury, deployer] = await Promise.all(
      ['minter', 'treasury', 'deployer'].map((keyId) => signer.addressOf(keyId)),
    );
    const token = parseAbi(['function mint(address to, uint256 amount)', 'function burn(uint256 amount)']);
    const minting = (ref: Hex, amount: bigint) =>
      encodeFunctionData({ abi: MINTER_ABI, functionName: 'mint', args: [ref, brlv, HOLDER, amount] });
    const direct = encodeFunctionData({ abi: token, functionName: 'mint', args: [HOLDER, 1n] });
    const burning = encodeFunctionData({ abi: token, functionName: 'burn', args: [0n] });
    const call = (from: Hex | undefined, to: Hex, data: Hex) =>
      askNodeOne(url, 'eth_call', { from, to, data }, 'latest');
    const [ref, none] = [freshReference(), `0x${'0'.repeat(64)}` as const];
    const [unauthorized, empty, nothing] = [
      'AccessControlUnauthorizedAccount(address,bytes32)',
      'EmptyReference()',
      'NothingToMint()',
    ].map((error) => toFunctionSelector(error));
    await expect(call(operator, minter, minting(ref, 1n))).resolves.toBe('0x');
    await expect(call(custody, brlv, burning)).resolves.toBe('0x');
    for (const stranger of [HOLDER, treasury, deployer]) {
      await expect(call(stranger, minter, minting(ref, 1n))).rejects.toThrow(unauthorized);
    }
    for (const stranger of [HOLDER, operator, treasury, deployer]) {
      await expect(call(stranger, brlv, direct)).rejects.toThrow(unauthorized);
    }
    for (const stranger of [HOLDER, operator, treasury, deployer])
      await expect(call(stranger, brlv, burning)).rejects.toThrow(unauthorized);
    await expect(call(operator, minter, minting(none, 1n))).rejects.toThrow(empty);
    await expect(call(operator, minter, minting(ref, 0n))).rejects.toThrow(nothing);
  });

  it('lets only operators move a wallet, and only through the custody contract', async () => {
    const {
      deployment: { custody, tokens },
      url,
      chain,
    } = (chains as LocalChains).of('eth-base');
    const { signer } = subject;
    const [operator, treasury, deployer] = await Promise.all(
      ['minter', 'treasury', 'deployer'].map((keyId) => signer.addressOf(keyId)),
    );
    const salt = freshReference();
    const wallet = chain.walletAddress(salt);
    const held = await signed(
      chain,
      signer,
      'minter',
      chain.mintCall({ reference: freshReference(), asset: 'eth-base/brlv', to: wallet, units: 9n }),
    );
    await chain.broadcast(held.raw);
    await untilMined(chain, held.hash);
    const brlv = tokens['eth-base/brlv'] ?? custody;
    const call = (from: Hex | undefined, to: Hex, data: Hex) =>
      askNodeOne(url, 'eth_call', { from, to, data }, 'latest');
    const sending = (ref: Hex, amount: bigint) =>
      encodeFunctionData({ abi: CUSTODY_ABI, functionName: 'sendToken', args: [ref, brlv, HOLDER, amount, [salt]] });
    const [none, unauthorized, empty, nothing, stranger] = [
      `0x${'0'.repeat(64)}` as const,
      ...[
        'AccessControlUnauthorizedAccount(address,bytes32)',
        'EmptyReference()',
        'NothingToMove()',
        'NotCustody(address)',
      ].map((error) => toFunctionSelector(error)),
    ] as const;
    await expect(call(operator, custody, sending(freshReference(), 9n))).resolves.toBe('0x');
    for (const from of [HOLDER, treasury, deployer])
      await expect(call(from, custody, sending(freshReference(), 9n))).rejects.toThrow(unauthorized);
    await expect(call(operator, custody, sending(none, 9n))).rejects.toThrow(empty);
    await expect(call(operator, custody, sending(freshReference(), 0n))).rejects.toThrow(nothing);
    const direct = encodeFunctionData({
      abi: parseAbi(['function sendToken(address token, address to, uint256 amount)']),
      args: [brlv, HOLDER, 1n],
    });
    for (const from of [HOLDER, operator, deployer])
      await expect(call(from, implementationOf(custody), direct)).rejects.toThrow(stranger);
  });

  it('lets a deployed wallet receive an ERC-721 token (safe transfer), and an undeployed one as well', async () => {
    const {
      deployment: { custody },
      url,
    } = (chains as LocalChains).of('eth-base');
    const received = encodeFunctionData({
      abi: parseAbi(['function onERC721Received(address, address, uint256, bytes) returns (bytes4)']),
      args: [HOLDER, HOLDER, 1n, '0x'],
    });
    await expect(
      askNodeOne(url, 'eth_call', { to: implementationOf(custody), data: received }, 'latest'),
    ).resolves.toMatch(/^0x150b7a02/);
  });
});

it('the committed artefacts belong to the Solidity sources', () => {
  const script = resolve(__dirname, '../../../contracts/compile.mjs');
  expect(() => execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })).not.toThrow();
});
