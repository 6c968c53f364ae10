import { eventually, temporaryFolder } from '@ponte/testing';
import { Metrics } from '@ponte/observability';
import pino from 'pino';
import type { EvmChain } from '../../chain.port';
import type { RpcRule } from '../../../testing/rpc-proxy';
import { RpcProxy } from '../../../testing/rpc-proxy';
import { AnvilUnderTest } from '../anvil-under-test.testing';
import { HOLDER, freshReference, signed, untilMined } from '../chain-under-test.testing';
import { chainContract } from '../chain.contract';
import { openChains } from '../open-chains';
import { ViemChain } from '../rpc/viem.chain.adapter';
import { NodeAnswers } from './node-answers';

const anvil = new AnvilUnderTest();
let proxies: readonly [RpcProxy, RpcProxy];
let [first, second]: RpcProxy[] = [];
let chain: EvmChain;
let lines: Record<string, unknown>[];
let metrics: Metrics;

beforeAll(async () => {
  proxies = [await RpcProxy.before(anvil.base.url), await RpcProxy.before(anvil.base.url)];
});
afterAll(() => Promise.all(proxies.map((proxy) => proxy.stop())));
beforeEach(() => {
  [first, second] = proxies;
  for (const proxy of proxies) proxy.rules = [];
  lines = [];
  metrics = new Metrics();
  const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  chain = over(new NodeAnswers({ chain: 'eth-base', nodes: 2, metrics, logger }));
});

const over = (answers?: NodeAnswers): ViemChain =>
  new ViemChain({
    deployment: anvil.base.deployment,
    urls: proxies.map(({ url }) => url),
    pollingMs: 20,
    finality: { confirmations: 1 },
    ...(answers && { answers }),
  });
const onBroadcast =
  (rule: RpcRule): RpcRule =>
  (call) =>
    call.method === 'eth_sendRawTransaction' ? rule(call) : undefined;
const refusing = (message: string): RpcRule => onBroadcast(() => ({ error: { code: -32000, message } }));
/** Accepts the bytes and keeps them to itself. */
const swallowing = onBroadcast(() => ({ result: `0x${'0'.repeat(64)}` }));

const mint = () => {
  const { signer, operatorKeyId } = anvil.subject;
  const call = chain.mintCall({ reference: freshReference(), asset: 'eth-base/brlv', to: HOLDER, units: 1n });
  return signed(chain, signer, operatorKeyId, call);
};
/** How many answers of that kind the node gave, as the metric says. */
const counted = async (node: number, outcome: string): Promise<number> => {
  const text = await metrics.registry.getSingleMetricAsString('ponte_node_broadcasts_total');
  const series = `{chain="eth-base",node="${node}",outcome="${outcome}"}`;
  return Number(
    text
      .split('\n')
      .find((line) => line.includes(series))
      ?.split(' ')
      .pop() ?? 'NaN',
  );
};

describe.each([
  ['refuses all bytes', refusing('insufficient funds for gas * price + value')],
  ['gives no clear answer', refusing('txpool is full')],
])('while the first node %s', (_, rule) => {
  beforeEach(() => {
    (first as RpcProxy).rules = [rule];
  });

  it('a transaction is mined by way of the second one', async () => {
    const { raw, hash } = await mint();
    expect(await chain.broadcast(raw)).toEqual({ outcome: 'taken' });
    await untilMined(chain, hash);
    expect(await chain.broadcast(raw)).toEqual({ outcome: 'taken' });
  });
});

