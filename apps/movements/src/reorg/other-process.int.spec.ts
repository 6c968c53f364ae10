import 'reflect-metadata';
import { ProvisionWallets } from '@ponte/contracts';
import { eventually, temporaryFolder } from '@ponte/testing';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import type { MovementsUnderTest } from '../testing/movements-under-test';

const { open } = movementsForEachTest();
const second = temporaryFolder();
afterAll(() => second.remove());

/** A store wakes its own readers only. */
const wake = (movements: MovementsUnderTest, accountId: string) =>
  movements.bus.request(ProvisionWallets, { accountId, parentId: null }, movements.context());

describe('A completed transaction of which another process has recorded the reorg', () => {
  it('is restored by the process that had completed it', async () => {
    const deep = { instant: false, confirmations: 2, finality: 10, replicated: true };
    const slow = await open({ ...deep, pollMs: 1_000 }).start();
    await slow.mint('lost');
    await slow.broadcast('lost');
    slow.base.mine(2);
    await slow.ended('lost');
    await wake(slow, 'a');
    const fast = await open({ ...deep, beside: slow }).start(second.path);
    await wake(fast, 'b');
    slow.base.reorg(2, 'forgotten');
    await eventually(() => expect(slow.types()).toContain('ReorgedAfterCompletion'));
    await wake(slow, 'c');
    await fast.stop();
    await eventually(() => {
      slow.base.mine();
      expect(slow.types()).toContain('TransactionRestored');
    }, 10_000);
  });
});
