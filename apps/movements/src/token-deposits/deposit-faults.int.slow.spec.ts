import 'reflect-metadata';
import { derivedId } from '@ponte/kernel';
import type { FaultKind } from '@ponte/testing';
import { eventually, temporaryFolder } from '@ponte/testing';
import fc from 'fast-check';
import { setTimeout as sleep } from 'node:timers/promises';
import { MovementsUnderTest } from '../testing/movements-under-test';
import { Outsider, SLOW_FINALITY, arrivals, finals, walletsOf } from '../testing/deposits-under-test';
import { openedForTest, states, useMovementsForEachTest } from '../testing/token-deposits-for-each-test';

useMovementsForEachTest();

const KINDS: readonly FaultKind[] = ['refuse', 'lose-reply', 'crash-after-append'];
const TYPES = [
  'IncomingTransfersSeen',
  'IncomingTransfersConfirmed',
  'IncomingTransfersFinalized',
  'IncomingTransfersReorged',
];

describe('a fault at every append of the scan', () => {
  it.each(TYPES.flatMap((type) => KINDS.map((kind) => [kind, type] as const)))(
    '(%s at %s) neither doubles nor loses a deposit',
    async (kind, type) => {
      const { movements, outsider, to } = await openedForTest({ ...SLOW_FINALITY, finality: 4 });
      const { struck } = movements.store.faults.next({
        kind,
        match: (_stream, events) => events.some((event) => event.type === type),
      });
      const restarted = struck.then(async () => {
        if (kind !== 'crash-after-append') return;
        await movements.stop();
        await movements.start();
      });
      await outsider.send(to, 1n);
      movements.base.mine();
      await eventually(() => expect(arrivals(movements)).not.toEqual([]));
      movements.base.reorg(1, 'repooled');
      movements.base.mine();
      await outsider.send(to, 2n);
      await eventually(() => {
        movements.base.mine();
        expect(finals(movements).map(({ amount }) => amount)).toEqual(['0.000001', '0.000002']);
      }, 10_000);
      await restarted;
      await eventually(() => expect(states(movements).filter((state) => state !== 'final')).toEqual(['reorged']));
      await movements.rounds.pass();
      expect(finals(movements)).toHaveLength(2);
    },
  );
});

/** Confirmations after which a block is final in the test of any mix. */
const FINALITY = 6;

describe('any mix of deposits, reorgs and restarts', () => {
  it('credits exactly what the chain has in its final blocks', async () => {
    const step = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({ kind: fc.constant('send' as const), units: fc.integer({ min: 1, max: 1_000 }) }),
      },
      {
        weight: 5,
        arbitrary: fc.record({ kind: fc.constant('mine' as const), blocks: fc.integer({ min: 1, max: 3 }) }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('reorg' as const),
          depth: fc.integer({ min: 1, max: 4 }),
          repooled: fc.boolean(),
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const) }) },
    );
    const mine = { kind: 'mine', blocks: 3 } as const;
    const wait = { kind: 'wait' } as const;
    const reorg = { kind: 'reorg', depth: 4, repooled: false } as const;
    // Together they are deep enough to replace the first block, which may be final by then.
    const twoReorgs = [{ kind: 'send', units: 5 }, mine, mine, wait, wait, wait, reorg, reorg] as const;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const place = temporaryFolder();
        const movements = await new MovementsUnderTest(place.path, { ...SLOW_FINALITY, finality: FINALITY }).start();
        try {
          const to = (await walletsOf(movements, derivedId('account', 'one')))['eth-base'];
          const outsider = new Outsider(movements.base);
          let lastFinal = 0;
          for (const one of steps) {
            switch (one.kind) {
              case 'send':
                await outsider.send(to, BigInt(one.units));
                break;
              case 'mine':
                movements.base.mine(one.blocks);
                break;
              case 'reorg': {
                const head = (await movements.base.headBlock()).number;
                // The scan may have read any block that was ever final: those are not replaced.
                lastFinal = Math.max(lastFinal, head - FINALITY + 1);
                const depth = Math.min(one.depth, head - lastFinal);
                if (depth > 0) movements.base.reorg(depth, one.repooled ? 'repooled' : 'forgotten');
                await outsider.resync();
                break;
              }
              case 'restart':
                await movements.stop();
                await movements.start();
                break;
              case 'wait':
                await sleep(40);
                break;
            }
          }
          movements.base.mine(8);
          const onChain = await movements.base.tokenBalance('eth-base/usdc', to);
          const credited = () =>
            finals(movements).reduce((sum, { amount }) => sum + BigInt(amount.replace('.', '')), 0n);
          await eventually(() =>
            expect([
              credited(),
              states(movements).filter((state) => state === 'seen' || state === 'confirmed'),
            ]).toEqual([onChain, []]),
          );
        } finally {
          await movements.stop();
          place.remove();
        }
      }),
      { numRuns: 12, examples: [[[...twoReorgs]]] },
    );
  });
});
