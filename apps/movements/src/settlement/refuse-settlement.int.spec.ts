import 'reflect-metadata';
import { RefuseSettlement } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import type { MovementsUnderTest } from '../testing/movements-under-test';

const { open } = movementsForEachTest();
const refuse = async (movements: MovementsUnderTest, name: string) => {
  const terms = { settlementId: derivedId('mint', name), kind: 'mint', asset: 'eth-base/brlv' } as const;
  return (await movements.bus.request(RefuseSettlement, terms, movements.context())).refused;
};

describe('A refused settlement', () => {
  it('is never sent, even if a late request for it arrives, and keeps no later one from being sent', async () => {
    const movements = await open().start();
    expect([await refuse(movements, 'late'), await refuse(movements, 'late')]).toEqual([true, true]);
    await movements.mint('late');
    expect(await movements.ended('late')).toEqual({ state: 'failed', txHash: null });
    expect(await refuse(movements, 'late')).toBe(true);
    await movements.mint('next');
    await expect(movements.ended('next')).resolves.toMatchObject({ state: 'completed' });
    expect(movements.nonces()).toEqual([0]);
  });

  it('is not refused when it was sent before', async () => {
    const movements = await open({ instant: false }).start();
    await movements.mint('sent');
    await movements.broadcast('sent');
    expect(await refuse(movements, 'sent')).toBe(false);
    movements.base.mine();
    await movements.ended('sent');
    expect(await refuse(movements, 'sent')).toBe(false);
  });
});
