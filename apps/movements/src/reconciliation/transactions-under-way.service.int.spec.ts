import 'reflect-metadata';
import { GetTrialBalance, GetUncreditedTokens } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { movementsForEachTest } from '../testing/movements-for-each-test';

const { open } = movementsForEachTest();
afterEach(() => jest.restoreAllMocks());

it('A mint that is mined but not confirmed explains its tokens, and no logs are searched for its reference', async () => {
  // The chain mines only on request.
  const movements = await open({ instant: false, confirmations: 3 }).start();
  const { base, bus } = movements;
  bus.handle(GetUncreditedTokens.pattern, async () => ({ amounts: [], refused: [] }));
  bus.handle(GetTrialBalance.pattern, async () => ({ lines: [], customers: [], sums: [] }));
  const searched = jest.spyOn(base, 'takenIn');
  await movements.mint('one');
  await movements.broadcast('one');
  base.mine();
  await eventually(async () => expect(await movements.operate('chain reconcile')).toContain('agree'));
  expect((await movements.mintOf('one')).state).toBe('pending');
  expect(searched).not.toHaveBeenCalled();
});
