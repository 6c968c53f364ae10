import type { AccountRecord } from '@ponte/contracts';
import { derivedId, isoTime } from '@ponte/kernel';
import { eventually, freshId } from '@ponte/testing';
import { orderIdOf } from './order/order-ids.domain';
import { START } from './testing/cluster';
import { ACCOUNT } from './testing/fixtures';
import { cluster, useCluster } from './testing/cluster-for-each-test';

const SECOND = 1_000;

useCluster();

const brcode = { sourcePaymentMethod: 'brcode' } as const;

describe('an order by brcode', () => {
  it('waits for the Pix payment, then is minted and completed', async () => {
    const order = await cluster.place(cluster.quote(), brcode);
    expect(order).toMatchObject({
      state: 'created',
      brcode: expect.stringContaining('000201'),
      expiration: isoTime(START + 900 * SECOND),
    });
    expect(cluster.services.settlements.size).toBe(0);
    await cluster.services.pay(cluster.chargeOf(order.id));
    await cluster.settles(order.id);
    const { depositId } = await cluster.reaches(order.id, 'completed');
    expect(depositId).toBe(derivedId('deposit', cluster.chargeOf(order.id)));
    expect(cluster.services.balances.get(ACCOUNT)).toBe(1_000_00n);
    expect(cluster.services.openHolds()).toEqual([]);
  });

  it('of an account that was frozen in the meantime completes only after the release; nothing is signed before', async () => {
    const { id } = await cluster.place(cluster.quote(), brcode);
    const account = cluster.services.accounts.get(ACCOUNT) as AccountRecord;
    cluster.services.accounts.set(ACCOUNT, { ...account, status: 'frozen' });
    await cluster.services.pay(cluster.chargeOf(id));
    await cluster.reaches(id, 'processing');
    await eventually(async () => expect((await cluster.list({ state: 'processing' })).items).toHaveLength(1));
    // The sweep does not report it: an alert about orders without a settlement would hide those that need one.
    cluster.now += 301 * SECOND;
    await cluster.requestMissingMints();
    expect(cluster.services.settlements.size).toBe(0);
    expect(await cluster.shown('ponte_orders_without_settlement')).toBe(0);
    cluster.services.accounts.set(ACCOUNT, account);
    await cluster.services.release(ACCOUNT);
    await cluster.settles(id);
    await cluster.reaches(id, 'completed');
    expect(cluster.services.settlements.size).toBe(1);
  });

  it('of an account that was closed in the meantime returns its payment; nothing is signed', async () => {
    const { id } = await cluster.place(cluster.quote(), brcode);
    const account = cluster.services.accounts.get(ACCOUNT) as AccountRecord;
    cluster.services.accounts.set(ACCOUNT, { ...account, status: 'closed' });
    await cluster.services.pay(cluster.chargeOf(id));
    expect((await cluster.reaches(id, 'rolled-back')).failure).toMatchObject({ code: 'account-not-active' });
    expect(cluster.services.returned).toEqual([cluster.chargeOf(id)]);
    expect(cluster.services.settlements.size).toBe(0);
  });

  it('whose settlement was sent before its account was closed completes', async () => {
    const { id } = await cluster.place(cluster.quote(), brcode);
    await cluster.services.pay(cluster.chargeOf(id));
    await eventually(() => expect(cluster.settlementOf(id)).toBeDefined());
    const account = cluster.services.accounts.get(ACCOUNT) as AccountRecord;
    cluster.services.accounts.set(ACCOUNT, { ...account, status: 'closed' });
    await cluster.services.release(ACCOUNT);
    await cluster.settles(id);
    await cluster.reaches(id, 'completed');
    expect(cluster.services.returned).toEqual([]);
  });

  it('can be paid in the millisecond of its expiration, and is closed and rolled back afterwards', async () => {
    const { id } = await cluster.place(cluster.quote(), brcode);
    cluster.now = START + 900 * SECOND;
    await cluster.expire();
    expect((await cluster.get(id))?.state).toBe('created');
    cluster.now += 1;
    await cluster.expire();
    expect((await cluster.get(id))?.failure).toMatchObject({ code: 'brcode-expired' });
    expect((await cluster.list({ state: 'rolled-back' })).items).toHaveLength(1);
    await cluster.expire();
    expect(await cluster.facts(id)).toEqual(['OrderPlaced', 'OrderRolledBack']);
  });

  it("is rolled back by the service's own timer, which stops with the process", async () => {
    const { id } = await cluster.place(cluster.quote(), brcode);
    cluster.now = START + 900 * SECOND + 1;
    cluster.running[0]?.engines.timers.start();
    expect((await cluster.reaches(id, 'rolled-back')).failure).toMatchObject({
      code: 'brcode-expired',
      retryable: true,
    });
    await cluster.running[0]?.engines.timers.stop();
  });

  // Reliability C1.
  it('is completed by a payment that settled in time and was reported late', async () => {
    const { id } = await cluster.place(cluster.quote(), brcode);
    await cluster.services.pay(cluster.chargeOf(id), false);
    cluster.now = START + 3_600 * SECOND;
    await cluster.expire();
    await cluster.settles(id);
    await cluster.reaches(id, 'completed');
  });

  it.each(['paid-late', 'amount-mismatch', 'payer-tax-id-mismatch'] as const)(
    'is rolled back when its payment fails as %s',
    async (reason) => {
      const { id } = await cluster.place(cluster.quote(), brcode);
      await cluster.services.mispay(cluster.chargeOf(id), reason);
      expect(await cluster.reaches(id, 'rolled-back')).toMatchObject({
        failure: { code: reason },
        depositId: derivedId('deposit', cluster.chargeOf(id)),
      });
      expect(cluster.services.settlements.size).toBe(0);
    },
  );

  it('returns its payment when the mint fails', async () => {
    const { id } = await cluster.place(cluster.quote(), brcode);
    await cluster.services.pay(cluster.chargeOf(id));
    await cluster.services.revert(await eventually(() => cluster.settlementOf(id)));
    await cluster.reaches(id, 'rolled-back');
    expect(cluster.services.returned).toEqual([cluster.chargeOf(id)]);
    expect(cluster.services.balances.get(ACCOUNT)).toBe(1_000_00n);
  });

  it('returns a payment that arrives after the order was rolled back', async () => {
    const { id } = await cluster.place(cluster.quote(), brcode);
    await cluster.services.mispay(cluster.chargeOf(id), 'amount-mismatch');
    await cluster.reaches(id, 'rolled-back');
    await cluster.services.pay(cluster.chargeOf(id));
    await eventually(() => expect(cluster.services.returned).toEqual([cluster.chargeOf(id)]));
    expect(await cluster.facts(id)).toEqual(['OrderPlaced', 'OrderRolledBack']);
  });

  it('returns a payment that no order needs: of a refused acceptance, or of an order that was never placed', async () => {
    const quoteId = cluster.quote();
    const { id } = await cluster.place(quoteId, brcode);
    const open = cluster.services.charges.get(cluster.chargeOf(id));
    if (!open) throw new Error('no charge');
    for (const orderId of [id, orderIdOf('never placed')]) {
      const txid = freshId();
      cluster.services.charges.set(txid, { ...open, txid, orderId });
      await cluster.services.pay(txid);
      await eventually(() => expect(cluster.services.returned).toContain(txid));
    }
    expect((await cluster.get(id))?.state).toBe('created');
    expect(await cluster.facts(orderIdOf('never placed'))).toEqual(['AcceptanceAbandoned']);
  });
});
