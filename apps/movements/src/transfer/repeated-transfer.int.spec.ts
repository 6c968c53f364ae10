import { eventually } from '@ponte/testing';
import { uuid } from '../testing/certificate-world';
import { codeOf } from '../testing/simulated-chains';
import { TransferWorld } from '../testing/transfer-world';

const world = TransferWorld.forEachTest();

describe('a token transfer', () => {
  it('keeps its external id and its hold when its key is used again with another body', async () => {
    const first = world.request({ externalId: 'invoice-1' });
    const transfer = await eventually(() => world.send(first));
    expect(await codeOf(world.send({ ...first, amount: '2', bodyHash: 'other' }))).toBe('idempotency-key-reused');
    expect(world.movements.ofType('MovementExternalIdReleased')).toEqual([]);
    expect(world.movements.ofType('TransferAbandoned')).toEqual([]);
    expect(await codeOf(world.send({ ...first, transferId: uuid() }))).toBe('external-id-already-used');
    await expect(world.send(first)).resolves.toEqual(transfer);
  });

  it('shows the hash of the bytes that go out, also after its fees were raised', async () => {
    const payload = world.request();
    world.endow(1);
    world.chains.base.script(...Array.from({ length: 50 }, () => ({ kind: 'delay', blocks: 1_000 }) as const));
    await eventually(() => world.send(payload));
    await eventually(() => expect(world.movements.ofType('TransactionFeeRaised').length).toBeGreaterThan(0));
    const shown = () => world.find(payload.transferId);
    await eventually(async () => {
      const raised = world.movements.ofType('TransactionFeeRaised').at(-1)?.data as { txHash: string };
      expect(await shown()).toMatchObject({ state: 'pending', txHash: raised.txHash });
    });
    const [signed] = world.movements.ofType('TransactionSigned');
    expect((await shown())?.txHash).not.toBe((signed?.data as { txHash: string }).txHash);
  });
});
