import { Unavailable } from '@ponte/kernel';
import type { Policies } from '@ponte/nest';
import { policiesOf } from '@ponte/nest';
import type { FaultKind } from '@ponte/testing';
import { eventually, freshId } from '@ponte/testing';
import { orderIdOf } from './order/order-ids.domain';
import { ACCOUNT } from './testing/fixtures';
import { cluster, shareLog, useCluster } from './testing/cluster-for-each-test';
useCluster();

const brcode = { sourcePaymentMethod: 'brcode' } as const;

describe('after a crash or a fault', () => {
  const KINDS: FaultKind[] = ['refuse', 'lose-reply', 'drop', 'crash-after-append'];
  const APPENDS = ['ExternalIdReserved', 'OrderPlaced', 'OrderProcessingStarted', 'OrderCompleted'];

  it.each(KINDS.flatMap((kind) => APPENDS.map((type) => [kind, type] as const)))(
    '%s at %s: the retried order ends once',
    async (kind, type) => {
      const quoteId = cluster.quote();
      const [orderId, commandId] = [orderIdOf(quoteId), freshId()];
      const { struck } = cluster.store.faults.next({
        kind,
        match: (_, events) => events.some((event) => event.type === type),
      });
      const crash = struck.then(async () => {
        if (kind === 'crash-after-append') await cluster.restart();
      });
      await cluster.placePersistently(quoteId, { externalId: 'ref-1' }, commandId);
      await cluster.settles(orderId);
      await cluster.reaches(orderId, 'completed');
      await crash;
      expect(await cluster.facts(orderId)).toEqual(['OrderPlaced', 'OrderProcessingStarted', 'OrderCompleted']);
      expect(cluster.services.openHolds()).toEqual([]);
      expect(cluster.services.balances.get(ACCOUNT)).toBe(990_00n);
      expect(cluster.services.tokens.get(ACCOUNT)).toEqual(['10.000000000000000000']);
    },
  );

  it.each(KINDS)('%s at OrderRolledBack: the money is returned once', async (kind) => {
    const { id } = await cluster.place(cluster.quote(), brcode);
    const { struck } = cluster.store.faults.next({
      kind,
      match: (_, events) => events.some((event) => event.type === 'OrderRolledBack'),
    });
    const crash = struck.then(async () => {
      if (kind === 'crash-after-append') await cluster.restart();
    });
    await cluster.services.pay(cluster.chargeOf(id));
    await cluster.services.revert(await eventually(() => cluster.settlementOf(id)));
    await crash;
    await cluster.reaches(id, 'rolled-back');
    expect(await cluster.facts(id)).toEqual(['OrderPlaced', 'OrderProcessingStarted', 'OrderRolledBack']);
    expect(cluster.services.returned).toEqual([cluster.chargeOf(id)]);
    expect(cluster.services.available(ACCOUNT)).toBe(1_000_00n);
  });

  it.each(KINDS)(
    '%s at OrderRolledBack: the money of an order that the treasury could not pay in time is returned once',
    async (kind) => {
      const { id } = await cluster.place(cluster.quote());
      const { struck } = cluster.store.faults.next({
        kind,
        match: (_, events) => events.some((event) => event.type === 'OrderRolledBack'),
      });
      const crash = struck.then(async () => {
        if (kind === 'crash-after-append') await cluster.restart();
      });
      await cluster.services.giveUp(await eventually(() => cluster.settlementOf(id)));
      await crash;
      expect(await cluster.reaches(id, 'rolled-back')).toMatchObject({
        failure: { code: 'liquidity-unavailable', retryable: true },
      });
      expect(await cluster.facts(id)).toEqual(['OrderPlaced', 'OrderProcessingStarted', 'OrderRolledBack']);
      expect(cluster.services.available(ACCOUNT)).toBe(1_000_00n);
      expect(cluster.services.openHolds()).toEqual([]);
    },
  );

  it('the money of an order above what one transaction may move is returned', async () => {
    const { id } = await cluster.place(cluster.quote());
    await cluster.services.giveUp(await eventually(() => cluster.settlementOf(id)), 'amount-above-maximum');
    expect(await cluster.reaches(id, 'rolled-back')).toMatchObject({
      failure: { code: 'amount-above-maximum', retryable: false },
    });
    expect(cluster.services.openHolds()).toEqual([]);
  });

  it.each(['before', 'after'] as const)(
    'when the ledger fails %s its work, nothing is placed and the retry finds the reserved funds',
    async (when) => {
      for (const method of [brcode, {}]) {
        const quoteId = cluster.quote();
        const commandId = freshId();
        let away = true;
        cluster.services[when] = (pattern) => {
          if (away && /place-hold|open-pix-charge/.test(pattern)) throw new Unavailable('rail-unavailable');
        };
        await expect(cluster.place(quoteId, method, commandId)).rejects.toMatchObject({ code: 'rail-unavailable' });
        expect(await cluster.facts(orderIdOf(quoteId))).toEqual([]);
        away = false;
        expect(await cluster.place(quoteId, method, commandId)).toMatchObject({ state: 'created' });
      }
      expect(cluster.services.holds.size).toBe(1);
      expect(cluster.services.charges.size).toBe(1);
    },
  );

  it('repeated events change nothing', async () => {
    const first = await cluster.place(cluster.quote());
    const second = await cluster.place(cluster.quote(), brcode);
    const third = await cluster.place(cluster.quote(), brcode);
    await cluster.services.pay(cluster.chargeOf(second.id));
    await cluster.services.mispay(cluster.chargeOf(third.id), 'amount-mismatch');
    for (const { id } of [first, second]) await cluster.settles(id);
    for (const { id } of [first, second]) await cluster.reaches(id, 'completed');
    await cluster.reaches(third.id, 'rolled-back');
    const log = cluster.store.log.slice(0, 1_000);
    const policies = cluster.running[0]?.app.get<Policies>(policiesOf('orders'));
    for (const event of log) await policies?.dispatch(event);
    expect(cluster.store.log.length).toBe(log.length);
    expect(cluster.services.tokens.get(ACCOUNT)).toHaveLength(2);
    expect(cluster.services.returned).toEqual([]);
  });
});

describe('two processes that share one log', () => {
  // The whole decision runs again on a conflict.
  it('place one order for 50 acceptances of one quote spread over both, and release every other hold', async () => {
    await shareLog();
    const other = await cluster.boot();
    const quoteId = cluster.quote();
    const attempts = await Promise.allSettled(
      Array.from({ length: 50 }, (_, at) => cluster.place(quoteId, {}, freshId(), at % 2 ? other : undefined)),
    );
    expect(attempts.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    expect(cluster.services.openHolds()).toHaveLength(1);
    await cluster.settles(orderIdOf(quoteId));
    await cluster.reaches(orderIdOf(quoteId), 'completed');
    expect(await cluster.facts(orderIdOf(quoteId))).toEqual([
      'OrderPlaced',
      'OrderProcessingStarted',
      'OrderCompleted',
    ]);
    expect(cluster.services.balances.get(ACCOUNT)).toBe(990_00n);
  });
});
