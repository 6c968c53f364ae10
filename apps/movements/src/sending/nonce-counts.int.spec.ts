import 'reflect-metadata';
import { eventually } from '@ponte/testing';
import { signed } from '../chain/adapters/chain-under-test.testing';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import { TO, signer } from '../testing/movements-under-test';

const { open } = movementsForEachTest();

const REFUSED = 'ponte_nonce_counts_refused_total';
const OF_KEY = { chain: 'eth-base', operator: 'operator' } as const;

describe('the mined count of a key', () => {
  it('that is wrong in one answer of a node leaves no gap', async () => {
    const movements = await open().start();
    await movements.mint('before');
    await movements.ended('before');
    expect(await movements.gauge(REFUSED, OF_KEY)).toBe(0);
    const count = jest.spyOn(movements.base, 'nextNonce').mockResolvedValue(1_000);
    await movements.mint('after');
    await eventually(async () => {
      expect(await movements.gauge(REFUSED, OF_KEY)).toBeGreaterThan(0);
    });
    count.mockRestore();
    await expect(movements.ended('after')).resolves.toMatchObject({ state: 'completed' });
    expect(movements.nonces()).toEqual([0, 1]);
  });

  it('includes transactions of others as soon as they are final', async () => {
    const movements = await open({ instant: false, finality: 4 }).start();
    const call = movements.base.transferCall({ asset: 'eth-base/usdc', to: TO, units: 0n });
    const other = await signed(movements.base, signer, 'operator', call, 0);
    await movements.base.broadcast(other.raw);
    movements.base.mine();
    await movements.mint('waits');
    await movements.rounds.pass();
    expect(movements.nonces()).toEqual([]);
    movements.base.mine(3);
    await eventually(() => expect(movements.nonces()).toEqual([1]));
  });
});
