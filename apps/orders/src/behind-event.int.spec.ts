import type { Recorded } from '@ponte/event-sourcing';
import { isoTime, Unavailable } from '@ponte/kernel';
import type { Policies } from '@ponte/nest';
import { policiesOf } from '@ponte/nest';
import { MemoryEventStore, eventually, freshId } from '@ponte/testing';
import type { OldOrder } from './order/orders.read-model';
import { OrderReadModel } from './order/orders.read-model';
import type { Tools } from './testing/cluster';
import { Cluster } from './testing/cluster';

const tools: Tools<MemoryEventStore> = {
  open: (soleWriter, before) => new MemoryEventStore({ soleWriter, log: before?.log }),
  eventually,
  freshId,
};
const MINT_RETRY = 301_000;
let cluster: Cluster<MemoryEventStore>;
beforeEach(async () => {
  cluster = new Cluster(tools);
  await cluster.boot();
});
afterEach(() => cluster.stop());

/** The outcome, per event type, of dispatching events to a process whose store lacks their orders. */
async function lagging(
  dispatch: (event: Recorded) => Promise<unknown>,
  events: readonly Recorded[],
): Promise<Map<string, unknown>> {
  const outcomes = new Map<string, unknown>();
  for (const event of events)
    outcomes.set(
      event.type,
      await dispatch(event).then(
        () => 'completed',
        (error: unknown) => error,
      ),
    );
  return outcomes;
}

describe('a policy whose order is behind its event', () => {
  it('fails with an error that has the event retried', async () => {
    const first = await cluster.place(cluster.quote());
    const second = await cluster.place(cluster.quote());
    await cluster.settles(first.id);
    await cluster.services.revert(await eventually(() => cluster.settlementOf(second.id)));
    await cluster.reaches(first.id, 'completed');
    await cluster.reaches(second.id, 'rolled-back');
    const events = cluster.store.log
      .slice(0, 1_000)
      .filter(({ type }) => ['OrderProcessingStarted', 'TransactionConfirmed', 'TransactionReverted'].includes(type));
    const late = new Cluster(tools);
    await late.boot();
    const policies = late.running[0]?.app.get<Policies>(policiesOf('orders'));
    const outcomes = await lagging(async (event) => policies?.dispatch(event), events);
    expect([...outcomes.keys()].sort()).toEqual([
      'OrderProcessingStarted',
      'TransactionConfirmed',
      'TransactionReverted',
    ]);
    for (const outcome of outcomes.values()) expect(outcome).toBeInstanceOf(Unavailable);
    await late.stop();
  });
});

describe('a processing order without a transaction', () => {
  it('has its mint requested again, once, after ORDERS_SETTLEMENT_RETRY_SECONDS', async () => {
    const { id } = await cluster.place(cluster.quote());
    const mint = await eventually(() => cluster.settlementOf(id));
    cluster.services.settlements.clear();
    await cluster.requestMissingMints();
    expect(cluster.services.settlements.size).toBe(0);
    cluster.now += MINT_RETRY;
    // Simulates that the first request was lost: movements does not know it.
    cluster.services.forget();
    await cluster.requestMissingMints();
    expect([...cluster.services.settlements.values()]).toEqual([mint]);
    expect(await cluster.shown('ponte_orders_without_settlement')).toBe(1);
    await cluster.requestMissingMints();
    expect(await cluster.shown('ponte_orders_without_settlement')).toBe(0);
    await cluster.settles(id);
    await cluster.reaches(id, 'completed');
  });

  it('is found page by page', async () => {
    for (let made = 0; made < 5; made += 1) await cluster.place(cluster.quote());
    const readModel = cluster.running[0]?.app.get(OrderReadModel);
    const found: OldOrder[] = [];
    for (
      let page = await readModel?.processing(isoTime(cluster.now), null, 2);
      page && page.length > 0;
      page = await readModel?.processing(isoTime(cluster.now), page.at(-1) ?? null, 2)
    )
      found.push(...page);
    expect(new Set(found.map(({ orderId }) => orderId)).size).toBe(5);
    expect(found).toHaveLength(5);
  });

  it('does not hold up the other orders when its request fails', async () => {
    const placed = [];
    cluster.services.balances.set('account-1', 1_000_000_00n);
    for (let made = 0; made < 3; made += 1) placed.push(await cluster.place(cluster.quote()));
    await eventually(() => expect(cluster.services.settlements.size).toBe(3));
    cluster.now += MINT_RETRY;
    cluster.services.settlements.clear();
    cluster.services.forget();
    let refused = 0;
    cluster.services.before = (pattern) => {
      if (!pattern.endsWith('request-settlement') || refused > 0) return;
      refused += 1;
      throw new Unavailable('service-unavailable');
    };
    await cluster.requestMissingMints();
    expect(cluster.services.settlements.size).toBe(2);
    await cluster.requestMissingMints();
    expect([...cluster.services.settlements.values()].map(({ orderId }) => orderId).sort()).toEqual(
      placed.map(({ id }) => id).sort(),
    );
  });
});
