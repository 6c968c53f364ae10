import { eventually } from '@ponte/testing';
import { cluster, useCluster } from '../testing/cluster-for-each-test';
import { ACCOUNT } from '../testing/fixtures';
import { WhenTransactionConfirmedSettleOrder } from './when-transaction-confirmed-settle-order.policy';
import { WhenTransactionFailedFailOrder } from './when-transaction-failed-fail-order.policy';

useCluster();

/** Time passes, and the sweep runs. Resolves to the number of orders that lacked something. */
const later = async (minutes: number) => {
  cluster.now += minutes * 60_000;
  await cluster.requestMissingMints();
  return cluster.shown('ponte_orders_without_settlement');
};
/** Withholds the next event from the policy. */
const withhold = (policy: typeof WhenTransactionConfirmedSettleOrder | typeof WhenTransactionFailedFailOrder) => {
  const handler = cluster.running[0]?.app.get<{ handle: (event: unknown) => Promise<void> }>(policy);
  if (!handler) throw new Error('no process runs');
  const lost = jest.spyOn(handler, 'handle').mockResolvedValueOnce(undefined);
  return () => eventually(() => expect(lost).toHaveBeenCalled());
};

describe('an order whose settlement has ended', () => {
  it('is completed by the sweep if the event was lost, once the event is five minutes old', async () => {
    const { id } = await cluster.place(cluster.quote());
    const isWithheld = withhold(WhenTransactionConfirmedSettleOrder);
    cluster.now += 6 * 60_000;
    await cluster.settles(id);
    await isWithheld();
    expect([await later(4), (await cluster.get(id))?.state]).toEqual([0, 'processing']);
    expect(await later(2)).toBe(1);
    const { settlementId } = cluster.settlementOf(id);
    expect(await cluster.reaches(id, 'completed')).toMatchObject({ txHash: `0x${settlementId}` });
    expect(await later(30)).toBe(0);
  });

  it('is rolled back by the sweep if the event of its failure was lost', async () => {
    const before = cluster.services.available(ACCOUNT);
    const { id } = await cluster.place(cluster.quote());
    const isWithheld = withhold(WhenTransactionFailedFailOrder);
    await cluster.services.revert(await eventually(() => cluster.settlementOf(id)));
    await isWithheld();
    expect(await later(6)).toBe(1);
    expect(await cluster.reaches(id, 'rolled-back')).toMatchObject({ failure: { code: 'settlement-failed' } });
    expect(cluster.services.available(ACCOUNT)).toBe(before);
  });
});
