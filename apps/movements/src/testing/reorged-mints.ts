import { eventually } from '@ponte/testing';
import { signed } from '../chain/adapters/chain-under-test.testing';
import type { MovementsUnderTest, Setup } from './movements-under-test';
import { TO, signer } from './movements-under-test';

/** Completed long before it is final, as on a chain with a `finalized` tag. */
export const DEEP: Setup = { instant: false, confirmations: 2, finality: 10 };

/** Makes these mints and waits until they are completed. */
export async function completed(movements: MovementsUnderTest, ...names: string[]): Promise<void> {
  for (const name of names) {
    await movements.mint(name);
    await movements.broadcast(name);
  }
  movements.base.mine(2);
  for (const name of names) await expect(movements.ended(name)).resolves.toMatchObject({ state: 'completed' });
}

/**
 * Completes the first mint of the service, which a reorg then removes. Another transaction uses its nonce in a block
 * that is not final. After 12 more blocks the mint is lost.
 */
export async function robbed(movements: MovementsUnderTest): Promise<void> {
  await completed(movements, 'robbed');
  const call = movements.base.transferCall({ asset: 'eth-base/usdc', to: TO, units: 0n });
  const rival = await signed(movements.base, signer, 'operator', call, 0);
  movements.base.reorg(2, 'forgotten');
  await movements.base.broadcast(rival.raw);
  movements.base.mine();
  await eventually(() => expect(movements.types()).toContain('ReorgedAfterCompletion'));
}
