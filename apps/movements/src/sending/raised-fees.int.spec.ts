import 'reflect-metadata';
import type { TransactionFeeRaised, TransactionSigned } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import type { SimulatedChain } from '../chain/adapters/simulated/simulated.chain.adapter';
import type { ContractCall, EvmChain, Hex, MintRequest } from '../chain/chain.port';
import { gasLimitsOn } from '../chain/gas-limits.domain';

const { open } = movementsForEachTest();

/** Longer than a transaction waits before its fees are raised, milliseconds. */
const LATER_MS = 600;
/** More blocks than are mined until the fees are raised. */
const BLOCKS = 20_000;
const AMOUNT = 25n * 10n ** 17n;

describe('a transaction that waits for its fees', () => {
  it('is signed again with the same nonce and both fees raised, and completed by whichever is mined', async () => {
    const movements = await open({ instant: false, raiseFeeMs: 200 }).start();
    movements.base.script({ kind: 'delay', blocks: BLOCKS });
    await movements.mint('stuck');
    await movements.broadcast('stuck');
    await eventually(() => {
      movements.base.mine();
      expect(movements.types()).toContain('TransactionConfirmed');
    });
    const first = movements.ofType('TransactionSigned')[0]?.data as TransactionSigned['data'];
    const raised = movements.ofType('TransactionFeeRaised').map(({ data }) => data as TransactionFeeRaised['data']);
    expect(raised.length).toBeGreaterThan(0);
    let before: TransactionSigned['data'] = first;
    for (const one of raised) {
      expect(one).toMatchObject({ nonce: first.nonce, replaces: before.txHash });
      expect(BigInt(one.maxFeePerGas) * 8n).toBeGreaterThanOrEqual(BigInt(before.maxFeePerGas) * 9n);
      expect(BigInt(one.maxPriorityFeePerGas) * 8n).toBeGreaterThanOrEqual(BigInt(before.maxPriorityFeePerGas) * 9n);
      before = one;
    }
    const { txHash } = await movements.ended('stuck');
    expect(raised.map((one) => one.txHash)).toContain(txHash);
    await expect(movements.balance()).resolves.toBe(AMOUNT);
    expect(movements.nonces()).toEqual([0]);
  });

  it('is completed by its first bytes when these are mined after all', async () => {
    const movements = await open({ instant: false, raiseFeeMs: 200 }).start();
    movements.base.script({ kind: 'delay', blocks: BLOCKS });
    await movements.mint('first wins');
    await movements.broadcast('first wins');
    const { raw, txHash } = movements.ofType('TransactionSigned')[0]?.data as { raw: Hex; txHash: Hex };
    // Each replacement is lost on its way, while the node still has the first bytes.
    movements.base.script(...Array.from({ length: 50 }, () => ({ kind: 'drop' as const })));
    await eventually(() => {
      movements.base.mine();
      expect(movements.types()).toContain('TransactionFeeRaised');
    });
    await expect(movements.base.transaction(txHash)).resolves.toMatchObject({ status: 'pooled' });
    expect(raw).toMatch(/^0x02/);
    movements.base.mine(BLOCKS);
    await expect(movements.ended('first wins')).resolves.toMatchObject({ state: 'completed', txHash });
    await expect(movements.balance()).resolves.toBe(AMOUNT);
  });

  it('offers no more while the chain mines no block, however long that is', async () => {
    const movements = await open({ instant: false, raiseFeeMs: 100 }).start();
    movements.base.script({ kind: 'delay', blocks: BLOCKS });
    await movements.mint('stands still');
    await movements.broadcast('stands still');
    const raises = () => movements.ofType('TransactionFeeRaised').length;
    await sleep(LATER_MS);
    await movements.rounds.pass();
    expect(raises()).toBe(0);
    movements.base.script({ kind: 'delay', blocks: BLOCKS });
    movements.base.mine();
    await eventually(() => expect(raises()).toBe(1));
    await sleep(LATER_MS);
    await movements.rounds.pass();
    expect(raises()).toBe(1);
  });

  it('offers more although a node has named a head that the chain never reaches', async () => {
    const serve = (chain: SimulatedChain): EvmChain =>
      Object.assign(Object.create(chain) as EvmChain, {
        async *heads(signal: AbortSignal) {
          yield { number: 1_000_000 };
          yield* chain.heads(signal);
        },
      });
    const movements = await open({ instant: false, raiseFeeMs: 100, serve }).start();
    movements.base.script({ kind: 'delay', blocks: BLOCKS });
    await movements.mint('stuck');
    await movements.broadcast('stuck');
    await eventually(() => {
      movements.base.mine();
      expect(movements.types()).toContain('TransactionFeeRaised');
    });
  });

  it('offers no more than its key can pay for, and is mined once the key has coins', async () => {
    const coins = { ofKey: 10n };
    const serve = (chain: SimulatedChain): EvmChain =>
      Object.assign(Object.create(chain) as EvmChain, {
        gasBalance: async () => coins.ofKey,
        broadcast: async (raw: Hex) =>
          coins.ofKey > 10n
            ? chain.broadcast(raw)
            : ({ outcome: 'refused', reason: 'insufficient-gas-money', message: 'scripted' } as const),
      });
    const movements = await open({ instant: false, raiseFeeMs: 50, serve }).start();
    await movements.mint('poor');
    await eventually(() => expect(movements.types()).toContain('TransactionSigned'));
    for (let block = 0; block < 10; block += 1) {
      movements.base.mine();
      await sleep(LATER_MS / 10);
      await movements.rounds.pass(1);
    }
    expect(movements.types()).not.toContain('TransactionFeeRaised');
    coins.ofKey = 10n ** 18n;
    await eventually(() => {
      movements.base.mine();
      expect(movements.types()).toContain('TransactionConfirmed');
    });
  });

  it.each([
    [
      'is raised with coins for the gas limit that it was signed with, although its call has a higher one now',
      100_000n,
    ],
    [
      'is not raised without coins for the gas limit that it was signed with, although its call has a lower one',
      5_000_000n,
    ],
  ])('%s', async (_, signedWith) => {
    const gas: { limit: bigint | null; coins: bigint } = { limit: signedWith, coins: 10n ** 18n };
    const serve = (chain: SimulatedChain): EvmChain =>
      Object.assign(Object.create(chain) as EvmChain, {
        gasBalance: async () => gas.coins,
        mintCall: (request: MintRequest): ContractCall => {
          const call = chain.mintCall(request);
          return { ...call, gas: gas.limit ?? call.gas };
        },
      });
    const movements = await open({ instant: false, raiseFeeMs: 50, serve }).start();
    movements.base.script({ kind: 'delay', blocks: BLOCKS });
    await movements.mint('earlier limit');
    await movements.broadcast('earlier limit');
    const { maxFeePerGas } = movements.ofType('TransactionSigned')[0]?.data as TransactionSigned['data'];
    // Twice the fee, for the limit of the lower of both.
    const isLower = signedWith < gasLimitsOn('eth-base').mint;
    gas.coins = 2n * BigInt(maxFeePerGas) * (isLower ? signedWith : gasLimitsOn('eth-base').mint);
    gas.limit = null;
    const raises = () => movements.ofType('TransactionFeeRaised').length;
    for (let block = 0; block < 10 && raises() === 0; block += 1) {
      movements.base.mine();
      await sleep(LATER_MS / 10);
      await movements.rounds.pass(1);
    }
    if (isLower)
      await eventually(() => {
        movements.base.mine();
        expect(raises()).toBeGreaterThan(0);
      });
    else expect(raises()).toBe(0);
  });
});
