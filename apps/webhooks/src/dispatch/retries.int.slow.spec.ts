import 'reflect-metadata';
import { PingWebhookEndpoint } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { CHILD } from '../testing/fixtures';
import { context, WebhooksUnderTest } from '../testing/webhooks-under-test';
import { HOUR, orderIds, SendingUnderTest } from '../testing/sending-under-test';

describe('retries of webhooks', () => {
  const sending = new SendingUnderTest();

  it('follow every response other than 200, with the same id and on schedule', async () => {
    WebhooksUnderTest.stopTime();
    const bad = new Map<string, { status: number; headers?: Record<string, string> } | 'hang' | 'drop'>([
      ['/201', { status: 201 }],
      ['/500', { status: 500 }],
      ['/redirect', { status: 302, headers: { location: sending.receiver.url('/target') } }],
      ['/hang', 'hang'],
      ['/drop', 'drop'],
      ['/404', { status: 404 }],
    ]);
    for (const [path, behaviour] of bad) {
      sending.receiver.behaviours.set(path, behaviour);
      await sending.webhooks.endpoint(sending.receiver, path, CHILD, ['order-created']);
    }
    const [id = ''] = orderIds('bad', 1);
    await sending.place([id]);
    const waiting = await eventually(async () => {
      const rows = (await sending.webhooks.deliveries()).filter(
        ({ state, attempts, event_type }) => state === 'pending' && attempts === 1 && event_type === 'order-created',
      );
      expect(rows).toHaveLength(bad.size);
      return rows;
    });
    for (const { due_at: dueAt, updated_at: failedAt } of waiting) {
      const waits = Date.parse(dueAt ?? '') - Date.parse(failedAt);
      expect(waits).toBeGreaterThanOrEqual(9_000);
      expect(waits).toBeLessThanOrEqual(11_000);
    }
    expect(sending.receiver.at('/target')).toEqual([]);
    sending.receiver.behaviours.clear();
    WebhooksUnderTest.aheadMs += 12_000;
    await eventually(() => {
      for (const path of bad.keys())
        expect(sending.receiver.at(path).map((one) => one.id)).toEqual([
          sending.receiver.at(path)[0]?.id,
          sending.receiver.at(path)[0]?.id,
        ]);
    });
    expect(sending.receiver.heard.every(({ verified }) => verified)).toBe(true);
  });

  it('honour Retry-After', async () => {
    WebhooksUnderTest.stopTime();
    sending.receiver.behaviours.set('/busy', { status: 429, headers: { 'retry-after': '45' } });
    const endpointId = await sending.webhooks.endpoint(sending.receiver, '/busy', CHILD, ['order-created']);
    await sending.place(orderIds('busy', 1));
    await eventually(async () => {
      const row = (await sending.webhooks.deliveries()).find(
        (one) => one.endpoint_id === endpointId && one.state === 'pending' && one.attempts === 1,
      );
      expect(Date.parse(row?.due_at ?? '') - Date.parse(row?.updated_at ?? '')).toBe(45_000);
    });
    sending.receiver.behaviours.clear();
    WebhooksUnderTest.aheadMs += 46_000;
    await eventually(() => {
      expect(sending.receiver.delivered('/busy')).toHaveLength(1);
    });
  });

  it('apply to pings, which are in no outbox, and the next ping to the endpoint waits for the first', async () => {
    WebhooksUnderTest.stopTime();
    sending.receiver.behaviours.set('/pinged', { status: 500 });
    const endpointId = await sending.webhooks.endpoint(sending.receiver, '/pinged', CHILD, ['order-completed']);
    const ping = () =>
      sending.webhooks.engines.bus.request(PingWebhookEndpoint, { accountId: CHILD, endpointId }, context());
    const first = await ping();
    await eventually(async () => {
      expect((await sending.webhooks.deliveries()).find(({ event_id }) => event_id === first?.eventId)).toMatchObject({
        state: 'pending',
        attempts: 1,
      });
    });
    sending.receiver.behaviours.clear();
    const pings = [first, await ping(), await ping()].map((one) => one?.eventId);
    await eventually(async () => {
      const rows = (await sending.webhooks.deliveries()).filter(({ event_id }) => pings.slice(1).includes(event_id));
      expect(rows.map(({ state, attempts }) => [state, attempts])).toEqual([
        ['pending', 0],
        ['pending', 0],
      ]);
    });
    expect(sending.receiver.at('/pinged')).toHaveLength(1);
    WebhooksUnderTest.aheadMs += 20_000;
    await eventually(() => {
      expect(sending.receiver.delivered('/pinged').map(({ id }) => id)).toEqual(pings);
    });
    expect(sending.sequences('/pinged', endpointId)).toEqual([1, 2, 3]);
    expect((await sending.webhooks.outbox(CHILD)).filter(({ envelope }) => pings.includes(envelope.eventId))).toEqual(
      [],
    );
  });

  it('deliver every event after an outage of hours', async () => {
    sending.receiver.behaviours.set('/outage', 'drop');
    // An event that the outbox projector has not read yet may also be sent to an endpoint created now.
    await sending.published();
    await sending.webhooks.endpoint(sending.receiver, '/outage');
    await sending.published();
    const before = (await sending.webhooks.outbox(CHILD)).length;
    const ids = orderIds('outage', 40);
    await sending.place(ids);
    await eventually(async () => {
      expect(await sending.webhooks.outbox(CHILD)).toHaveLength(before + 120);
      expect(sending.receiver.at('/outage').length).toBeGreaterThanOrEqual(40);
    });
    for (let hours = 0; hours < 3; hours += 1) WebhooksUnderTest.aheadMs += HOUR;
    sending.receiver.behaviours.clear();
    for (let passed = 0; passed < 10 && sending.receiver.delivered('/outage').length < 120; passed += 1) {
      const have = sending.receiver.delivered('/outage').length;
      await eventually(() => {
        expect(sending.receiver.delivered('/outage').length).toBeGreaterThan(have);
      }).catch(() => undefined);
      WebhooksUnderTest.aheadMs += HOUR;
    }
    await eventually(() => {
      expect(new Set(sending.receiver.delivered('/outage').map(({ id }) => id)).size).toBe(120);
    });
    const emitted = (await sending.webhooks.outbox(CHILD)).slice(before).map(({ envelope }) => envelope.eventId);
    expect(new Set(sending.receiver.delivered('/outage').map(({ id }) => id))).toEqual(new Set(emitted));
  });
});
