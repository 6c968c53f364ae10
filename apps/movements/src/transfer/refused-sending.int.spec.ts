import { eventually } from '@ponte/testing';
import { OTHER } from '../testing/certificates-under-test';
import { TransfersUnderTest } from '../testing/transfers-under-test';

const service = TransfersUnderTest.forEachTest();

describe('A token transfer that is refused after its sending has started', () => {
  it('fails once, releases its hold and is never sent', async () => {
    service.fund(1);
    // The receiver is closed between the check of the target and the request of the movement.
    jest
      .spyOn(service.movements.statuses, 'get')
      .mockImplementation((accountId) =>
        accountId === OTHER && service.movements.ofType('TransferSendingStarted').length > 0 ? 'closed' : 'active',
      );
    const { id } = await service.send(service.request());
    await expect(service.ended(id)).resolves.toMatchObject({
      state: 'failed',
      failure: { code: 'invalid-address' },
      txHash: null,
    });
    await eventually(() => expect(service.movements.holds.size).toBe(0));
    expect(service.movements.ofType('TransferFailed')).toHaveLength(1);
    expect(service.movements.ofType('TransactionIntended')).toEqual([]);
  });
});
