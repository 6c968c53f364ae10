import 'reflect-metadata';
import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import { derivedId } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import { join } from 'node:path';
import type { Hex } from '../chain/chain.port';
import { Outsider, arrivals, finals, walletsOf } from '../testing/deposits-under-test';
import { MovementsUnderTest } from '../testing/movements-under-test';
import { DepositCursors } from '../token-deposits/deposit-cursors.read-model';

/** More blocks than each scan reads again anyway. */
const MANY_BLOCKS = 40;
const DAY_MS = 24 * 60 * 60 * 1000;
const CHAIN = 'eth-base';
let folder: ReturnType<typeof temporaryFolder>;
let movements: MovementsUnderTest;
let wallet: Hex;
let outsider: Outsider;

beforeEach(async () => {
  folder = temporaryFolder();
  const finality = { instant: false, confirmations: 1, finality: 2 };
  movements = await new MovementsUnderTest(folder.path, { ...finality, forget: false }).start();
  wallet = (await walletsOf(movements, derivedId('account', 'one')))[CHAIN];
  outsider = new Outsider(movements.base);
  await send(1n);
  await eventually(() => expect(credited()).toEqual(['0.000001']));
});
afterEach(async () => {
  await movements.stop();
  folder.remove();
});

async function send(units: bigint, blocks = 4): Promise<void> {
  await outsider.send(wallet, units);
  movements.base.mine(blocks);
}
const credited = () => finals(movements).map(({ amount }) => amount);
const yesterday = () => new Date(Date.now() - DAY_MS).toISOString();

/** Work of an operator while no process runs. */
async function whileStopped<T>(work: (cursors: DepositCursors) => Promise<T>): Promise<T> {
  await movements.stop();
  const readModels = openSqliteReadModels<unknown>(join(folder.path, 'read-models.db'));
  const result = await work(new DepositCursors(readModels));
  await readModels.destroy();
  await movements.start();
  return result;
}

it('a chain that is read again from an earlier time makes no deposit twice, and the request ends', async () => {
  const before = arrivals(movements);
  const cursors = new DepositCursors(movements.readModels);
  await cursors.positionOf(CHAIN).setBack(yesterday());
  await eventually(async () => expect(await cursors.rescanOf(CHAIN)).toBeNull());
  expect(arrivals(movements)).toEqual(before);
  await send(2n);
  await eventually(() => expect(credited()).toEqual(['0.000001', '0.000002']));
});

it('a request never moves a chain forward: transfers between its cursor and the requested time are deposits', async () => {
  await whileStopped(async (cursors) => {
    await send(2n, MANY_BLOCKS);
    await cursors.positionOf(CHAIN).setBack(new Date().toISOString());
  });
  await eventually(() => expect(credited()).toEqual(['0.000001', '0.000002']));
});

it('the earlier of two requested times wins, and operators see it with the block of the cursor', async () => {
  const [early, late] = [yesterday(), new Date().toISOString()];
  await whileStopped(async (cursors) => {
    const place = cursors.positionOf(CHAIN);
    const block = (await cursors.of(CHAIN))?.number;
    expect(await place.shown()).toBe(`block ${block}`);
    for (const since of [late, early, late]) await place.setBack(since);
    expect(await place.shown()).toBe(`block ${block}, again from ${early}`);
  });
});

it('the scan gets past a replaced final block when an operator has the chain read again', async () => {
  movements.base.reorg(5, 'forgotten');
  await outsider.resync();
  await send(2n, 8);
  await movements.rounds.pass();
  expect(credited()).toEqual(['0.000001']);
  await new DepositCursors(movements.readModels).positionOf(CHAIN).setBack(yesterday());
  await eventually(() => expect(credited()).toEqual(['0.000001', '0.000002']));
});
