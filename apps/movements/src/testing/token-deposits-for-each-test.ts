import 'reflect-metadata';
import { derivedId } from '@ponte/kernel';
import { temporaryFolder } from '@ponte/testing';
import type { Setup } from './movements-under-test';
import { MovementsUnderTest } from './movements-under-test';
import { Outsider, SLOW_FINALITY, arrivals, walletsOf } from './deposits-under-test';

/** Starts a movements service over simulated chains, which is stopped when the test ends. */
export async function openedForTest(setup: Setup = SLOW_FINALITY) {
  const movements = await new MovementsUnderTest(folder.path, setup).start();
  underTests.push(movements);
  const wallets = await walletsOf(movements, derivedId('account', 'one'));
  return { movements, wallets, to: wallets['eth-base'], outsider: new Outsider(movements.base) };
}

let folder: ReturnType<typeof temporaryFolder>;
let underTests: MovementsUnderTest[] = [];
/** Stops the services that each test of a file has started. */
export function useMovementsForEachTest(): void {
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(async () => {
    await Promise.all(underTests.map((movements) => movements.stop()));
    underTests = [];
    folder.remove();
  });
}

export const states = (movements: MovementsUnderTest) => arrivals(movements).map(({ state }) => state);
