import 'reflect-metadata';
import type { ReorgedAfterCompletion, TransactionFeeRaised, TransactionSigned } from '@ponte/contracts';
import { FreezeAccountAutomatically, GetMint } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { signed } from '../adapters/chain/chain.contract';
import type { Setup } from '../adapters/testing/world';
import { TO, World, signer } from '../adapters/testing/world';
import type { Hex } from '../ports/chain';

let folder: ReturnType<typeof temporaryFolder>;
let worlds: World[] = [];
const open = (setup?: Setup): World => {
  const world = new World(folder.path, setup);
  worlds.push(world);
  return world;
};
beforeEach(() => { folder = temporaryFolder(); });
afterEach(async () => {
  await Promise.all(worlds.map((world) => world.stop()));
  worlds = [];
  folder.remove();
});

const AMOUNT = 25n * 10n ** 17n;
const ROUNDS_MS = 300;
/** Completed long before it is final, as on a chain with a `finalized` tag. */
const DEEP: Setup = { instant: false, confirmations: 2, finality: 10 };
const state = async (world: World, name: string) => (await world.bus.request(GetMint, { mintId: derivedId('mint', name) }, world.context()))?.state;

async function completed(world: World, ...names: string[]): Promise<void> {
  for (const name of names) {
    await world.mint(name);
    await world.broadcast(name);
  }
  world.base.mine(2);
  for (const name of names) await expect(world.ended(name)).resolves.toMatchObject({ state: 'completed' });
}

describe('a confirmed transaction', () => {
  it('is watched until it is final, which one event says of all of them', async () => {
    const world = await open(DEEP).start();
    await completed(world, 'a', 'b');
    world.base.mine(7);
    await sleep(ROUNDS_MS);
    expect(world.ofType('NoncesFinalized')).toEqual([]);
    world.base.mine(1);
    await eventually(() => expect(world.ofType('NoncesFinalized').map(({ data }) => data)).toEqual([expect.objectContaining({ below: 2, chain: 'eth-base' })]));
    await sleep(ROUNDS_MS);
    expect(world.ofType('NoncesFinalized')).toHaveLength(1);
    expect(world.types()).not.toContain('ReorgedAfterCompletion');
  });

  it('that a deep reorg took back goes out again, so that later nonces move: both mints are there in the end, once', async () => {
    const world = await open(DEEP).start();
    await completed(world, 'first');
    world.base.reorg(2, 'forgotten');
    await world.mint('second');
    await eventually(async () => {
      world.base.mine();
      expect(await state(world, 'second')).toBe('completed');
    });
    await expect(world.balance()).resolves.toBe(2n * AMOUNT);
    expect(world.ofType('TransactionSigned')).toHaveLength(2);
    await eventually(() => { world.base.mine(); expect(world.ofType('NoncesFinalized').length).toBeGreaterThan(0); });
  });

  it('that stays away is recorded as reorged after completion with what was lost, and restored when it is mined again', async () => {
    const world = await open(DEEP).start();
    const frozen: unknown[] = [];
    world.bus.handle(FreezeAccountAutomatically.pattern, async (payload) => { frozen.push(payload); return {}; });
    await completed(world, 'lost');
    const [confirmed] = world.ofType('TransactionConfirmed');
    world.base.reorg(2, 'forgotten');
    const found = await eventually(() => {
      const [event] = world.ofType('ReorgedAfterCompletion');
      if (!event) throw new Error('not yet');
      return event.data as ReorgedAfterCompletion['data'];
    });
    const { txHash, blockHash } = confirmed?.data as ReorgedAfterCompletion['data'];
    expect(found).toMatchObject({ txHash, blockHash, nonce: 0, purpose: { kind: 'mint', accountId: 'account', asset: 'eth-base/brlv', amount: '2.500000000000000000' } });
    await eventually(() => expect(frozen).toEqual([{ accountId: 'account', reason: 'reorged-after-completion', evidence: `eth-base ${txHash}` }]));
    expect(await state(world, 'lost')).toBe('completed');
    await eventually(async () => { world.base.mine(); expect(world.ofType('TransactionRestored')).toHaveLength(1); });
    await expect(world.balance()).resolves.toBe(AMOUNT);
    await eventually(() => { world.base.mine(); expect(world.ofType('NoncesFinalized')).toHaveLength(1); });
    expect(world.ofType('TransactionConfirmed')).toHaveLength(1);
    expect(world.ofType('ReorgedAfterCompletion')).toHaveLength(1);
  });

  it('is lost, and never rolled back, when another transaction has its nonce in a final block', async () => {
    const world = await open(DEEP).start();
    await completed(world, 'robbed');
    const call = world.base.transferCall({ asset: 'eth-base/usdc', to: TO, units: 0n });
    const rival = await signed(world.base, signer, 'operator', call, 0);
    world.base.reorg(2, 'forgotten');
    await world.base.broadcast(rival.raw);
    world.base.mine();
    await eventually(() => expect(world.types()).toContain('ReorgedAfterCompletion'));
    world.base.mine(12);
    await eventually(() => expect(world.ofType('TransactionLost').map(({ data }) => data)).toEqual([expect.objectContaining({ reason: 'superseded' })]));
    expect(world.types()).not.toContain('TransactionSuperseded');
    expect(await state(world, 'robbed')).toBe('completed');
  });

  it('is watched after a restart too', async () => {
    const world = await open(DEEP).start();
    await completed(world, 'kept');
    await world.stop();
    world.base.reorg(2, 'forgotten');
    await world.start();
    await eventually(async () => { world.base.mine(); expect(await world.balance()).toBe(AMOUNT); });
  });
});

