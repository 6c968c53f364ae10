import type { AssetId } from '@ponte/kernel';
import { Unavailable } from '@ponte/kernel';
import type { Hex } from '../chain.port';
import { SimulatedSigner } from '../../signer/adapters/simulated.keystore.adapter';
import type { RpcRule } from '../../testing/rpc-proxy';
import { RpcProxy } from '../../testing/rpc-proxy';
import type { ChainUnderTest } from './chain-under-test.testing';
import { HOLDER, freshReference, sendAndMine, signed, untilMined } from './chain-under-test.testing';
import { chainContract } from './chain.contract';
import { contractCallsContract } from './contract-calls.contract';
import type { Deployment } from './deployment';
import { askNodeOne } from './local-anvil/json-rpc';
import { SimulatedChain } from './simulated/simulated.chain.adapter';
import { ViemChain } from './rpc/viem.chain.adapter';
import { KEYS, AnvilUnderTest } from './anvil-under-test.testing';

describe('in memory', () => {
  let subject: ChainUnderTest;

  beforeAll(async () => {
    const signer = new SimulatedSigner();
    const chain = new SimulatedChain({ chain: 'eth-base' });
    chain.fund('eth-base/usdc', await signer.addressOf(KEYS.treasuryKeyId), 10n ** 12n);
    const unreachable = new SimulatedChain({ chain: 'eth-base' });
    unreachable.setReachable(false);
    subject = { chain, signer, unreachable, ...KEYS };
  });

  chainContract('SimulatedChain', () => subject);
  contractCallsContract('SimulatedChain', () => subject);
});

describe('on anvil', () => {
  const anvil = new AnvilUnderTest();

  chainContract('ViemChain', () => anvil.subject);
  contractCallsContract('ViemChain', () => anvil.subject);

  it('refuses to start with a node of another chain, a missing contract or other decimals', async () => {
    const { deployment, url } = anvil.base;
    const check = (changed: Deployment) => new ViemChain({ deployment: changed, urls: [url] }).check();
    await expect(check({ chain: 'tempo', minter: HOLDER, custody: HOLDER, tokens: {} })).rejects.toThrow(
      'the node of tempo serves chain 8453, not 4217',
    );
    await expect(check({ ...deployment, minter: HOLDER })).rejects.toThrow('no minter contract');
    await expect(check({ ...deployment, custody: HOLDER })).rejects.toThrow('no custody contract of Ponte at 0xabab');
    await expect(check({ ...deployment, custody: deployment.minter })).rejects.toThrow('no custody contract of Ponte');
    const withToken = (asset: AssetId, address?: Hex) =>
      check({ ...deployment, tokens: { ...deployment.tokens, [asset]: address } });
    await expect(withToken('eth-base/usdc', HOLDER)).rejects.toThrow('eth-base/usdc at 0xabab');
    await expect(withToken('eth-base/usdc', deployment.tokens['eth-base/brlv'])).rejects.toThrow(
      'has 18 decimals, not 6',
    );
  });

  it('refuses to start when any of its nodes serves another chain, and starts when one does not answer', async () => {
    const { deployment, url } = anvil.base;
    const stranger = await RpcProxy.before(url);
    stranger.rules = [({ method }) => (method === 'eth_chainId' ? { result: '0x1' } : undefined)];
    const check = (...urls: string[]) => new ViemChain({ deployment, urls }).check();
    try {
      await expect(check(url, stranger.url)).rejects.toThrow('a node of eth-base serves chain 1, not 8453');
      await expect(check(stranger.url, url)).rejects.toThrow('serves chain 1, not 8453');
      await expect(check(url, 'http://127.0.0.1:9')).resolves.toBeUndefined();
    } finally {
      await stranger.stop();
    }
  });

  it('has no other operators than those that the contracts name, and an unreadable role is no answer', async () => {
    const { deployment, url } = anvil.base;
    const asked = (on: Deployment) => {
      const chain = new ViemChain({ deployment: on, urls: [url], finality: { confirmations: 1 } });
      const question = { sender: HOLDER, hashes: [], reference: null, by: 'custody', asksRole: true } as const;
      return [chain.atFinality(question).then(({ role }) => role?.isOperator), chain.isOperator('custody', HOLDER)];
    };
    await expect(Promise.all(asked(deployment))).resolves.toEqual([false, false]);
    const unreadable = { status: 'rejected', reason: expect.any(Unavailable) as unknown };
    const withoutContract = asked({ ...deployment, custody: HOLDER });
    await expect(Promise.allSettled(withoutContract)).resolves.toEqual([unreadable, unreadable]);
  });

  it('has taken a reference anywhere if one node has it, and it is free only if two say so', async () => {
    const { deployment, url } = anvil.base;
    const reference = freshReference();
    const call = anvil.subject.chain.mintCall({ asset: 'eth-base/brlv', to: HOLDER, units: 1n, reference });
    await sendAndMine(anvil.subject, 'minter', call);
    const lagging = await RpcProxy.before(url);
    lagging.rules = [({ method }) => (method === 'eth_call' ? { result: `0x${'0'.repeat(64)}` } : undefined)];
    const over = (...urls: string[]) => new ViemChain({ deployment, urls });
    try {
      const both = over(lagging.url, url);
      await expect(both.taken('minter', reference)).resolves.toBe(false);
      await expect(both.takenAnywhere('minter', reference)).resolves.toBe(true);
      const alone = over(lagging.url, 'http://127.0.0.1:9');
      await expect(alone.takenAnywhere('minter', reference)).rejects.toBeInstanceOf(Unavailable);
    } finally {
      await lagging.stop();
    }
  });

  it('reads from the next endpoint when one does not answer', async () => {
    const { deployment, url } = anvil.base;
    const chain = new ViemChain({ deployment, urls: ['http://127.0.0.1:9', url] });
    await expect(chain.check()).resolves.toBeUndefined();
  });

  it('gives evidence at a final block that both nodes have, and none while the second node lags', async () => {
    const { deployment, url } = anvil.base;
    const sender = await anvil.subject.signer.addressOf('minter');
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

  it('searches for a mint in pages that the provider accepts, from the block of its intent', async () => {
    const { deployment, url } = anvil.base;
    const provider = await RpcProxy.before(url);
    const [MAX_BLOCKS, reference] = [2, freshReference()];
    const { chain, signer } = anvil.subject;
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
        return Number(toBlock) - Number(fromBlock) >= MAX_BLOCKS
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

  it('finds a mint with the next node when a node does not have all logs', async () => {
    const { deployment, url } = anvil.base;
    const [pruned, whole] = [await RpcProxy.before(url), await RpcProxy.before(url)];
    const reference = freshReference();
    const { chain, signer } = anvil.subject;
    const call = chain.mintCall({ reference, asset: 'eth-base/brlv', to: HOLDER, units: 1n });
    const mint = await signed(chain, signer, 'minter', call);
    await chain.broadcast(mint.raw);
    await untilMined(chain, mint.hash);
    pruned.rules = [({ method }) => (method === 'eth_getLogs' ? { result: [] } : undefined)];
    try {
      const both = new ViemChain({ deployment, urls: [pruned.url, whole.url] });
      await expect(both.takenIn('minter', reference, Date.now())).resolves.toBe(mint.hash);
    } finally {
      await Promise.all([pruned.stop(), whole.stop()]);
    }
  });
});
