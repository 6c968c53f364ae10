import 'reflect-metadata';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { GetAccountWallets, ProvisionWallets } from '@ponte/contracts';
import type { EventToAppend } from '@ponte/event-sourcing';
import type { FaultKind } from '@ponte/testing';
import { MemoryLog, eventually } from '@ponte/testing';
import { movementsForEachTest } from '../testing/movements-for-each-test';

const fresh = movementsForEachTest();
const open: typeof fresh.open = (setup) => fresh.open(setup);
const AMOUNT = 25n * 10n ** 17n;

describe('a crash', () => {
  const POINTS = ['TransactionIntended', 'NoncesAllocated', 'TransactionSigned', 'TransactionConfirmed'];
  const striking = (type: string, kind: FaultKind) => ({
    kind,
    match: (_: string, events: readonly EventToAppend[]) => events.some((event) => event.type === type),
  });

  it.each(POINTS)('after %s leads to one mint on the chain after the restart', async (type) => {
    const movements = await open().start();
    const fault = movements.store.faults.next(striking(type, 'crash-after-append'));
    const mintRequest = movements.mint('crash').catch(() => undefined);
    await fault.struck;
    await mintRequest;
    await movements.stop();
    await movements.start();
    await movements.mint('crash');
    await expect(movements.ended('crash')).resolves.toMatchObject({ state: 'completed' });
    await expect(movements.balance()).resolves.toBe(AMOUNT);
    expect(movements.nonces()).toEqual([0]);
    expect(movements.ofType('TransactionConfirmed')).toHaveLength(1);
  });

  it.each(['refuse', 'lose-reply', 'drop'] as const)(
    'of an append (%s) at any step is recovered from, and each mint is made once',
    async (kind) => {
      const movements = await open().start();
      for (const type of POINTS) {
        const fault = movements.store.faults.next(striking(type, kind));
        await Promise.all([movements.mint(type).catch(() => undefined), fault.struck]);
        await movements.mint(type);
        await expect(movements.ended(type)).resolves.toMatchObject({ state: 'completed' });
      }
      await expect(movements.balance()).resolves.toBe(BigInt(POINTS.length) * AMOUNT);
      expect(movements.nonces()).toEqual(POINTS.map((_, nonce) => nonce));
    },
  );

  it('does not keep unfinished movements from completing when it loses the read models', async () => {
    const movements = await open({ instant: false }).start();
    const { wallets } = await movements.bus.request(
      ProvisionWallets,
      { accountId: 'a', parentId: null },
      movements.context(),
    );
    await movements.mint('open');
    await movements.broadcast('open');
    await movements.stop();
    for (const ending of ['', '-wal', '-shm']) await rm(join(fresh.folder, `read-models.db${ending}`), { force: true });
    await movements.start();
    await eventually(async () =>
      expect((await movements.bus.request(GetAccountWallets, { accountId: 'a' }, movements.context())).wallets).toEqual(
        wallets,
      ),
    );
    movements.base.mine();
    await expect(movements.ended('open')).resolves.toMatchObject({ state: 'completed' });
  });

  it('that leaves the log older than the chain ends with the mint confirmed by the transaction that the log lost', async () => {
    const movements = await open().start();
    await movements.mint('twice');
    const { txHash } = await movements.ended('twice');
    await movements.stop();
    movements.log = new MemoryLog();
    await movements.start(join(fresh.folder, 'another'));
    await movements.mint('twice');
    await expect(movements.ended('twice')).resolves.toMatchObject({ state: 'completed', txHash });
    expect(movements.nonces()).toEqual([]);
    await movements.mint('fresh');
    await expect(movements.ended('fresh')).resolves.toMatchObject({ state: 'completed' });
    await expect(movements.balance()).resolves.toBe(2n * AMOUNT);
  });
});
