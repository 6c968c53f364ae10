import { ListOpenHolds, ListOverdueCharges } from '@ponte/contracts';
import { Unavailable } from '@ponte/kernel';
import { eventually, freshId } from '@ponte/testing';
import { ReleaseFundsCommand } from './funding/release-funds.command';
import { orderIdOf } from './order/order-ids.domain';
import { ACCOUNT } from './testing/fixtures';
import { cluster, useCluster } from './testing/cluster-for-each-test';

const SECOND = 1_000;
const FORGOTTEN = 61 * SECOND;
useCluster();

/** The orders that the log reports as created. */
const created = (): string[] =>
  cluster.log
    .filter((line) => line.includes('"a resource was created"'))
    .map((line) => (JSON.parse(line) as { stream: string }).stream);

const brcode = { sourcePaymentMethod: 'brcode' } as const;

describe('after a crash or a fault', () => {
  it('a hold without its order is swept, and the quote can still be accepted, also by the same command', async () => {
    const quoteId = cluster.quote();
    const commandId = freshId();
    cluster.store.faults.next({
      kind: 'refuse',
      match: (_, events) => events.some((event) => event.type === 'OrderPlaced'),
    });
    await expect(cluster.place(quoteId, { externalId: 'ref-1' }, commandId)).rejects.toBeInstanceOf(Unavailable);
    expect(cluster.services.openHolds()).toHaveLength(1);
    await cluster.sweep();
    expect(cluster.services.openHolds()).toHaveLength(1);
    cluster.now += FORGOTTEN;
    cluster.store.faults.next({
      kind: 'refuse',
      match: (_, events) => events.some((event) => event.type === 'AcceptanceAbandoned'),
    });
    await cluster.sweep();
    // The metric alerts an operator to a hold that cannot be abandoned.
    expect([cluster.services.openHolds().length, await cluster.shown('ponte_holds_without_order')]).toEqual([1, 1]);
    cluster.store.faults.next({
      kind: 'lose-reply',
      match: (_, events) => events.some((event) => event.type === 'AcceptanceAbandoned'),
    });
    await cluster.sweep();
    expect(cluster.services.openHolds()).toEqual([]);
    await cluster.sweep();
    expect(await cluster.shown('ponte_holds_without_order')).toBe(0);
    await cluster.place(quoteId, { externalId: 'ref-1' }, commandId);
    expect(cluster.services.holds.size).toBe(2);
    expect(cluster.services.openHolds()).toHaveLength(1);
    cluster.now += FORGOTTEN;
    await cluster.sweep();
    expect(cluster.services.openHolds()).toHaveLength(1);
  });

  it('a hold stays if its order is placed after the sweep found no order', async () => {
    const { id } = await cluster.place(cluster.quote());
    const [{ holdId: fundingId } = { holdId: '' }] = cluster.services.openHolds();
    const hold = { orderId: id, accountId: ACCOUNT, kind: 'account-balance', fundingId } as const;
    expect(await cluster.run((one) => new ReleaseFundsCommand(hold, one))).toEqual({ owned: true });
    expect(cluster.services.openHolds()).toMatchObject([{ holdId: fundingId }]);
  });

  it('any number of holds that are too young to be forgotten costs a sweep one request, and no order is read', async () => {
    const { id } = await cluster.place(cluster.quote());
    const [young] = cluster.services.openHolds();
    cluster.services.listed = Array.from({ length: 3_000 }, (_, index) => ({
      ...young,
      holdId: `young-${index}`,
      owner: { kind: 'order' as const, id },
    })) as never;
    const requests: string[] = [];
    cluster.services.before = (pattern) => void requests.push(pattern);
    const read = jest.spyOn(cluster.store, 'read');
    await cluster.sweep();
    expect([requests, read.mock.calls]).toEqual([[ListOpenHolds.pattern, ListOverdueCharges.pattern], []]);
  });

  it('a forgotten hold is swept although a full page of older holds is needed', async () => {
    const quoteId = cluster.quote();
    const { id } = await cluster.place(quoteId);
    const needed = cluster.services.openHolds()[0];
    const hold = cluster.services.holds.get(needed?.holdId ?? '');
    if (!hold) throw new Error('there is no hold');
    // A full page of holds, all owned by the processing order.
    cluster.services.listed = Array.from({ length: 1_000 }, () => ({
      ...needed,
      owner: { kind: 'order' as const, id },
    })) as never;
    cluster.store.faults.next({
      kind: 'refuse',
      match: (_, events) => events.some((event) => event.type === 'OrderPlaced'),
    });
    cluster.now += 1;
    await expect(cluster.place(cluster.quote())).rejects.toBeInstanceOf(Unavailable);
    expect(cluster.services.openHolds()).toHaveLength(2);
    cluster.now += FORGOTTEN;
    // Each run looks at one page.
    for (const _ of [1, 2]) await cluster.sweep();
    expect(cluster.services.openHolds().map(({ holdId }) => holdId)).toEqual([needed?.holdId]);
  });

  it('a forgotten charge is closed although more than a page of older charges cannot be closed', async () => {
    const quoteId = cluster.quote();
    cluster.store.faults.next({
      kind: 'refuse',
      match: (_, events) => events.some((event) => event.type === 'OrderPlaced'),
    });
    await expect(cluster.place(quoteId, brcode)).rejects.toBeInstanceOf(Unavailable);
    const [forgotten] = cluster.services.charges.values();
    cluster.services.unclosable = Array.from({ length: 1_001 }, (_, index) => ({
      txid: `unclosable-${index}`,
      accountId: ACCOUNT,
      orderId: freshId(),
      amount: 1n,
      expiration: '2020-01-01T00:00:00.000Z',
      outcome: { state: 'open' },
    }));
    cluster.now += 901 * SECOND + FORGOTTEN;
    await cluster.sweep();
    expect(cluster.services.charges.get(forgotten?.txid ?? '')?.outcome.state).toBe('closed');
  });

  // The race that abandoning prevents: the process stalls between its hold and its append while the sweep runs.
  it('an acceptance whose hold was swept meanwhile takes another hold', async () => {
    const quoteId = cluster.quote();
    cluster.services.after = async (pattern) => {
      if (!pattern.endsWith('place-hold') || cluster.services.holds.size > 1) return;
      cluster.now += FORGOTTEN;
      await cluster.sweep();
    };
    const { id } = await cluster.place(quoteId);
    expect(await cluster.facts(id)).toEqual(expect.arrayContaining(['AcceptanceAbandoned', 'OrderPlaced']));
    expect(created()).toEqual([`order-${id}`]);
    expect([...cluster.services.holds.values()].map(({ state }) => state)).toEqual(['released', 'open']);
    await cluster.settles(id);
    await cluster.reaches(id, 'completed');
  });

  it('an acceptance whose charge was closed meanwhile opens another', async () => {
    const quoteId = cluster.quote();
    const commandId = freshId();
    cluster.store.faults.next({
      kind: 'refuse',
      match: (_, events) => events.some((event) => event.type === 'OrderPlaced'),
    });
    await expect(cluster.place(quoteId, brcode, commandId)).rejects.toBeInstanceOf(Unavailable);
    const [first] = cluster.services.charges.values();
    if (first) first.outcome = { state: 'closed' };
    const { id } = await cluster.place(quoteId, brcode, commandId);
    expect(await cluster.facts(id)).toEqual(['AcceptanceAbandoned', 'OrderPlaced']);
    expect([...cluster.services.charges.values()].map(({ outcome }) => outcome.state)).toEqual(['closed', 'open']);
  });

  it('a charge without its order is closed, and its payment is returned', async () => {
    for (const paid of [false, true]) {
      const quoteId = cluster.quote();
      cluster.store.faults.next({
        kind: 'refuse',
        match: (_, events) => events.some((event) => event.type === 'OrderPlaced'),
      });
      await expect(cluster.place(quoteId, brcode)).rejects.toBeInstanceOf(Unavailable);
      const txid = cluster.chargeOf(orderIdOf(quoteId));
      cluster.now += 901 * SECOND;
      if (paid) await cluster.services.pay(txid);
      await cluster.sweep();
      await eventually(() =>
        expect(
          cluster.services.charges.get(txid)?.outcome.state === 'closed' || cluster.services.returned.includes(txid),
        ).toBe(true),
      );
      expect(await cluster.facts(orderIdOf(quoteId))).toEqual(['AcceptanceAbandoned']);
      expect(created()).toEqual([]);
    }
  });
});
