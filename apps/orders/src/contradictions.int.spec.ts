import { eventually } from '@ponte/testing';
import { SettleChargeCommand } from './funding/settle-charge.command';
import { FailOrderCommand } from './order/fail-order.command';
import { NOT_SETTLED } from './order/order-failures.domain';
import { cluster, useCluster } from './testing/cluster-for-each-test';
import { ACCOUNT } from './testing/fixtures';

useCluster();

const METHODS = ['account-balance', 'brcode'] as const;
const placed = async (sourcePaymentMethod: (typeof METHODS)[number]) => {
  const { id } = await cluster.place(cluster.quote(), { sourcePaymentMethod });
  if (sourcePaymentMethod === 'brcode') await cluster.services.pay(cluster.chargeOf(id));
  await eventually(() => expect(cluster.settlementOf(id)).toBeDefined());
  return id;
};

describe('A contradiction about an order fails, so that its event is parked for an operator', () => {
  it.each([{ state: 'closed' }, { state: 'mispaid', depositId: 'deposit', reason: 'paid-late' }] as const)(
    'if its charge was paid, and is then $state',
    async (outcome) => {
      const id = await placed('brcode');
      const charge = { orderId: id, accountId: ACCOUNT, txid: cluster.chargeOf(id), outcome };
      await expect(cluster.run((one) => new SettleChargeCommand(charge, one))).rejects.toThrow(
        `was not paid, but its order ${id} is processing`,
      );
      await cluster.settles(id);
      await cluster.reaches(id, 'completed');
    },
  );

  it.each(METHODS)('if its settlement was confirmed, and then fails: nothing is given back (%s)', async (method) => {
    const id = await placed(method);
    await cluster.settles(id);
    await cluster.reaches(id, 'completed');
    const requested: string[] = [];
    cluster.services.before = (pattern) => void requested.push(pattern);
    const fail = cluster.run((one) => new FailOrderCommand({ orderId: id, failure: NOT_SETTLED }, one));
    await expect(fail).rejects.toThrow(`the settlement of order ${id} failed, but it was confirmed before`);
    expect(requested).toEqual([]);
    expect(await cluster.get(id)).toMatchObject({ state: 'completed' });
  });
});
