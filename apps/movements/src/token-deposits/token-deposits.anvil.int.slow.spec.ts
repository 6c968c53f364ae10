import 'reflect-metadata';
import { derivedId } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import type { Hex } from '../chain/chain.port';
import { DepositsOnAnvil } from '../testing/deposits-on-anvil';
import { arrivals, finals, walletsOf } from '../testing/deposits-under-test';
import type { MovementsUnderTest } from '../testing/movements-under-test';
import type { RpcRule } from '../testing/rpc-proxy';

const ASSET = 'eth-base/usdc';
let anvil: DepositsOnAnvil;
let movements: MovementsUnderTest;
let to: Hex;

beforeEach(async () => {
  anvil = await DepositsOnAnvil.start();
  movements = anvil.movements;
  to = (await walletsOf(movements, derivedId('account', 'one')))['eth-base'];
  // Deeper than any reorg of these tests, so that the contracts are never removed.
  await mine(70);
});

afterEach(() => anvil.stop());

const mine = (blocks: number) => anvil.mine(blocks);
const send = (name: string, units: bigint) =>
  anvil.outsider.send({ id: derivedId('transfer', name), asset: ASSET, to, units, fate: 'transfer' });
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
    method === 'eth_getTransactionByHash' ? { error: { code: -32000, message: 'header not found' } } : undefined,
];

describe('deposits on a real chain', () => {
  it('are neither doubled nor lost in 20 reorgs of depth 1 to 30 with a misbehaving provider', async () => {
    let sent = 0;
    for (let round = 0; round < 20; round += 1) {
      const depth = 1 + Math.round((round * 29) / 19);
      const [, liar] = anvil.proxies;
      liar.rules = [MISBEHAVIOURS[round % MISBEHAVIOURS.length] ?? (() => undefined)];
      await send(`${round} first`, BigInt(1_000 + round));
      if (depth > 2) await mine(depth - 2);
      if (depth > 1) await send(`${round} second`, BigInt(2_000 + round));
      if (round % MISBEHAVIOURS.length === 0) await eventually(() => expect(open()).toBeGreaterThan(0), 5_000);
      await anvil.ask('anvil_reorg', depth, []);
      // Every other time the transfer is sent again and mined in another block.
      if (round % 2 === 0) await send(`${round} first`, BigInt(1_000 + round));
      await send(`${round} last`, BigInt(3_000 + round));
      sent += 1;
      if (round % 4 === 3) await mine(20);
    }
    anvil.proxies.forEach((proxy) => {
      proxy.rules = [];
    });
    await mine(70);
    const onChain = await anvil.evm.tokenBalance(ASSET, to);
    expect(onChain).toBeGreaterThan(BigInt(sent * 3_000));
    await eventually(() => expect([credited(), open()]).toEqual([onChain, 0]), 30_000);
    expect(arrivals(movements).some(({ state }) => state === 'reorged')).toBe(true);
    expect(new Set(finals(movements).map(({ txHash }) => txHash)).size).toBe(finals(movements).length);
  });

  it('do not include transfers of a look-alike contract, of zero units, or that reverted', async () => {
    for (const [name, fate] of [
      ['zero', 'nothing-sent'],
      ['fake', 'look-alike'],
      ['failed', 'reverted'],
      ['gone', 'dropped'],
    ] as const) {
      await anvil.outsider.send({ id: derivedId('transfer', name), asset: ASSET, to, units: 5n, fate });
    }
    const { txHash } = await send('real', 6n);
    expect((await send('real', 6n)).txHash).toBe(txHash);
    await mine(70);
    await eventually(
      () => expect(finals(movements).map((one) => [one.amount, one.txHash])).toEqual([['0.000006', txHash]]),
      10_000,
    );
    expect(arrivals(movements)).toHaveLength(1);
  });

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
  });
});
