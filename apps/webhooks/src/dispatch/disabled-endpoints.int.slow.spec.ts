import 'reflect-metadata';
import { ListWebhookEndpoints, PingWebhookEndpoint } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { CHILD } from '../testing/fixtures';
import { context, WebhooksUnderTest } from '../testing/webhooks-under-test';
import { HOUR, orderIds, SendingUnderTest } from '../testing/sending-under-test';

describe('a webhook endpoint that always fails', () => {
  const sending = new SendingUnderTest();

  it('is disabled by a 410: no further attempt is made, no delivery is scheduled, and a ping is refused', async () => {
    sending.receiver.behaviours.set('/gone', { status: 410 });
    const endpointId = await sending.webhooks.endpoint(sending.receiver, '/gone', CHILD, ['order-created']);
    await sending.place(orderIds('gone', 1));
    const page = { limit: 50, cursor: null, createdFrom: null, createdTo: null };
    await eventually(async () => {
      const { items } = await sending.webhooks.engines.bus.request(
        ListWebhookEndpoints,
        { accountId: CHILD, page },
        context(),
      );
      expect(items).toMatchObject([{ id: endpointId, status: 'disabled', disabledReason: 'gone' }]);
    });
    sending.receiver.behaviours.clear();
    await sending.place(orderIds('gone-more', 1));
    WebhooksUnderTest.aheadMs += 24 * HOUR;
    await expect(
      sending.webhooks.engines.bus.request(PingWebhookEndpoint, { accountId: CHILD, endpointId }, context()),
    ).rejects.toMatchObject({ code: 'webhook-endpoint-disabled' });
    // An event for another endpoint that was scheduled later has arrived, and none was sent here before it.
    await sending.webhooks.endpoint(sending.receiver, '/other', CHILD, ['order-created']);
    await sending.place(orderIds('gone-last', 1));
    await eventually(() => {
      expect(sending.receiver.delivered('/other')).toHaveLength(1);
    });
    expect(sending.receiver.at('/gone')).toHaveLength(1);
  });

  it('is disabled after 120 h without a success, which its other endpoints are notified of; a success restarts the count', async () => {
    WebhooksUnderTest.stopTime();
    sending.receiver.behaviours.set('/down', { status: 503 });
    await sending.webhooks.endpoint(sending.receiver, '/down-witness', CHILD, ['webhook-endpoint-disabled']);
    const endpointId = await sending.webhooks.endpoint(sending.receiver, '/down', CHILD, ['order-created']);
    /** Waits until this many attempts are in the read model, before the test moves time on. */
    const failures = async (count: number) =>
      eventually(async () => {
        const rows = (await sending.webhooks.deliveries()).filter((row) => row.endpoint_id === endpointId);
        expect(rows.filter(({ state }) => state === 'delivering')).toEqual([]);
        expect(rows.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(count);
      });
    const disabled = async () =>
      (await sending.webhooks.engines.store.read(`webhookEndpoint-${CHILD}`)).filter(
        ({ type, data }) =>
          type === 'WebhookEndpointDisabled' && (data as { endpointId: string }).endpointId === endpointId,
      );
    await sending.place(orderIds('down-1', 1));
    await failures(1);
    WebhooksUnderTest.aheadMs += 119 * HOUR;
    sending.receiver.behaviours.clear();
    await failures(2);
    expect(sending.receiver.delivered('/down')).toHaveLength(1);
    sending.receiver.behaviours.set('/down', { status: 503 });
    await sending.place(orderIds('down-2', 1));
    await failures(3);
    for (let days = 1; days <= 5; days += 1) {
      WebhooksUnderTest.aheadMs += (119 / 5) * HOUR;
      await failures(3 + days);
    }
    expect(await disabled()).toEqual([]);
    WebhooksUnderTest.aheadMs += 2 * HOUR;
    await eventually(async () => {
      expect((await disabled())[0]?.data).toMatchObject({ reason: 'no-success' });
      expect(sending.receiver.delivered('/down-witness').map(({ body }) => body)).toMatchObject([
        {
          'event-type': 'webhook-endpoint-disabled',
          'resource-id': endpointId,
          payload: { 'webhook-endpoint-id': endpointId, 'account-id': CHILD, reason: 'no-success' },
        },
      ]);
    });
    const logged = await sending.webhooks.outbox(CHILD);
    expect(logged.filter((one) => JSON.stringify(one).includes('webhook-endpoint-disabled'))).not.toEqual([]);
  });
});
