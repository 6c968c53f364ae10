import 'reflect-metadata';
import { derivedId } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import { Outsider, arrivals, finals, walletsOf } from '../testing/deposits-under-test';
import { MovementsUnderTest } from '../testing/movements-under-test';

const MORE_SECONDS = 0.2;
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

it('a replaced final block stops the scan, before and after a restart, until an operator intervenes', async () => {
  const to = (await walletsOf(movements, derivedId('account', 'one')))['eth-base'];
  const outsider = new Outsider(movements.base);
  await outsider.send(to, 1n);
  movements.base.mine(4);
  await eventually(() => expect(finals(movements)).toHaveLength(1));
  const before = finals(movements);

  // The reorg starts at the block of the deposit: the scanner has certainly read that one as final.
  movements.base.reorg(5, 'forgotten');
  await outsider.resync();
  await outsider.send(to, 2n);
  movements.base.mine(8);
  await movements.rounds.pass();
  // Earlier credits remain, and nothing from the other chain is credited. (A round that was running during the reorg
  // may have seen its transfer.)
  expect(finals(movements)).toEqual(before);
  await eventually(async () =>
    expect(await movements.gauge(SCAN_AGE, { chain: 'eth-base' })).toBeGreaterThan(MORE_SECONDS),
  );

  const seen = arrivals(movements);
  await movements.stop();
  await movements.start();
  movements.base.mine(3);
  await movements.rounds.pass();
  expect(arrivals(movements)).toEqual(seen);
});
