import 'reflect-metadata';
import { FreezeAccountAutomatically } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import type { MovementsUnderTest } from '../testing/movements-under-test';
import { DEEP, robbed } from '../testing/reorged-mints';

const { open } = movementsForEachTest();

/** The number that the alert watches. */
const lostCount = (movements: MovementsUnderTest) =>
  movements.gauge('ponte_transactions_lost_total', { chain: 'eth-base' });

/** Starts the service, which can freeze the account. */
async function restart(movements: MovementsUnderTest): Promise<void> {
  await movements.start();
  movements.bus.handle(FreezeAccountAutomatically.pattern, async () => ({}));
}

describe('a completed transaction that is lost permanently', () => {
  it('is counted when the process ends as soon as the loss is recorded', async () => {
    const movements = await open({ ...DEEP, forget: false }).start();
    await robbed(movements);
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
