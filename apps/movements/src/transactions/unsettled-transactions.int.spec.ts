import 'reflect-metadata';
import type { TransactionSigned } from '@ponte/contracts';
import { Unavailable } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import type { SimulatedChain } from '../chain/adapters/simulated/simulated.chain.adapter';
import type { EvmChain, Hex } from '../chain/chain.port';
import { movementsForEachTest } from '../testing/movements-for-each-test';

/** As many transactions as the watcher reads from the read model at once. */
const STUCK = 500;

const { open } = movementsForEachTest();

describe('A mined transaction of which a node once reports a block far above the head', () => {
  it('is completed when it has enough confirmations', async () => {
    let lies = 0;
    const serve = (chain: SimulatedChain): EvmChain =>
      Object.assign(Object.create(chain) as EvmChain, {
        transaction: async (hash: Hex) => {
          const found = await chain.transaction(hash);
          if (found.status !== 'mined' || lies > 0) return found;
          lies += 1;
          return { ...found, blockNumber: 1_000_000_000, confirmations: 1 };
        },
      });
    const movements = await open({ instant: false, confirmations: 2, serve }).start();
    await movements.mint('one');
    await movements.broadcast('one');
    movements.base.mine();
    await eventually(() => expect(lies).toBe(1));
    movements.base.mine(2);
    await expect(movements.ended('one')).resolves.toMatchObject({ state: 'completed' });
  });
});

describe('A mined transaction behind many that cannot be settled yet', () => {
  it('is completed by a process that did not send it', async () => {
    const unreadable = new Set<Hex>();
    const serve = (chain: SimulatedChain): EvmChain =>
      Object.assign(Object.create(chain) as EvmChain, {
        transaction: async (hash: Hex) => {
          if (unreadable.has(hash)) throw new Unavailable('chain-unavailable', 'scripted');
          return chain.transaction(hash);
        },
      });
    const movements = await open({ instant: false, serve }).start();
    const names = Array.from({ length: STUCK + 1 }, (_, at) => `mint ${at}`);
    await Promise.all(names.map((name) => movements.mint(name)));
    const signed = await eventually(() => {
      const found = movements.ofType('TransactionSigned').map(({ data }) => data as TransactionSigned['data']);
      expect(found.length).toBe(names.length);
      return found.sort((a, b) => a.nonce - b.nonce);
    });
    await movements.stop();
    for (const { raw } of signed) await movements.base.broadcast(raw as Hex);
    for (const { txHash } of signed.slice(0, STUCK)) unreadable.add(txHash as Hex);
    movements.base.mine();
    await movements.start();
    await eventually(() => expect(movements.ofType('TransactionConfirmed').length).toBe(1));
  });
});
