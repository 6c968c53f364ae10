import 'reflect-metadata';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { NoncesAllocated, TransactionIntended, TransactionSigned } from '@ponte/contracts';
import { eventId } from '@ponte/event-sourcing';
import { CHAINS, derivedId } from '@ponte/kernel';
import { MemoryEventStore, eventually } from '@ponte/testing';
import { signed } from '../chain/adapters/chain-under-test.testing';
import { referenceOf } from '../token-movement/chain-values.domain';
import { signerKeyId } from '../signer-key/signer-key.decider';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import { TO, signer } from '../testing/movements-under-test';

const fresh = movementsForEachTest();
const open: typeof fresh.open = (setup) => fresh.open(setup);
const AMOUNT = 25n * 10n ** 17n;

describe('a crash of a chain', () => {
  it('that loses everything is repaired from the log', async () => {
    const movements = await open().start();
    await Promise.all(['a', 'b', 'c'].map((name) => movements.mint(name)));
    for (const name of ['a', 'b', 'c']) await movements.ended(name);
    await movements.stop();
    movements.base.forget();
    await expect(movements.balance()).resolves.toBe(0n);
    await movements.start();
    await eventually(async () => expect(await movements.balance()).toBe(3n * AMOUNT));
    await movements.mint('d');
    await expect(movements.ended('d')).resolves.toMatchObject({ state: 'completed' });
    await expect(movements.balance()).resolves.toBe(4n * AMOUNT);
  });

  it('that loses its last blocks is repaired without reading the whole log, unless the read models are lost too', async () => {
    const movements = await open().start();
    const names = Array.from({ length: 6 }, (_, at) => `block ${at}`);
    for (const name of names) {
      await movements.mint(name);
      await movements.ended(name);
    }
    await movements.stop();
    const subscribed = jest.spyOn(MemoryEventStore.prototype, 'subscribe');
    // The projector names itself as `reader`.
    const readings = () =>
      subscribed.mock.calls.filter(
        ([filter]) => filter?.categories?.includes('chainTransaction') && filter.reader === undefined,
      ).length;
    movements.base.reorg(2, 'forgotten');
    await expect(movements.balance()).resolves.toBe(4n * AMOUNT);
    await movements.start();
    await eventually(async () => expect(await movements.balance()).toBe(6n * AMOUNT));
    expect(readings()).toBe(0);
    await movements.stop();
    for (const ending of ['', '-wal', '-shm']) await rm(join(fresh.folder, `read-models.db${ending}`), { force: true });
    movements.base.reorg(3, 'forgotten');
    await movements.start();
    await eventually(async () => expect(await movements.balance()).toBe(6n * AMOUNT));
    expect(readings()).toBe(CHAINS.length);
    subscribed.mockRestore();
  });

  it('that loses everything is also repaired at each start for what a replaced key had signed', async () => {
    const movements = open();
    const call = movements.base.mintCall({
      reference: referenceOf(derivedId('mint', 'before')),
      asset: 'eth-base/brlv',
      to: TO,
      units: AMOUNT,
    });
    const { raw, hash } = await signed(movements.base, signer, 'an earlier operator', call, 0);
    const from = await signer.addressOf('an earlier operator');
    const past = new TransactionSigned({
      transactionId: 'before',
      chain: 'eth-base',
      from,
      nonce: 0,
      raw,
      txHash: hash,
      maxFeePerGas: '1',
      maxPriorityFeePerGas: '1',
    });
    const allocated = new NoncesAllocated({ chain: 'eth-base', address: from, first: 0, transactionIds: ['before'] });
    const intended = new TransactionIntended({
      transactionId: 'before',
      chain: 'eth-base',
      from,
      purpose: {
        kind: 'mint',
        id: 'before',
        orderId: 'order',
        accountId: 'account',
        asset: 'eth-base/brlv',
        amount: '2.5',
        to: TO,
      },
      intendedAt: '2026-01-01T00:00:00.000Z',
    });
    const kept = new MemoryEventStore({ log: movements.log });
    const meta = {
      commandId: 'past',
      index: 0,
      count: 1,
      occurredAt: '2026-01-01T00:00:00.000Z',
      correlationId: 'past',
    };
    await kept.append(`signerKey-${signerKeyId('eth-base', from)}`, -1, [
      { id: eventId('past', 0), type: allocated.type, version: 1, data: allocated.data, meta },
    ]);
    await kept.append(
      'chainTransaction-before',
      -1,
      [intended, past].map(({ type, data }, index) => ({
        id: eventId('past', index + 1),
        type,
        version: 1,
        data,
        meta,
      })),
    );
    for (const owned of [1n, 2n, 3n]) {
      await movements.start();
      await eventually(async () => expect(await movements.balance()).toBe(owned * AMOUNT));
      await movements.mint(`with ${owned}`);
      await movements.ended(`with ${owned}`);
      await movements.stop();
      movements.base.forget();
    }
  });
});
