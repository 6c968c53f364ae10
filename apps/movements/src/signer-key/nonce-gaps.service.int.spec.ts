import 'reflect-metadata';
import { NoncesAllocated } from '@ponte/contracts';
import { eventId } from '@ponte/event-sourcing';
import { eventually } from '@ponte/testing';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import type { MovementsUnderTest } from '../testing/movements-under-test';
import { signer } from '../testing/movements-under-test';
import { gapsIn } from './nonce-gaps.service';
import { signerKeyId } from './signer-key.decider';

const { open } = movementsForEachTest();

const CHAIN = 'eth-base';
const BASE = { chain: CHAIN, operator: 'operator' };

/** Appends an allocation after skipped nonces to the key's stream. */
async function skipTo(movements: MovementsUnderTest, first: number): Promise<void> {
  const address = await signer.addressOf('operator');
  const { type, data } = new NoncesAllocated({ chain: CHAIN, address, first, transactionIds: [] });
  const occurredAt = '2026-01-01T00:00:00.000Z';
  const meta = { commandId: 'skip', index: 0, count: 1, occurredAt, correlationId: 'skip' };
  movements.log.append(`signerKey-${signerKeyId(CHAIN, address)}`, -1, [
    { id: eventId('skip', 0), type, version: 1, data, meta },
  ]);
}

it('an operator fills the gap, and the transactions behind it complete', async () => {
  const movements = open();
  await skipTo(movements, 70);
  await movements.start();
  const fill = () => movements.operate('chain fill-nonce-gap', { chain: CHAIN });
  await expect(fill()).rejects.toThrow('no operator key has a nonce gap');
  await movements.mint('behind');
  await eventually(async () => {
    expect([movements.nonces(), await movements.gauge('ponte_nonce_gap', BASE)]).toEqual([[70], 70]);
  });
  await expect(fill()).resolves.toContain('6 are left');
  expect((await movements.mintOf('behind')).state).not.toBe('completed');
  await expect(fill()).resolves.toContain('0 are left');
  await expect(movements.ended('behind')).resolves.toMatchObject({ state: 'completed' });
  expect(await movements.gauge('ponte_nonce_gap', BASE)).toBe(0);
  await expect(fill()).rejects.toThrow('no operator key has a nonce gap');
});

it('a second attempt offers more than the first, which the node still has', async () => {
  const movements = open({ instant: false });
  await skipTo(movements, 1);
  await movements.start();
  await movements.mint('behind');
  await movements.broadcast('behind');
  const broadcast = jest.spyOn(movements.base, 'broadcast');
  const fees = await movements.base.feeQuote();
  const fill = () => movements.operate('chain fill-nonce-gap', { chain: CHAIN });
  await fill();
  jest.spyOn(movements.base, 'feeQuote').mockResolvedValue({ ...fees, maxFeePerGas: fees.maxFeePerGas + 1n });
  await expect(fill()).resolves.toContain('sent 0');
  await expect(Promise.all(broadcast.mock.results.map(({ value }) => value))).resolves.toContainEqual(
    expect.objectContaining({ reason: 'fee-too-low' }),
  );
  movements.base.mine();
  await expect(movements.ended('behind')).resolves.toMatchObject({ state: 'completed' });
});

it('an unsigned transaction that blocks its key is reported until it is signed', async () => {
  const setup = { limits: { 'eth-base/brlv': { transaction: '100', hour: '100' } } };
  const movements = await open(setup).start();
  const isUnsigned = () => movements.gauge('ponte_nonce_unsigned', BASE);
  expect(await isUnsigned()).toBe(0);
  await movements.diesAfter('NoncesAllocated', 'unsigned');
  setup.limits = { 'eth-base/brlv': { transaction: '1', hour: '100' } };
  await movements.start();
  await movements.mint('behind', { amount: '0.5' });
  await eventually(() => expect(movements.ofType('TransactionSigned')).toHaveLength(1));
  expect([await isUnsigned(), await movements.gauge('ponte_nonce_gap', BASE)]).toEqual([1, 0]);
  await movements.stop();
  setup.limits = { 'eth-base/brlv': { transaction: '100', hour: '100' } };
  await movements.start();
  await movements.ended('behind');
  expect(await isUnsigned()).toBe(0);
});

it('the nonce of a transaction is never part of a gap, whether it is signed or not', () => {
  const allocated = (first: number, count: number) => ({ first, transactionIds: Array<string>(count).fill('t') });
  expect(gapsIn([], 5)).toEqual([]);
  expect(gapsIn([allocated(0, 3), allocated(3, 2)], 1)).toEqual([]);
  expect(gapsIn([allocated(0, 3), allocated(3, 0), allocated(5, 1), allocated(8, 2)], 2)).toEqual([3, 4, 6, 7]);
  expect(gapsIn([allocated(0, 3), allocated(5, 1)], 4)).toEqual([4]);
  expect(gapsIn([allocated(7, 1)], 7)).toEqual([]);
});
