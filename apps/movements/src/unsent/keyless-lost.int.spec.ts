import 'reflect-metadata';
import { NoncesAllocated } from '@ponte/contracts';
import { eventId } from '@ponte/event-sourcing';
import { eventually } from '@ponte/testing';
import { SimulatedSigner } from '../signer/adapters/simulated.keystore.adapter';
import { signerKeyId } from '../signer-key/signer-key.decider';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import type { MovementsUnderTest, Setup } from '../testing/movements-under-test';
import { signer } from '../testing/movements-under-test';
import { DEEP, robbed } from '../testing/reorged-mints';

const CHAIN = 'eth-base';
const BY = { actor: 'ana', reason: 'keystore and backups burned' } as const;
const KEPT: Setup = { ...DEEP, forget: false };
const tests = movementsForEachTest();
const another = new SimulatedSigner('another');
const lostCount = (movements: MovementsUnderTest) => movements.gauge('ponte_transactions_lost_total', { chain: CHAIN });

/** A mint that was completed and is lost. */
async function lost(): Promise<MovementsUnderTest> {
  const movements = await tests.open(KEPT).start();
  await robbed(movements);
  movements.base.mine(12);
  await eventually(() => expect(movements.types()).toContain('TransactionLost'));
  return movements;
}

/** As {@link lost}. The key never uses the nonce after it. */
async function lostBeforeGap(): Promise<MovementsUnderTest> {
  const movements = await lost();
  await movements.stop();
  const address = await signer.addressOf('operator');
  const { type, data } = new NoncesAllocated({ chain: CHAIN, address, first: 2, transactionIds: [] });
  const meta = { commandId: 'skip', index: 0, count: 1, occurredAt: '2026-01-01T00:00:00.000Z', correlationId: 'skip' };
  const revision = movements.ofType('NoncesAllocated').length - 1;
  movements.log.append(`signerKey-${signerKeyId(CHAIN, address)}`, revision, [
    { id: eventId('skip', 0), type, version: 1, data, meta },
  ]);
  return movements.start();
}

/** Has it sent again. The process ends as soon as an event of the type is durable. */
async function restoring(before: MovementsUnderTest, type: string): Promise<void> {
  const [{ data } = { data: {} }] = before.ofType('TransactionLost');
  const { transactionId: transaction } = data as { transactionId: string };
  const { struck } = before.store.faults.next({
    kind: 'crash-after-append',
    match: (_, events) => events.some((event) => event.type === type),
  });
  await Promise.allSettled([before.operate('chain restore-lost', { chain: CHAIN, transaction })]);
  await struck;
  await before.stop();
}

it.each([
  ['unsigned', 'TransactionIntended', {}],
  ['signed', 'TransactionSigned', { signed: 'yes' }],
])(
  'the %s transaction of a lost key that restores another is counted once as lost when it is given up',
  async (_, type, more) => {
    const before = await lostBeforeGap();
    await restoring(before, type);
    const movements = await tests.open({ ...KEPT, beside: before, keys: another }).start();
    const address = await signer.addressOf('operator');
    const giveUp = () => movements.operate('chain give-up', { chain: CHAIN, address, confirm: 'yes', ...more }, BY);
    movements.base.setOperator(address, false);
    movements.base.mine(12);
    expect(await lostCount(movements)).toBe(0);
    await eventually(() => expect(giveUp()).resolves.toContain('lost; send it again'));
    expect(movements.ofType('TransactionLost')).toHaveLength(2);
    expect(await lostCount(movements)).toBe(1);
    await eventually(() => expect(giveUp()).rejects.toThrow('no unfinished transactions'));
    expect(await lostCount(movements)).toBe(1);
  },
);

it('a transaction that restores another is lost when the process ended after it withheld the nonce, and the key comes back', async () => {
  const before = await lostBeforeGap();
  await restoring(before, 'TransactionIntended');
  const movements = await tests.open({ ...KEPT, beside: before, keys: another }).start();
  const address = await signer.addressOf('operator');
  const { struck } = movements.store.faults.next({
    kind: 'crash-after-append',
    match: (_, events) => events.some(({ type }) => type === 'NoncesAllocated'),
  });
  await eventually(async () =>
    expect(
      await movements.gauge('ponte_operator_pending_transactions', { chain: CHAIN, operator: 'unknown' }),
    ).toBeGreaterThan(0),
  );
  await Promise.allSettled([movements.operate('chain give-up', { chain: CHAIN, address, confirm: 'yes' }, BY), struck]);
  await movements.stop();
  await before.start();
  await eventually(() => expect(before.ofType('TransactionLost')).toHaveLength(2));
  expect(before.ofType('TransactionLost')[1]?.data).toMatchObject({
    reason: 'key-unavailable',
    statement: { actor: 'movements' },
  });
  expect(await lostCount(before)).toBe(1);
  const [first] = before.ofType('TransactionLost').map(({ data }) => data as { transactionId: string });
  await before.operate('chain restore-lost', { chain: CHAIN, transaction: first?.transactionId ?? '' });
  await eventually(() => expect(before.ofType('TransactionIntended')).toHaveLength(3));
});

it('the nonce of one that was given up unsigned is a gap, which is filled once the key is back', async () => {
  const before = await lost();
  await restoring(before, 'NoncesAllocated');
  const movements = await tests.open({ ...KEPT, beside: before, keys: another }).start();
  const address = await signer.addressOf('operator');
  await eventually(() =>
    expect(movements.operate('chain give-up', { chain: CHAIN, address, confirm: 'yes' }, BY)).resolves.toContain(
      'lost',
    ),
  );
  await movements.stop();
  await before.start();
  await before.mint('behind');
  await eventually(() => expect(before.ofType('TransactionSigned')).toHaveLength(2));
  await expect(before.operate('chain fill-nonce-gap', { chain: CHAIN })).resolves.toContain('sent 1');
  await eventually(async () => {
    before.base.mine();
    expect(await before.mintOf('behind')).toMatchObject({ state: 'completed' });
  });
  expect(await before.gauge('ponte_nonce_gap', { chain: CHAIN, operator: 'operator' })).toBe(0);
});
