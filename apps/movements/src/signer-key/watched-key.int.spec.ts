import 'reflect-metadata';
import { openedForTest, useMovementsForEachTest } from '../testing/token-deposits-for-each-test';

useMovementsForEachTest();

it('the mined transactions of a key are not counted while none of its transactions is unfinished', async () => {
  const { movements } = await openedForTest();
  const { base } = movements;
  const nextNonce = base.nextNonce.bind(base);
  let counts = 0;
  base.nextNonce = (...given) => {
    counts += 1;
    return nextNonce(...given);
  };
  base.mine(3);
  await movements.rounds.pass();
  expect(counts).toBe(0);
});
