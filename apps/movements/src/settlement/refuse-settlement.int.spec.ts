import 'reflect-metadata';
import type { RefusedReason } from '@ponte/contracts';
import { GetSettlement, NoncesAllocated, RefuseSettlement } from '@ponte/contracts';
import { eventId } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { SimulatedSigner } from '../signer/adapters/simulated.keystore.adapter';
import { signerKeyId } from '../signer-key/signer-key.decider';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import type { MovementsUnderTest } from '../testing/movements-under-test';
import { signer } from '../testing/movements-under-test';

const another = new SimulatedSigner('another');
const { open } = movementsForEachTest();
const CHAIN = 'eth-base';
/** More events than are read of a key's stream before its first unmined nonce. */
const FORGOTTEN = 1_100;

/** Other transactions of the key are allocated, signed and mined while movements does not run. */
async function overtaken({ log, base, ofType }: MovementsUnderTest): Promise<void> {
  const address = await signer.addressOf('operator');
  const stream = `signerKey-${signerKeyId(CHAIN, address)}`;
  const withheld = ofType('NoncesAllocated').length;
  for (let first = 0; first < FORGOTTEN; first += 1) {
    const { type, data } = new NoncesAllocated({ chain: CHAIN, address, first, transactionIds: [`other${first}`] });
    const [commandId, occurredAt] = [`other${first}`, '2026-01-01T00:00:00.000Z'];
    const meta = { commandId, index: 0, count: 1, occurredAt, correlationId: commandId };
    log.append(stream, withheld + first - 1, [{ id: eventId(commandId, 0), type, version: 1, data, meta }]);
  }
  jest.spyOn(base, 'nextNonce').mockResolvedValue(FORGOTTEN);
}

const refuse = async (movements: MovementsUnderTest, name: string, reason?: RefusedReason) => {
  const terms = { settlementId: derivedId('mint', name), kind: 'mint', asset: 'eth-base/brlv', reason } as const;
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

  it.each([
    ['the operator key was replaced', { keys: another, former: signer }],
    ['there are more operator keys', { operatorKeys: 4 }],
  ])('is never sent when a late request for it arrives after %s', async (_, later) => {
    const names = ['a', 'b', 'c', 'd'];
    const before = await open().start();
    for (const name of names) expect(await refuse(before, name)).toBe(true);
    await before.stop();
    const movements = await open({ beside: before, ...later }).start();
    for (const name of names) {
      await movements.mint(name);
      expect(await movements.ended(name)).toEqual({ state: 'failed', txHash: null });
      expect(await refuse(movements, name)).toBe(true);
    }
    expect(movements.types()).not.toContain('TransactionSigned');
    const [given] = movements.ofType('TransactionGivenUp');
    expect(given?.data).toMatchObject({ reason: 'account-not-active' });
  });

  it('names why in the end of its transaction', async () => {
    const other = open();
    await (await other.start()).diesAfter('TransactionIntended', 'intended');
    const movements = await open({ beside: other, keys: another }).start();
    expect(await refuse(movements, 'intended', 'payment-taken-back')).toBe(true);
    expect(await refuse(movements, 'intended')).toBe(true);
    const asked = { settlementId: derivedId('mint', 'intended'), kind: 'mint' } as const;
    expect(await movements.bus.request(GetSettlement, asked, movements.context())).toEqual({
      settlementId: asked.settlementId,
      state: 'failed',
      givenUp: 'payment-taken-back',
    });
    await movements.stop();
    expect(other.ofType('TransactionGivenUp').map(({ data }) => data)).toMatchObject([
      { reason: 'payment-taken-back' },
    ]);
  });

  it('is never sent when its transaction names a key that another process has', async () => {
    const other = open();
    await (await other.start()).diesAfter('TransactionIntended', 'intended');
    const movements = await open({ beside: other, keys: another }).start();
    expect(await refuse(movements, 'intended')).toBe(true);
    await movements.stop();
    await other.start();
    expect(await other.ended('intended')).toEqual({ state: 'failed', txHash: null });
    expect(other.types()).not.toContain('TransactionSigned');
    expect(other.ofType('TransactionGivenUp').map(({ data }) => data)).toMatchObject([
      { reason: 'account-not-active' },
    ]);
  });

  it.each([
    ['its nonce was withheld and forgotten', false],
    ['its nonce was withheld and forgotten, and the process ended before the refusal was complete', true],
  ])('is never sent after %s', async (_, crashes) => {
    const other = open();
    await (await other.start()).diesAfter('TransactionIntended', 'intended');
    const movements = await open({ beside: other, keys: another }).start();
    if (crashes) {
      const { struck } = movements.store.faults.next({
        kind: 'crash-after-append',
        match: (_category, events) => events.some(({ type }) => type === 'NoncesAllocated'),
      });
      await Promise.allSettled([refuse(movements, 'intended'), struck]);
      await movements.stop();
      expect(movements.types()).not.toContain('TransactionGivenUp');
      await movements.start();
    }
    expect(await refuse(movements, 'intended')).toBe(true);
    expect(await movements.mintOf('intended')).toEqual({ state: 'failed', txHash: null });
    await movements.stop();
    await overtaken(other);
    await other.start();
    await other.mint('next');
    await eventually(async () => expect(await other.mintOf('next')).toMatchObject({ state: 'pending' }));
    await other.rounds.pass();
    expect(other.ofType('TransactionSigned')).toHaveLength(1);
    expect(other.ofType('TransactionGivenUp')).toHaveLength(1);
    expect(await other.mintOf('intended')).toEqual({ state: 'failed', txHash: null });
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
