import type { AccountRecord } from '@ponte/contracts';
import { Unavailable, addSeconds, isoTime } from '@ponte/kernel';
import { eventually, freshId } from '@ponte/testing';
import { orderIdOf } from '../order/order-ids.domain';
import { START } from '../testing/cluster';
import { ACCOUNT } from '../testing/fixtures';
import { cluster, useCluster } from '../testing/cluster-for-each-test';

useCluster();
beforeEach(() => {
  const account = cluster.services.accounts.get(ACCOUNT) as AccountRecord;
  cluster.services.accounts.set(ACCOUNT, { ...account, capabilities: ['pay-after-acceptance', 'rate-lock-1h'] });
});

const FX = { targetAsset: 'eth-base/usdc', rateLock: '24h', expiresAt: addSeconds(isoTime(START), 86_400) } as const;
const brcode = { sourcePaymentMethod: 'brcode' } as const;

/** An acceptance that opened its charge and then could not place its order. */
async function interrupted(over = {}) {
  const quoteId = cluster.quote(over);
  const commandId = freshId();
  cluster.store.faults.next({ kind: 'refuse', match: (_, events) => events[0]?.type === 'OrderPlaced' });
  const request = { ...brcode, externalId: 'ref-1' };
  const accept = () => cluster.place(quoteId, request, commandId);
  await expect(accept()).rejects.toBeInstanceOf(Unavailable);
  return { orderId: orderIdOf(quoteId), txid: cluster.chargeOf(orderIdOf(quoteId)), accept };
}
const after = (seconds: number) => {
  cluster.now = START + seconds * 1_000;
};
const chargeStates = () => [...cluster.services.charges.values()].map(({ outcome }) => outcome.state);

describe('A retried acceptance by brcode', () => {
  it.each([
    ['FX', FX, 241, 300],
    ['FX, after the first charge has ended', FX, 701, 300],
    ['same-currency', {}, 841, 900],
  ])('opens another charge if too little time is left to pay the first (%s)', async (_, over, delay, window) => {
    const { orderId, accept } = await interrupted(over);
    after(delay);
    expect(await accept()).toMatchObject({ state: 'created', expiration: isoTime(cluster.now + window * 1_000) });
    expect(chargeStates()).toEqual(['closed', 'open']);
    // The end of the first charge does not concern the order.
    expect(await cluster.facts(orderId)).toEqual(['AcceptanceAbandoned', 'OrderPlaced']);
    const second = [...cluster.services.charges.keys()][1] ?? '';
    await cluster.services.pay(second);
    expect((await cluster.reaches(orderId, 'processing')).externalId).toBe('ref-1');
  });

  it('keeps the first charge while a minute is left to pay it', async () => {
    const { accept } = await interrupted(FX);
    after(240);
    expect(await accept()).toMatchObject({ expiration: isoTime(START + 300_000) });
    expect(chargeStates()).toEqual(['open']);
  });

  it('returns a payment of the first charge, even if the bank does not close it', async () => {
    const { orderId, txid, accept } = await interrupted(FX);
    after(241);
    cluster.services.before = (pattern) => {
      if (pattern.endsWith('close-pix-charge')) throw new Unavailable('rail-unavailable');
    };
    await accept();
    expect(chargeStates()).toEqual(['open', 'open']);
    await cluster.services.pay(txid);
    await eventually(() => expect(cluster.services.returned).toEqual([txid]));
    expect((await cluster.get(orderId))?.state).toBe('created');
  });

  it('returns a payment of the first charge that was not reported yet', async () => {
    const { orderId, txid, accept } = await interrupted(FX);
    await cluster.services.pay(txid, false);
    after(241);
    await accept();
    expect(cluster.services.returned).toEqual([txid]);
    expect((await cluster.get(orderId))?.state).toBe('created');
  });
});
