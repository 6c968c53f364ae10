import 'reflect-metadata';
import { GetWebhookEndpoint, PingWebhookEndpoint, RotateWebhookSecret } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { addSeconds } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { Webhook } from 'standardwebhooks';
import { CHILD, PARTNER } from '../testing/fixtures';
import { context, WebhooksUnderTest } from '../testing/webhooks-under-test';
import { HOUR, orderIds } from '../testing/sending-under-test';
import { DeliveriesUnderTest } from '../testing/deliveries-under-test';

describe('changes of a webhook endpoint', () => {
  const deliveries = new DeliveriesUnderTest();

  it('include a rotation, after which both secrets sign for 24 hours and then only the new one', async () => {
    const endpointId = await deliveries.webhooks.endpoint(deliveries.receiver, '/rotated', CHILD, ['order-created']);
    const before = deliveries.receiver.secrets.get('/rotated') ?? '';
    const rotated = await deliveries.webhooks.engines.bus.request(
      RotateWebhookSecret,
      { accountId: CHILD, endpointId },
      context(),
    );
    const after = await deliveries.webhooks.engines.personalData.open(rotated?.secret as Sealed);
    expect(after).toMatch(/^whsec_/);
    expect(after).not.toBe(before);
    expect(rotated?.previousSecretUntil).toBe(
      addSeconds(deliveries.now(), 24 * 3_600).slice(0, 10) + rotated?.previousSecretUntil?.slice(10),
    );
    const verifiedBy = async (name: string): Promise<[boolean, boolean]> => {
      const count = deliveries.receiver.at('/rotated').length;
      await deliveries.place(orderIds(name, 1));
      const heard = await eventually(
        () => deliveries.receiver.at('/rotated')[count] ?? Promise.reject(new Error('not yet')),
      );
      const text = JSON.stringify(heard.body);
      const verifies = (secret: string) => {
        try {
          new Webhook(secret).verify(text, heard.headers as Record<string, string>);
          return true;
        } catch {
          return false;
        }
      };
      return [verifies(before), verifies(after)];
    };
    expect(await verifiedBy('rotated-1')).toEqual([true, true]);
    WebhooksUnderTest.aheadMs += 25 * HOUR;
    expect(await verifiedBy('rotated-2')).toEqual([false, true]);
    const endpoint = await deliveries.webhooks.engines.bus.request(
      GetWebhookEndpoint,
      { accountId: CHILD, endpointId },
      context(),
    );
    expect(endpoint?.previousSecretUntil).toBeNull();
  });

  it('include enabling it again, which delivers the missed events in the order of each resource and none twice', async () => {
    const endpointId = await deliveries.webhooks.endpoint(deliveries.receiver, '/missed');
    const [before = '', during = '', later = ''] = orderIds('missed', 3);
    await deliveries.place([before]);
    await eventually(() => expect(deliveries.receiver.delivered('/missed')).toHaveLength(3));
    expect(await deliveries.change(endpointId, { enabled: false })).toMatchObject({
      status: 'disabled',
      disabledReason: 'requested',
    });
    await deliveries.place([during, later]);
    await eventually(async () => {
      const logged = await deliveries.allEvents(CHILD);
      expect(logged.filter(({ envelope }) => [during, later].includes(envelope.resourceId))).toHaveLength(6);
    });
    expect(deliveries.receiver.at('/missed')).toHaveLength(3);
    expect(await deliveries.change(endpointId, { enabled: true, replayMissed: true })).toMatchObject({
      status: 'enabled',
    });
    await eventually(() => expect(deliveries.receiver.delivered('/missed')).toHaveLength(9), 20_000);
    for (const id of [during, later]) {
      const sequences = deliveries.receiver.delivered('/missed').filter(({ body }) => body['resource-id'] === id);
      expect(sequences.map(({ body }) => body['sequence'])).toEqual([1, 2, 3]);
    }
  });

  it.each(['order-created', 'webhook-ping'])(
    'include a new URL: a 410 of the former one that arrives later fails only its attempt (%s)',
    async (type) => {
      let move: () => void = () => undefined;
      const moved = new Promise<void>((resolve) => (move = resolve));
      const [former, url] = [`/former-${type}`, deliveries.receiver.url(`/new-${type}`)];
      deliveries.receiver.behaviours.set(former, { status: 410, after: moved });
      const endpointId = await deliveries.webhooks.endpoint(deliveries.receiver, former, CHILD, ['order-created']);
      const endpoint = { accountId: CHILD, endpointId };
      if (type === 'order-created') await deliveries.place(orderIds('moved', 1));
      else await deliveries.webhooks.engines.bus.request(PingWebhookEndpoint, endpoint, context());
      await eventually(() => expect(deliveries.receiver.at(former)).toHaveLength(1));
      await deliveries.change(endpointId, { url });
      move();
      await eventually(async () =>
        expect((await deliveries.listed(endpointId))[0]?.attempts[0]).toMatchObject({ httpStatus: 410 }),
      );
      WebhooksUnderTest.aheadMs += HOUR;
      await eventually(() => expect(deliveries.receiver.delivered(`/new-${type}`)).toHaveLength(1), 20_000);
      const found = await deliveries.webhooks.engines.bus.request(GetWebhookEndpoint, endpoint, context());
      expect(found?.status).toBe('enabled');
    },
  );

  it('include a disablement by a 410, which is published to the event log and to other endpoints, also of the parent', async () => {
    deliveries.receiver.behaviours.set('/gone', { status: 410 });
    const gone = await deliveries.webhooks.endpoint(deliveries.receiver, '/gone', CHILD, ['order-created']);
    await deliveries.webhooks.endpoint(deliveries.receiver, '/witness', CHILD, ['webhook-endpoint-disabled']);
    await deliveries.webhooks.endpoint(deliveries.receiver, '/parent', PARTNER, ['webhook-endpoint-disabled']);
    await deliveries.webhooks.engines.bus.request(
      PingWebhookEndpoint,
      { accountId: CHILD, endpointId: gone },
      context(),
    );
    await eventually(() => expect(deliveries.receiver.at('/gone')).toHaveLength(1));
    expect(deliveries.receiver.at('/gone')[0]?.body).toMatchObject({ 'resource-type': 'webhook-ping', sequence: 1 });
    const heard = await eventually(
      () => deliveries.receiver.delivered('/witness')[0] ?? Promise.reject(new Error('not yet')),
    );
    expect(heard.body).toMatchObject({
      'event-type': 'webhook-endpoint-disabled',
      'resource-type': 'webhook-endpoint',
      'resource-id': gone,
      // The ping before it is in no log, and its number is not missing there.
      sequence: 1,
      'previous-state': 'enabled',
      payload: { 'webhook-endpoint-id': gone, 'account-id': CHILD, reason: 'gone' },
    });
    const webhook = await eventually(
      () => deliveries.receiver.delivered('/parent')[0] ?? Promise.reject(new Error('not yet')),
    );
    expect(webhook.id).not.toBe(heard.id);
    expect({ ...webhook.body, 'event-id': heard.id }).toEqual(heard.body);
    await eventually(async () => {
      for (const [account, { id }] of [
        [CHILD, heard],
        [PARTNER, webhook],
      ] as const) {
        const logged = await deliveries.allEvents(account);
        expect(logged.filter(({ envelope }) => envelope.eventId === id)).toHaveLength(1);
      }
    });
    const payload = { accountId: CHILD, endpointId: gone };
    await expect(
      deliveries.webhooks.engines.bus.request(PingWebhookEndpoint, payload, context()),
    ).rejects.toMatchObject({
      code: 'webhook-endpoint-disabled',
    });
  });
});
