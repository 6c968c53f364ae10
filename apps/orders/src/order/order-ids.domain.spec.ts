import { deliveryHoldIdOf, newFundingId, orderIdOf, payoutIdOf, settlementIdOf } from './order-ids.domain';

const QUOTE = '0190a5e0-7c3b-7a1e-9f00-000000000001';
const NONE: ReadonlySet<string> = new Set();

describe('the ids that an order derives', () => {
  // A release that derived another id would place, settle or pay out the orders of the release before it again.
  it('are the same in every release', () => {
    const orderId = orderIdOf(QUOTE);
    expect([orderId, settlementIdOf(orderId), payoutIdOf(orderId), deliveryHoldIdOf(orderId)]).toEqual([
      '0190a5e0-7c3b-897f-b09b-3749d19cddd8',
      '0190a5e0-7c3b-8580-9730-dd5661a46264',
      '0190a5e0-7c3b-818e-a55e-14c170ff0b6d',
      '0190a5e0-7c3b-8a6e-9e91-3aacfe550e04',
    ]);
    const hold = newFundingId('account-balance', orderId, 'command-1', NONE);
    expect([hold, newFundingId('account-balance', orderId, 'command-1', new Set([hold]))]).toEqual([
      'd7299520-c269-8197-b59e-f3b5ba2caf95',
      'cebf9928-3678-823a-9be1-adbade35ea73',
    ]);
    expect(newFundingId('brcode', orderId, 'command-1', NONE)).toBe('173aa84096ee8408bd9a085523b1e976');
  });

  it('never reuse the id of an abandoned funding', () => {
    const abandoned = new Set<string>();
    for (let sweep = 0; sweep < 5; sweep += 1) {
      const id = newFundingId('brcode', 'order-1', 'command-1', abandoned);
      expect(abandoned).not.toContain(id);
      abandoned.add(id);
    }
  });
});
