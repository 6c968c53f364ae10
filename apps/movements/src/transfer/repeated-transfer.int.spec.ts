import { Unavailable } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { uuid } from '../testing/certificates-under-test';
import { codeOf } from '../testing/simulated-chains';
import { TransfersUnderTest } from '../testing/transfers-under-test';

const service = TransfersUnderTest.forEachTest();

describe('a token transfer', () => {
  it('keeps its external id and its hold when its key is used again with another body', async () => {
    const first = service.request({ externalId: 'invoice-1' });
    const transfer = await eventually(() => service.send(first));
    expect(await codeOf(service.send({ ...first, amount: '2', bodyHash: 'other' }))).toBe('idempotency-key-reused');
    expect(service.movements.ofType('MovementExternalIdReleased')).toEqual([]);
    expect(service.movements.ofType('TransferAbandoned')).toEqual([]);
    expect(await codeOf(service.send({ ...first, transferId: uuid() }))).toBe('external-id-already-used');
    await expect(service.send(first)).resolves.toEqual(transfer);
  });

  it('shows the hash of the bytes that are sent, even after its fees were raised', async () => {
    const payload = service.request();
    service.fund(1);
    service.chains.base.script(...Array.from({ length: 50 }, () => ({ kind: 'delay', blocks: 1_000 }) as const));
    await eventually(() => service.send(payload));
    await eventually(() => {
      // Fees are raised only while the chain mines blocks.
      service.chains.base.mine();
      expect(service.movements.ofType('TransactionFeeRaised').length).toBeGreaterThan(0);
    });
    const shown = () => service.find(payload.transferId);
    await eventually(async () => {
      const raised = service.movements.ofType('TransactionFeeRaised').at(-1)?.data as { txHash: string };
      expect(await shown()).toMatchObject({ state: 'pending', txHash: raised.txHash });
    });
    const [signed] = service.movements.ofType('TransactionSigned');
    expect((await shown())?.txHash).not.toBe((signed?.data as { txHash: string }).txHash);
  });

  it('holds the amount of the request that follows an interrupted one under the same key, and releases the first hold', async () => {
    const { movements } = service;
    const first = service.request({ bodyHash: 'first' });
    movements.store.faults.next({ kind: 'refuse', match: (_, [event]) => event?.type === 'TransferCreated' });
    await expect(service.send(first)).rejects.toBeInstanceOf(Unavailable);
    const [held = ''] = movements.holds;
    expect(movements.heldAmounts.get(held)).toBe('1');

    await service.send({ ...first, amount: '2', bodyHash: 'second' });
    const [created, ...others] = movements.ofType('TransferCreated').map(({ data }) => data as { holdId: string });
    expect(others).toEqual([]);
    expect(created).toMatchObject({ amount: '2.000000000000000000', bodyHash: 'second' });
    expect(movements.heldAmounts.get(created?.holdId ?? '')).toBe('2');
    expect(movements.holds.has(held)).toBe(false);
    expect(movements.ofType('TransferAbandoned')).toMatchObject([{ data: { holdId: held } }]);
  });
});
