import 'reflect-metadata';
import { FreezeAccountAutomatically } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { signed } from '../chain/adapters/chain-under-test.testing';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import type { MovementsUnderTest } from '../testing/movements-under-test';
import { TO, signer } from '../testing/movements-under-test';

const { open } = movementsForEachTest();

/** The number that the alert watches. */
const lostCount = (movements: MovementsUnderTest) =>
  movements.gauge('ponte_transactions_lost_total', { chain: 'eth-base' });

/** Starts the service, which can freeze the account. */
async function restart(movements: MovementsUnderTest): Promise<void> {
  await movements.start();
  movements.bus.handle(FreezeAccountAutomatically.pattern, async () => ({}));
}

/** A completed mint that a reorg has removed. Another transaction has used its nonce in a block that is not final. */
async function robbed(): Promise<MovementsUnderTest> {
  const movements = await open({ instant: false, forget: false, confirmations: 2, finality: 10 }).start();
  await movements.mint('robbed');
  await movements.broadcast('robbed');
  movements.base.mine(2);
  await expect(movements.ended('robbed')).resolves.toMatchObject({ state: 'completed' });
  const call = movements.base.transferCall({ asset: 'eth-base/usdc', to: TO, units: 0n });
  const rival = await signed(movements.base, signer, 'operator', call, 0);
  movements.base.reorg(2, 'forgotten');
  await movements.base.broadcast(rival.raw);
  movements.base.mine();
  await eventually(() => expect(movements.types()).toContain('ReorgedAfterCompletion'));
  return movements;
}

describe('a completed transaction that is lost permanently', () => {
  it('is counted when the process ends as soon as the loss is recorded', async () => {
    const movements = await robbed();
    const { struck } = movements.store.faults.next({
      kind: 'crash-after-append',
      match: (_, events) => events.some(({ type }) => type === 'TransactionLost'),
    });
    movements.base.mine(12);
    await struck;
    await movements.stop();
    expect(movements.ofType('TransactionLost')).toHaveLength(1);
    await restart(movements);
    await eventually(async () => expect(await lostCount(movements)).toBe(1));
    await movements.stop();
    await restart(movements);
    await movements.rounds.pass();
    expect(await lostCount(movements)).toBe(0);
    expect(movements.ofType('TransactionLost')).toHaveLength(1);
  });
});
