import 'reflect-metadata';
import type { TransactionConfirmed, TransactionSigned } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import type { Hex } from '../chain/chain.port';
import { movementsForEachTest } from '../testing/movements-for-each-test';

const { open } = movementsForEachTest();

it('a transaction whose first bytes are mined after a reorg instead of those with raised fees is not reorged', async () => {
  const movements = await open({ instant: false, confirmations: 2, finality: 10 }).start();
  await movements.mint('moved');
  await movements.broadcast('moved');
  const first = movements.ofType('TransactionSigned')[0]?.data as TransactionSigned['data'];
  await movements.operate('chain raise-fee', { chain: 'eth-base', transaction: first.transactionId });
  movements.base.mine(2);
  await movements.ended('moved');
  const confirmed = movements.ofType('TransactionConfirmed')[0]?.data as TransactionConfirmed['data'];
  expect(confirmed.txHash).not.toBe(first.txHash);

  movements.base.reorg(2, 'forgotten');
  const sent = movements.base.broadcast(first.raw as Hex);
  // What is sent after the first bytes is lost on its way.
  movements.base.script(...Array.from({ length: 50 }, () => ({ kind: 'drop' as const })));
  await sent;
  movements.base.mine(3);
  await expect(movements.base.transaction(first.txHash as Hex)).resolves.toMatchObject({ status: 'mined' });
  await movements.rounds.pass();
  expect(movements.types()).not.toContain('ReorgedAfterCompletion');

  movements.base.mine(12);
  await eventually(() =>
    expect(movements.ofType('NoncesFinalized').map(({ data }) => data)).toEqual([
      expect.objectContaining({ below: 1 }),
    ]),
  );
  await expect(movements.balance()).resolves.toBe(25n * 10n ** 17n);
});
