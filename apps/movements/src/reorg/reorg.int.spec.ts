import 'reflect-metadata';
import type { ReorgedAfterCompletion } from '@ponte/contracts';
import { FreezeAccountAutomatically } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import type { MovementsUnderTest } from '../testing/movements-under-test';
import { DEEP, completed, robbed } from '../testing/reorged-mints';

const { open } = movementsForEachTest();

const AMOUNT = 25n * 10n ** 17n;
const state = async (movements: MovementsUnderTest, name: string) => (await movements.mintOf(name)).state;

describe('a confirmed transaction', () => {
  it('is watched until it is final, which one event records for all of them', async () => {
    const movements = await open(DEEP).start();
    await completed(movements, 'a', 'b');
    movements.base.mine(7);
    await movements.rounds.pass();
    expect(movements.ofType('NoncesFinalized')).toEqual([]);
    movements.base.mine(1);
    await eventually(() =>
      expect(movements.ofType('NoncesFinalized').map(({ data }) => data)).toEqual([
        expect.objectContaining({ below: 2, chain: 'eth-base' }),
      ]),
    );
    await movements.rounds.pass();
    expect(movements.ofType('NoncesFinalized')).toHaveLength(1);
    expect(movements.types()).not.toContain('ReorgedAfterCompletion');
  });

  it('is sent again after a deep reorg, so that later nonces can be mined and both mints exist once', async () => {
    const movements = await open(DEEP).start();
    await completed(movements, 'first');
    movements.base.reorg(2, 'forgotten');
    await movements.mint('second');
    await eventually(async () => {
      movements.base.mine();
      expect(await state(movements, 'second')).toBe('completed');
    });
    await expect(movements.balance()).resolves.toBe(2n * AMOUNT);
    expect(movements.ofType('TransactionSigned')).toHaveLength(2);
    await eventually(() => {
      movements.base.mine();
      expect(movements.ofType('NoncesFinalized').length).toBeGreaterThan(0);
    });
  });

  it('is recorded as reorged after completion when it stays missing, and restored when it is mined again', async () => {
    const movements = await open(DEEP).start();
    const frozen: unknown[] = [];
    movements.bus.handle(FreezeAccountAutomatically.pattern, async (payload) => {
      frozen.push(payload);
      return {};
    });
    await completed(movements, 'lost');
    const [confirmed] = movements.ofType('TransactionConfirmed');
    movements.base.reorg(2, 'forgotten');
    const found = await eventually(() => {
      const [event] = movements.ofType('ReorgedAfterCompletion');
      if (!event) throw new Error('not yet');
      return event.data as ReorgedAfterCompletion['data'];
    });
    const { txHash, blockHash } = confirmed?.data as ReorgedAfterCompletion['data'];
    expect(found).toMatchObject({
      txHash,
      blockHash,
      nonce: 0,
      purpose: { kind: 'mint', accountId: 'account', asset: 'eth-base/brlv', amount: '2.500000000000000000' },
    });
    await eventually(() =>
      expect(frozen).toEqual([
        { accountId: 'account', reason: 'reorged-after-completion', evidence: `eth-base ${txHash}` },
      ]),
    );
    expect(await state(movements, 'lost')).toBe('completed');
    await eventually(async () => {
      movements.base.mine();
      expect(movements.ofType('TransactionRestored')).toHaveLength(1);
    });
    await expect(movements.balance()).resolves.toBe(AMOUNT);
    await eventually(() => {
      movements.base.mine();
      expect(movements.ofType('NoncesFinalized')).toHaveLength(1);
    });
    expect(movements.ofType('TransactionConfirmed')).toHaveLength(1);
    expect(movements.ofType('ReorgedAfterCompletion')).toHaveLength(1);
  });

  it('is lost, and never rolled back, when another transaction has its nonce in a final block', async () => {
    const movements = await open(DEEP).start();
    await robbed(movements);
    movements.base.mine(12);
    await eventually(() =>
      expect(movements.ofType('TransactionLost').map(({ data }) => data)).toEqual([
        expect.objectContaining({ reason: 'superseded' }),
      ]),
    );
    expect(movements.types()).not.toContain('TransactionSuperseded');
    expect(await state(movements, 'robbed')).toBe('completed');
  });

  it('is restored once when it was lost and an operator has it sent again, and is not completed twice', async () => {
    const movements = await open(DEEP).start();
    await robbed(movements);
    const transaction = (movements.ofType('TransactionIntended')[0]?.data as { transactionId: string }).transactionId;
    const restore = (id = transaction) =>
      movements.operate('chain restore-lost', { chain: 'eth-base', transaction: id });
    await expect(restore()).rejects.toThrow('the transaction is not lost');
    movements.base.mine(12);
    await eventually(() => expect(movements.types()).toContain('TransactionLost'));
    expect(await movements.gauge('ponte_transactions_lost_total', { chain: 'eth-base' })).toBe(1);
    await expect(movements.balance()).resolves.toBe(0n);

    await expect(restore(derivedId('no', 'transaction'))).rejects.toThrow('no such transaction');
    await expect(restore()).resolves.toContain('is sent again as transaction');
    // Two requests make one transaction.
    await restore().catch(() => undefined);
    await eventually(async () => {
      movements.base.mine();
      expect(movements.ofType('TransactionRestored')).toHaveLength(1);
    });
    await expect(movements.balance()).resolves.toBe(AMOUNT);
    expect(movements.ofType('TransactionIntended')).toHaveLength(2);
    expect(movements.ofType('TransactionRestored')[0]?.data).toMatchObject({
      purpose: { kind: 'mint', amount: '2.500000000000000000' },
    });
    expect(movements.ofType('TransactionConfirmed')).toHaveLength(1);
    await expect(restore()).rejects.toThrow('the transaction is not lost');
    expect(await state(movements, 'robbed')).toBe('completed');
  });

  it('is also watched after a restart', async () => {
    const movements = await open(DEEP).start();
    await completed(movements, 'kept');
    await movements.stop();
    movements.base.reorg(2, 'forgotten');
    await movements.start();
    await eventually(async () => {
      movements.base.mine();
      expect(await movements.balance()).toBe(AMOUNT);
    });
  });
});