describe('a transaction that waits for its fees', () => {
  it('is signed again under its nonce with both fees raised, and completed by whichever is mined', async () => {
    const world = await open({ instant: false, raiseFeeMs: 200 }).start();
    world.base.script({ kind: 'delay', blocks: 1_000 });
    await world.mint('stuck');
    await world.broadcast('stuck');
    await eventually(() => { world.base.mine(); expect(world.types()).toContain('TransactionConfirmed'); });
    const first = world.ofType('TransactionSigned')[0]?.data as TransactionSigned['data'];
    const raised = world.ofType('TransactionFeeRaised').map(({ data }) => data as TransactionFeeRaised['data']);
    expect(raised.length).toBeGreaterThan(0);
    let before: TransactionSigned['data'] = first;
    for (const one of raised) {
      expect(one).toMatchObject({ nonce: first.nonce, replaces: before.txHash });
      expect(BigInt(one.maxFeePerGas) * 8n).toBeGreaterThanOrEqual(BigInt(before.maxFeePerGas) * 9n);
      expect(BigInt(one.maxPriorityFeePerGas) * 8n).toBeGreaterThanOrEqual(BigInt(before.maxPriorityFeePerGas) * 9n);
      before = one;
    }
    const { txHash } = await world.ended('stuck');
    expect(raised.map((one) => one.txHash)).toContain(txHash);
    await expect(world.balance()).resolves.toBe(AMOUNT);
    expect(world.nonces()).toEqual([0]);
  });

  it('is completed by its first bytes when these are mined after all', async () => {
    const world = await open({ instant: false, raiseFeeMs: 200 }).start();
    await world.mint('first wins');
    await world.broadcast('first wins');
    const { raw, txHash } = world.ofType('TransactionSigned')[0]?.data as { raw: Hex; txHash: Hex };
    // Each replacement is lost on its way: another node still has the first.
    world.base.script(...Array.from({ length: 50 }, () => ({ kind: 'drop' as const })));
    await eventually(() => expect(world.types()).toContain('TransactionFeeRaised'));
    await expect(world.base.transaction(txHash)).resolves.toMatchObject({ status: 'pooled' });
    expect(raw).toMatch(/^0x02/);
    world.base.mine();
    await expect(world.ended('first wins')).resolves.toMatchObject({ state: 'completed', txHash });
    await expect(world.balance()).resolves.toBe(AMOUNT);
  });
});
