import 'reflect-metadata';
import { CHAINS, derivedId } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import { LocalChains } from '../chain/adapters/local-anvil/local-anvil';
import { askNodeOne } from '../chain/adapters/local-anvil/json-rpc';
import { served } from '../chain/adapters/open-chains';
import { SimulatedChain } from '../chain/adapters/simulated/simulated';
import { ViemChain } from '../chain/adapters/rpc/viem';
import { policedSigner } from '../signer/adapters/policy/signer-policy';
import { LocalKeystore } from '../signer/adapters/local-keystore';
import type { RpcRule } from '../testing/rpc-proxy';
import { RpcProxy } from '../testing/rpc-proxy';
import { MovementsUnderTest } from '../testing/movements-under-test';
import type { Hex } from '../chain/chain.port';
import { AnvilOutsideSender } from '../deposit-simulation/anvil-outside-sender.adapter';
import { arrivals, finals, walletsOf } from '../testing/deposits-under-test';

const ASSET = 'eth-base/usdc';
const NO_BLOCKS_MS = 3_600_000;
let folder: ReturnType<typeof temporaryFolder>;
let chains: LocalChains;
let proxies: RpcProxy[];
let movements: MovementsUnderTest;
let evm: ViemChain;
let url: string;
let outsider: AnvilOutsideSender;
let to: Hex;

/**
 * A real node behind two providers, of which the second may misbehave. Final blocks are those that anvil calls final:
 * 64 below the head.
 */
beforeEach(async () => {
  folder = temporaryFolder();
  const signer = await LocalKeystore.open({ file: `${folder.path}/keystore.json`, passphrase: 'correct horse' });
  chains = await LocalChains.start({
    folder: `${folder.path}/chains`,
    signer,
    operatorKeyIds: ['operator'],
    treasuryKeyId: 'treasury',
    chains: ['eth-base'],
    blockMs: NO_BLOCKS_MS,
  });
  const { deployment, url: node } = chains.of('eth-base');
  url = node;
  proxies = await Promise.all([RpcProxy.before(node), RpcProxy.before(node)]);
  evm = new ViemChain({ deployment, urls: proxies.map((proxy) => proxy.url), pollingMs: 20 });
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
  movements = await new MovementsUnderTest(folder.path, { open }).start();
  outsider = new AnvilOutsideSender({ tokens }, url);
  to = (await walletsOf(movements, derivedId('account', 'one')))['eth-base'];
  // Deeper than any reorg of these tests, so that the contracts are never removed.
  await mine(70);
}, 60_000);

afterEach(async () => {
  await movements.stop();
  await Promise.all(proxies.map((proxy) => proxy.stop()));
  await chains.stop();
  folder.remove();
});

const ask = (method: string, ...params: unknown[]) => askNodeOne(url, method, ...params);
const mine = (blocks: number) => ask('anvil_mine', `0x${blocks.toString(16)}`);
const send = (name: string, units: bigint) =>
  outsider.send({ id: derivedId('transfer', name), asset: ASSET, to, units, fate: 'transfer' });
const credited = () => finals(movements).reduce((sum, { amount }) => sum + BigInt(amount.replace('.', '')), 0n);
const open = () => arrivals(movements).filter(({ state }) => state === 'seen' || state === 'confirmed').length;

/** The misbehaviours of the second provider, used in turn. */
const MISBEHAVIOURS: readonly RpcRule[] = [
  () => undefined,
  ({ method }) => (method === 'eth_getLogs' ? { result: [] } : undefined),
  ({ method }) => (method === 'eth_getBlockByNumber' ? { result: null } : undefined),
  ({ method, params }) => {
    const { fromBlock = '0x0', toBlock = '0x0' } = (params[0] ?? {}) as { fromBlock?: string; toBlock?: string };
    const wide = method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) > 5;
    return wide ? { error: { code: -32005, message: 'query returned more than 10000 results' } } : undefined;
  },
  ({ method }) =>
    method === 'eth_getTransactionReceipt' ? { error: { code: -32000, message: 'header not found' } } : undefined,
];

describe('deposits on a real chain', () => {
  it('are neither doubled nor lost in 20 reorgs of depth 1 to 30 with a misbehaving provider', async () => {
    let sent = 0;
    for (let round = 0; round < 20; round += 1) {
      const depth = 1 + Math.round((round * 29) / 19);
      const [, liar] = proxies as [RpcProxy, RpcProxy];
      liar.rules = [MISBEHAVIOURS[round % MISBEHAVIOURS.length] ?? (() => undefined)];
      await send(`${round} first`, BigInt(1_000 + round));
      if (depth > 2) await mine(depth - 2);
      if (depth > 1) await send(`${round} second`, BigInt(2_000 + round));
      if (round % MISBEHAVIOURS.length === 0) await eventually(() => expect(open()).toBeGreaterThan(0), 5_000);
      await ask('anvil_reorg', depth, []);
      // Every other time the transfer is sent again and mined in another block.
      if (round % 2 === 0) await send(`${round} first`, BigInt(1_000 + round));
      await send(`${round} last`, BigInt(3_000 + round));
      sent += 1;
      if (round % 4 === 3) await mine(20);
    }
    proxies.forEach((proxy) => {
      proxy.rules = [];
    });
    await mine(70);
    const onChain = await evm.tokenBalance(ASSET, to);
    expect(onChain).toBeGreaterThan(BigInt(sent * 3_000));
    await eventually(() => expect([credited(), open()]).toEqual([onChain, 0]), 30_000);
    expect(arrivals(movements).some(({ state }) => state === 'reorged')).toBe(true);
    expect(new Set(finals(movements).map(({ txHash }) => txHash)).size).toBe(finals(movements).length);
  }, 180_000);

  it('do not include transfers of a look-alike contract, of zero units, or that reverted', async () => {
    for (const [name, fate] of [
      ['zero', 'nothing-sent'],
      ['fake', 'look-alike'],
      ['failed', 'reverted'],
      ['gone', 'dropped'],
    ] as const) {
      await outsider.send({ id: derivedId('transfer', name), asset: ASSET, to, units: 5n, fate });
    }
    const { txHash } = await send('real', 6n);
    expect((await send('real', 6n)).txHash).toBe(txHash);
    await mine(70);
    await eventually(
      () => expect(finals(movements).map((one) => [one.amount, one.txHash])).toEqual([['0.000006', txHash]]),
      10_000,
    );
    expect(arrivals(movements)).toHaveLength(1);
  }, 60_000);

  it('are read again from the first wallet when the cursor is lost, and are the same deposits', async () => {
    await send('before', 7n);
    await mine(70);
    await eventually(() => expect(finals(movements)).toHaveLength(1), 10_000);
    await movements.stop();
    // All read models are lost, and the cursor with them.
    const empty = temporaryFolder();
    await movements.start(empty.path);
    await send('after', 8n);
    await mine(70);
    await eventually(
      () => expect(finals(movements).map(({ amount }) => amount)).toEqual(['0.000007', '0.000008']),
      10_000,
    );
    expect(movements.ofType('IncomingTransfersFinalized')).toHaveLength(2);
    await movements.stop();
    empty.remove();
  }, 60_000);
});