describe('with two nodes', () => {
  it('a transaction is mined although the first node accepts the bytes and keeps them to itself', async () => {
    (first as RpcProxy).rules = [swallowing];
    const { raw, hash } = await mint();
    expect(await chain.broadcast(raw)).toEqual({ outcome: 'taken' });
    await untilMined(chain, hash);
  });

  it.each([0, 1])('the answer of one does not wait for the other, whichever is slow (%d)', async (slow) => {
    let release: () => void = () => undefined;
    const released = new Promise<undefined>((resolve) => {
      release = () => resolve(undefined);
    });
    (proxies[slow] as RpcProxy).rules = [onBroadcast(() => released)];
    const { raw, hash } = await mint();
    expect(await chain.broadcast(raw)).toEqual({ outcome: 'taken' });
    expect(await counted(slow + 1, 'taken')).toBe(0);
    await untilMined(chain, hash);
    release();
    // By now it has mined the bytes, so it knows them.
    await eventually(async () => expect(await counted(slow + 1, 'taken')).toBe(1));
  });

  it('a used nonce is reported when both say so, and not while one of them lags', async () => {
    const [winner, loser] = [await mint(), await mint()];
    expect(await chain.broadcast(winner.raw)).toEqual({ outcome: 'taken' });
    await untilMined(chain, winner.hash);
    expect(await chain.broadcast(loser.raw)).toMatchObject({ outcome: 'refused', reason: 'nonce-used' });
    for (const lagging of proxies) {
      lagging.rules = [refusing('replacement transaction underpriced')];
      expect(await chain.broadcast(loser.raw)).toMatchObject({ outcome: 'refused', reason: 'fee-too-low' });
      lagging.rules = [];
    }
  });

  it('the answers of each node of the settings are counted from zero on', async () => {
    const folder = temporaryFolder();
    const { deployment } = anvil.base;
    const urls = proxies.map(({ url }) => url);
    const { stop } = await openChains({
      which: { kind: 'rpc', chains: [{ chain: 'eth-base', urls, deployment, confirmations: 1 }], forget: false },
      folder: folder.path,
      keystore: { kind: 'file', passphrase: 'correct horse' },
      operatorKeyIds: ['operator'],
      environment: 'sandbox',
      observing: { metrics: (metrics = new Metrics()), logger: pino({ level: 'silent' }) },
    });
    expect([await counted(1, 'taken'), await counted(2, 'taken'), await counted(3, 'taken')]).toEqual([0, 0, NaN]);
    await stop();
    folder.remove();
  });

  it('each refusal is counted and logged with its node, and missing answers are logged once in a row', async () => {
    (second as RpcProxy).rules = [refusing('insufficient funds for gas * price + value')];
    const { raw, hash } = await mint();
    expect(await chain.broadcast(raw)).toEqual({ outcome: 'taken' });
    await eventually(async () => expect(await counted(2, 'insufficient-gas-money')).toBe(1));
    expect(await counted(1, 'taken')).toBe(1);
    const about = { chain: 'eth-base', node: 2, txHash: hash };
    expect(lines).toMatchObject([
      { ...about, msg: 'one of the nodes refuses signed bytes', reason: 'insufficient-gas-money' },
    ]);
    (second as RpcProxy).rules = [refusing('txpool is full')];
    for (let times = 1; times <= 3; times += 1) {
      expect(await chain.broadcast(raw)).toEqual({ outcome: 'taken' });
      await eventually(async () => expect(await counted(2, 'unknown')).toBe(times));
    }
    expect(lines.slice(1)).toMatchObject([
      { ...about, msg: 'one of the nodes gives no clear answer to signed bytes', message: 'txpool is full' },
    ]);
    expect(JSON.stringify(lines)).not.toContain('127.0.0.1');
  });
});

it('a first node that proposes no tip does not keep the fees down', async () => {
  const honest = await over().feeQuote();
  (first as RpcProxy).rules = [({ method }) => (method === 'eth_maxPriorityFeePerGas' ? { result: '0x0' } : undefined)];
  expect((await over().feeQuote()).maxPriorityFeePerGas).toBe(honest.maxPriorityFeePerGas);
});

it('a first node that stands still does not raise the fees', async () => {
  const honest = await over().feeQuote();
  const old = { number: '0x1', hash: `0x${'1'.repeat(64)}`, timestamp: '0x10', baseFeePerGas: '0x1' };
  (first as RpcProxy).rules = [
    ({ method }) => (method === 'eth_maxPriorityFeePerGas' ? { result: '0xffffffffff' } : undefined),
    ({ method }) => (method === 'eth_getBlockByNumber' ? { result: old } : undefined),
  ];
  const both = over();
  // The newest blocks of the nodes are read in the background.
  await eventually(async () => expect((await both.feeQuote()).maxPriorityFeePerGas).toBe(honest.maxPriorityFeePerGas));
});

describe('while the first of two nodes refuses all bytes', () => {
  beforeEach(() => {
    (first as RpcProxy).rules = [refusing('invalid sender')];
  });

  chainContract('ViemChain', () => ({ ...anvil.subject, chain: over() }));
});
