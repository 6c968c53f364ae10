import 'reflect-metadata';
import {
  ChangeWebhookEndpoint,
  DeleteWebhookEndpoint,
  GetWebhookDelivery,
  GetWebhookEndpoint,
  ListWebhookDeliveries,
  PingWebhookEndpoint,
  ReplayWebhookDelivery,
  ReplayWebhookEvents,
  RotateWebhookSecret,
} from '@ponte/contracts';
import type { WebhookDeliveryRecord } from '@ponte/contracts';
import { addSeconds } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { CHILD, PARTNER } from '../testing/fixtures';
import { context, WebhooksUnderTest } from '../testing/webhooks-under-test';
import { orderIds } from '../testing/sending-under-test';
import { ANY, PAGE, DeliveriesUnderTest } from '../testing/deliveries-under-test';

describe('deliveries', () => {
  const deliveries = new DeliveriesUnderTest();

  it('are listed by state, event type, resource and time, in pages, with the response to each attempt', async () => {
    WebhooksUnderTest.stopTime();
    deliveries.receiver.behaviours.set('/listed', { status: 500 });
    const endpointId = await deliveries.webhooks.endpoint(deliveries.receiver, '/listed', CHILD, [
      'order-created',
      'order-completed',
    ]);
    const [one = '', two = ''] = orderIds('listed', 2);
    await deliveries.place([one, two]);
    await eventually(async () => expect(await deliveries.listed(endpointId)).toHaveLength(4));
    await eventually(async () => {
      const [first] = await deliveries.listed(endpointId, { resourceId: one, eventType: 'order-created' });
      expect(first).toMatchObject({ state: 'pending', resourceType: 'order', replayOf: null });
      expect(first?.attempts).toMatchObject([{ attempt: 1, outcome: 'http-status', httpStatus: 500 }]);
      expect(first?.attempts[0]?.latencyMs).toEqual(expect.any(Number));
      expect(await deliveries.webhooks.engines.personalData.open(first?.attempts[0]?.response ?? 'sealed:v1:')).toBe(
        'thank you',
      );
    });
    expect(await deliveries.listed(endpointId, { resourceId: two })).toHaveLength(2);
    expect(await deliveries.listed(endpointId, { eventType: 'order-completed' })).toHaveLength(2);
    expect(await deliveries.listed(endpointId, { resourceType: 'deposit' })).toEqual([]);
    expect(await deliveries.listed(endpointId, { state: 'succeeded' })).toEqual([]);
    expect(
      (
        await deliveries.list(
          endpointId,
          {},
          { createdTo: null, createdFrom: addSeconds(deliveries.now(), 60) as never },
        )
      )?.items,
    ).toEqual([]);
    const pages: WebhookDeliveryRecord[] = [];
    let cursor = null;
    for (let count = 0; count < 4; count += 1) {
      const page = await deliveries.list(endpointId, {}, { limit: 1, cursor });
      pages.push(...(page?.items ?? []));
      cursor = (page?.next ?? null) as null;
    }
    expect(cursor).toBeNull();
    expect(new Set(pages.map(({ id }) => id)).size).toBe(4);
    deliveries.receiver.behaviours.clear();
    WebhooksUnderTest.aheadMs += 70_000;
    await eventually(
      async () => expect(await deliveries.listed(endpointId, { state: 'succeeded' })).toHaveLength(4),
      20_000,
    );
  });

  it('are hidden from other accounts, as is their endpoint, which other accounts cannot change or replay either', async () => {
    const endpointId = await deliveries.webhooks.endpoint(deliveries.receiver, '/private', CHILD, ['order-created']);
    const [id = ''] = orderIds('private', 1);
    await deliveries.place([id]);
    const delivery = await eventually(async () => {
      const [found] = await deliveries.listed(endpointId);
      return found ?? Promise.reject(new Error('not yet'));
    });
    const { bus } = deliveries.webhooks.engines;
    const foreign = { accountId: PARTNER, endpointId };
    const other = { accountId: PARTNER, deliveryId: delivery.id };
    const changes = { url: null, eventTypes: null, description: 'mine', enabled: false, replayMissed: false };
    expect([
      await bus.request(GetWebhookEndpoint, foreign, context()),
      await bus.request(ChangeWebhookEndpoint, { ...foreign, ...changes }, context()),
      await bus.request(RotateWebhookSecret, foreign, context()),
      await bus.request(PingWebhookEndpoint, foreign, context()),
      await bus.request(ListWebhookDeliveries, { ...foreign, filters: ANY, page: PAGE }, context()),
      await bus.request(
        ReplayWebhookEvents,
        { ...foreign, from: deliveries.now(), to: deliveries.now(), eventTypes: null },
        context(),
      ),
      await bus.request(GetWebhookDelivery, other, context()),
      await bus.request(ReplayWebhookDelivery, other, context()),
    ]).toEqual(Array.from({ length: 8 }, () => null));
    expect(await bus.request(GetWebhookEndpoint, { accountId: CHILD, endpointId }, context())).toMatchObject({
      status: 'enabled',
      description: null,
    });
  });

  it('can be replayed once per command; a successful one gets a new delivery with the same webhook-id', async () => {
    const endpointId = await deliveries.webhooks.endpoint(deliveries.receiver, '/again', CHILD, ['order-created']);
    const [id = ''] = orderIds('again', 1);
    await deliveries.place([id]);
    const first = await eventually(
      async () =>
        (await deliveries.listed(endpointId, { state: 'succeeded' }))[0] ?? Promise.reject(new Error('not yet')),
    );
    const wanted = context();
    const replay = () =>
      deliveries.webhooks.engines.bus.request(
        ReplayWebhookDelivery,
        { accountId: CHILD, deliveryId: first.id },
        wanted,
      );
    const again = await replay();
    expect(await replay()).toMatchObject({ id: again?.id });
    expect(again).toMatchObject({ replayOf: first.id, eventId: first.eventId });
    await eventually(() =>
      expect(deliveries.receiver.delivered('/again').map((one) => one.id)).toEqual([first.eventId, first.eventId]),
    );
    expect(deliveries.receiver.delivered('/again').every(({ verified }) => verified)).toBe(true);
  });

  it('can be read but not replayed after their endpoint was deleted', async () => {
    const { bus } = deliveries.webhooks.engines;
    const endpointId = await deliveries.webhooks.endpoint(deliveries.receiver, '/deleted', CHILD, ['order-created']);
    await deliveries.place(orderIds('deleted', 1));
    const { id: deliveryId } = await eventually(
      async () => (await deliveries.listed(endpointId))[0] ?? Promise.reject(new Error('not yet')),
    );
    await bus.request(DeleteWebhookEndpoint, { accountId: CHILD, endpointId }, context());
    const known = { accountId: CHILD, deliveryId };
    expect(await bus.request(GetWebhookDelivery, known, context())).toMatchObject({ id: deliveryId });
    await expect(bus.request(ReplayWebhookDelivery, known, context())).rejects.toMatchObject({
      code: 'webhook-endpoint-not-found',
      message: 'the endpoint of the delivery was deleted',
    });
  });

  it('can be replayed for a time range and a set of event types', async () => {
    const endpointId = await deliveries.webhooks.endpoint(deliveries.receiver, '/range');
    const ids = orderIds('range', 5);
    const from = deliveries.now();
    await deliveries.place(ids);
    await eventually(() => expect(deliveries.receiver.delivered('/range')).toHaveLength(15));
    const to = deliveries.now();
    const payload = { accountId: CHILD, endpointId, from, to, eventTypes: ['order-completed' as const] };
    const replay = await deliveries.webhooks.engines.bus.request(ReplayWebhookEvents, payload, context());
    expect(replay).toMatchObject({ from, to, missedOnly: false });
    await eventually(() => expect(deliveries.receiver.delivered('/range')).toHaveLength(20), 20_000);
    const again = deliveries.receiver.delivered('/range').slice(15);
    expect(again.every(({ body }) => body['event-type'] === 'order-completed')).toBe(true);
    const whole = { ...payload, eventTypes: null };
    await deliveries.webhooks.engines.bus.request(ReplayWebhookEvents, whole, context());
    await eventually(() => expect(deliveries.receiver.delivered('/range')).toHaveLength(35), 20_000);
    for (const id of ids) {
      const third = deliveries.receiver
        .delivered('/range')
        .slice(20)
        .filter(({ body }) => body['resource-id'] === id);
      expect(third.map(({ body }) => body['sequence'])).toEqual([1, 2, 3]);
    }
    // Each message begins with a verb: the gateway puts the field before it.
    for (const [range, path, message] of [
      [{ from: addSeconds(deliveries.now(), -91 * 86_400) }, 'from', /^must be at or after .*: the log is kept for 90/],
      [{ from: addSeconds(to, 3_600), to: addSeconds(to, 7_200) }, 'from', /^must not be in the future$/],
      [{ to: addSeconds(from, -1) }, 'to', /^must not be before `from`$/],
    ] as const) {
      const violation = { code: 'invalid-format', path, message: expect.stringMatching(message) as string };
      await expect(
        deliveries.webhooks.engines.bus.request(ReplayWebhookEvents, { ...payload, ...range }, context()),
      ).rejects.toMatchObject({ violations: [violation] });
    }
  });
});
