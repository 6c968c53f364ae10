import { randomUUID } from 'node:crypto';
import { forged, publish } from '../testing/cluster-engines';
import { OperationsUnderTest } from '../testing/operations-under-test';
import { CLUSTERED, itClustered, SUITE_MS } from '../testing/program';
import { until } from '../testing/waiting';

jest.setTimeout(SUITE_MS);

/** Runs the procedures of `docs/operations` on the built program: embedded, or with Kafka and PostgreSQL. */
describe('the procedures for readers of events', () => {
  let ops: OperationsUnderTest;
  beforeAll(async () => {
    ops = await OperationsUnderTest.start();
  });
  afterAll(() => ops.close());

  it('rebuild a damaged read model while the cluster trades', async () => {
    const before = await ops.shown();
    // The catch-up writes the rows of the newest events again, so it may undo the damage a moment later.
    await until(async () => {
      await ops.damage();
      expect(await ops.customer.api.get(ops.customer.path('/orders'))).toEqual({ orders: [] });
    });
    const rebuilding = ops.admin('read-models', 'rebuild', '--all', '--reason', 'rows were lost');
    await ops.trade('10.00');
    expect(await rebuilding).toMatchObject({ code: 0, output: expect.stringContaining('orders-list') as string });
    const { orders, ...after } = await ops.shown();
    const ids = (list: unknown) => (list as { orders: { id: string }[] }).orders.map(({ id }) => id);
    expect(ids(orders).slice(1)).toEqual(ids(before.orders));
    expect(after).toMatchObject({ deposits: before.deposits, accounts: before.accounts, wallets: before.wallets });
    const readModels = await ops.json<{ name: string; trouble: string | null }>('read-models', 'list');
    expect(readModels.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['orders-list', 'ledger-trial-balance', 'webhook-deliveries', 'onboarding-accounts']),
    );
    expect(readModels.every(({ trouble }) => trouble === null)).toBe(true);
  });

  it('rewind a relay to the beginning without delivering a webhook twice', async () => {
    expect(new Set(ops.heard).size).toBe(ops.heard.length);
    const before = ops.heard.length;
    expect(await ops.admin('relay', 'rewind', 'webhook-outbox', '--to', 'start', '--reason', 'a gap')).toMatchObject({
      code: 0,
    });
    await ops.atHead('webhook-outbox');
    expect(ops.heard).toHaveLength(before);
    await ops.trade('5.00');
    expect(new Set(ops.heard).size).toBe(ops.heard.length);
    expect(await ops.json('actions', ...(CLUSTERED ? ['--service', 'webhooks'] : []))).toMatchObject([
      { verb: 'relay rewind', reason: 'a gap', ended: 'done' },
      { verb: 'read-models rebuild', ended: 'done' },
    ]);
    expect(
      await ops.admin('relay', 'rewind', 'onboarding-own-wallets', '--to', 'start', '--reason', 'a gap'),
    ).toMatchObject({ code: 0, output: expect.stringContaining('continues after the beginning') as string });
    await ops.atHead('onboarding-own-wallets');
    const [bankReader] = await ops.json<{ position: string }>('relay', 'show', 'ledger-received-pix');
    const keptAt = new Date(Date.parse(bankReader?.position ?? '') - 60_000).toISOString();
    expect(
      await ops.admin('relay', 'rewind', 'ledger-received-pix', '--to', keptAt, '--reason', 'a gap'),
    ).toMatchObject({
      code: 0,
      output: expect.stringContaining(`continues after ${keptAt}`) as string,
    });
    expect(
      await ops.admin('relay', 'rewind', 'ledger-received-pix', '--to', '2999-01-01T00:00:00Z', '--reason', 'a slip'),
    ).toMatchObject({ code: 1, output: expect.stringContaining('in the future') as string });
    // The next poll of the bank continues from there under a new grant.
    await until(async () =>
      expect(
        (await ops.json<{ relay: string; position: string; behind: null }>('relay', 'show', 'ledger-received-pix'))[0]
          ?.position,
      ).not.toBe(keptAt),
    );
    await ops.fund('1.00');
  });

  itClustered('rewind a relay to the brokers to the beginning without repeating any effect', async () => {
    const [before, reported] = [await ops.shown(), ops.heard.length];
    for (const relay of ['relay-orders', 'relay-ledger', 'relay-movements']) {
      expect(
        await ops.admin('relay', 'rewind', relay, '--to', 'start', '--reason', 'a topic was rebuilt'),
      ).toMatchObject({
        code: 0,
      });
      await ops.atHead(relay);
    }
    expect(ops.heard).toHaveLength(reported);
    await ops.trade('4.00');
    expect(new Set(ops.heard).size).toBe(ops.heard.length);
    const {
      orders: [newest, ...earlier],
    } = (await ops.shown()).orders as { orders: { state: string }[] };
    expect([newest?.state, earlier]).toEqual(['completed', (before.orders as { orders: unknown[] }).orders]);
    expect(await ops.json('parked', 'list', '--service', 'orders')).toEqual([]);
  });

  itClustered('find and release an event that was parked because no consumer could handle it', async () => {
    const {
      orders: [known],
    } = (await ops.shown()).orders as { orders: { id: string }[] };
    const [lost, strange] = [randomUUID(), randomUUID()].map((id) => `order-${id}`) as [string, string];
    const startOf = (orderId: string) => ({ orderId, accountId: ops.customer.accountId });
    // Revision 1 is missing. The event belongs to an order that has ended, so its release has no effect.
    const [first, third] = [
      forged(lost, 0, 'OrderAnnounced', {}),
      forged(lost, 2, 'OrderProcessingStarted', startOf(known?.id ?? '')),
    ];
    // An event version that only a newer release than its consumer would write.
    const poison = forged(strange, 0, 'OrderProcessingStarted', startOf(strange.slice('order-'.length)), 99);
    await publish(ops.folder, 'orders', [{ key: 'x', value: 'no event at all' }, first, third, poison]);
    await until(async () =>
      expect(
        (await ops.json<{ event: string }>('parked', 'list', '--service', 'orders')).map(({ event }) => event).sort(),
      ).toEqual([third.id, poison.id].sort()),
    );
    expect(await ops.json('parked', 'list')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          service: 'orders',
          key: lost,
          reason: expect.stringContaining('earlier events of its stream are missing') as string,
        }),
        expect.objectContaining({ service: 'orders', key: strange }),
      ]),
    );
    expect(await ops.admin('parked', 'show', third.id)).toMatchObject({
      code: 0,
      output: expect.stringContaining(known?.id ?? '') as string,
    });
    const letters = await ops.json<{ event: string }>('dead-letters', 'list', '--service', 'orders');
    expect(letters.map(({ event }) => event).sort()).toEqual(['', third.id, poison.id].sort());
    // Other keys do not wait.
    await ops.trade('3.00');
    expect(await ops.admin('parked', 'release', poison.id, '--service', 'orders', '--reason', 'to see')).toMatchObject({
      code: 1,
      output: expect.stringContaining('0 of 1 handled') as string,
    });
    expect(await ops.admin('dead-letters', 'replay', third.id, '--reason', 'not missed')).toMatchObject({
      code: 0,
      output: expect.stringContaining('1 handled in order') as string,
    });
    expect(await ops.admin('parked', 'release', lost, '--reason', 'not missed')).toMatchObject({
      code: 0,
      output: expect.stringContaining('released before') as string,
    });
    expect((await ops.json<{ key: string }>('parked', 'list', '--service', 'orders')).map(({ key }) => key)).toEqual([
      strange,
    ]);
    expect(await ops.json('actions', '--service', 'orders')).toMatchObject([
      { verb: 'parked release', ended: 'done' },
      { verb: 'parked release', ended: 'failed' },
      { verb: 'relay rewind' },
      { verb: 'read-models rebuild' },
    ]);
    const places = await ops.json<{ service: string; reader: string }>('checkpoints');
    expect(places.map(({ reader }) => reader)).toEqual(
      expect.arrayContaining(['relay-orders', 'relay-ledger', 'webhook-outbox', 'orders-list']),
    );
  });
});
