import 'reflect-metadata';
import { derivedId } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { Outsider, arrivals, finals, walletsOf } from '../testing/deposits-under-test';
import { MovementsUnderTest } from '../testing/movements-under-test';

const MANY_ROUNDS_MS = 400;
const SCAN_AGE = 'ponte_deposit_scan_age_seconds';
let folder: ReturnType<typeof temporaryFolder>;
let movements: MovementsUnderTest;

beforeEach(async () => {
  folder = temporaryFolder();
  const finality = { instant: false, confirmations: 1, finality: 2 };
  movements = await new MovementsUnderTest(folder.path, { ...finality, forget: false }).start();
});
afterEach(async () => {
  await movements.stop();
  folder.remove();
});

it('a final block that is replaced stops the scan, before and after a restart, until a person has looked', async () => {
  const to = (await walletsOf(movements, derivedId('account', 'one')))['eth-base'];
  const outsider = new Outsider(movements.base);
  await outsider.send(to, 1n);
  movements.base.mine(4);
  await eventually(() => expect(finals(movements)).toHaveLength(1));
  const before = arrivals(movements);

  // From the block of the deposit on: the scanner has seen that one as final, and perhaps none after it.
  movements.base.reorg(5, 'forgotten');
  await outsider.resync();
  await outsider.send(to, 2n);
  movements.base.mine(8);
  await sleep(MANY_ROUNDS_MS);
  // What was credited stays, and nothing of the other chain is taken in.
  expect(arrivals(movements)).toEqual(before);
  expect(await movements.gauge(SCAN_AGE, { chain: 'eth-base' })).toBeGreaterThan(MANY_ROUNDS_MS / 2_000);

  await movements.stop();
  await movements.start();
  movements.base.mine(3);
  await sleep(MANY_ROUNDS_MS);
  expect(arrivals(movements)).toEqual(before);
});
