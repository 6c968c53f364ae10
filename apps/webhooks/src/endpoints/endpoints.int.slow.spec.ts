import 'reflect-metadata';
import {
  ChangeWebhookEndpoint,
  CreateWebhookEndpoint,
  DeleteWebhookEndpoint,
  ListWebhookEndpoints,
  PingWebhookEndpoint,
  RotateWebhookSecret,
} from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { CHILD, PARTNER } from '../testing/fixtures';
import { context, WebhooksUnderTest } from '../testing/webhooks-under-test';
import { HOUR, orderIds, SendingUnderTest } from '../testing/sending-under-test';

describe('webhook endpoints', () => {
  const sending = new SendingUnderTest();

  it('fail their pending deliveries after they are deleted, without sending anything', async () => {
    WebhooksUnderTest.stopTime();
    sending.receiver.behaviours.set('/deleted', { status: 500 });
    const endpointId = await sending.webhooks.endpoint(sending.receiver, '/deleted', CHILD, ['order-created']);
    await sending.place(orderIds('deleted', 1));
    const mine = async () => (await sending.webhooks.deliveries()).filter((row) => row.endpoint_id === endpointId);
    await eventually(async () => {
      expect(await mine()).toMatchObject([{ state: 'pending', attempts: 1 }]);
    });
    expect(
      await sending.webhooks.engines.bus.request(DeleteWebhookEndpoint, { accountId: CHILD, endpointId }, context()),
    ).toEqual({ deleted: true });
    WebhooksUnderTest.aheadMs += HOUR;
    await eventually(async () => {
      expect(await mine()).toMatchObject([{ state: 'failed', attempts: 2, due_at: null }]);
    });
    expect(sending.receiver.at('/deleted')).toHaveLength(1);
  });

  it('are shown by a repeated creation as created for a day, then as they are, and not after a deletion', async () => {
    const { bus } = sending.webhooks.engines;
    const endpointId = derivedId('repeated', '0');
    const wanted = { accountId: CHILD, endpointId, url: sending.receiver.url('/repeated'), eventTypes: null };
    const same = context();
    const repeat = () => bus.request(CreateWebhookEndpoint, wanted, same);
    const first = await repeat();
    const change = { accountId: CHILD, endpointId, url: null, description: 'changed', enabled: null };
    await bus.request(ChangeWebhookEndpoint, { ...change, eventTypes: null, replayMissed: false }, context());
    const rotated = await bus.request(RotateWebhookSecret, { accountId: CHILD, endpointId }, context());
    expect(await repeat()).toEqual(first);
    WebhooksUnderTest.aheadMs += 24 * HOUR;
    expect(await repeat()).toMatchObject({ id: first.id, description: 'changed', secret: rotated?.secret });
    await bus.request(DeleteWebhookEndpoint, { accountId: CHILD, endpointId }, context());
    await expect(repeat()).rejects.toMatchObject({ code: 'webhook-endpoint-not-found' });
  });

  it('are created once per command, at most ten per account, listed in pages newest first, and deleted once', async () => {
    const { bus } = sending.webhooks.engines;
    const url = sending.receiver.url('/crud');
    const same = context();
    const first = await bus.request(
      CreateWebhookEndpoint,
      { accountId: PARTNER, endpointId: derivedId('crud', '0'), url, eventTypes: null },
      same,
    );
    expect(await sending.webhooks.engines.personalData.open(first.secret)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(
      await bus.request(
        CreateWebhookEndpoint,
        { accountId: PARTNER, endpointId: derivedId('crud', 'other'), url, eventTypes: null },
        same,
      ),
    ).toEqual(first);
    const more = await Promise.allSettled(
      Array.from({ length: 12 }, (_, at) =>
        bus.request(
          CreateWebhookEndpoint,
          { accountId: PARTNER, endpointId: derivedId('crud', String(at + 1)), url, eventTypes: null },
          context(),
        ),
      ),
    );
    expect(more.filter(({ status }) => status === 'fulfilled')).toHaveLength(9);
    for (const one of more) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'limit-exceeded' });
    const page = { limit: 4, cursor: null, createdFrom: null, createdTo: null };
    const pages = [await bus.request(ListWebhookEndpoints, { accountId: PARTNER, page }, context())];
    for (let last = pages.at(-1); last?.next; last = pages.at(-1))
      pages.push(
        await bus.request(
          ListWebhookEndpoints,
          { accountId: PARTNER, page: { ...page, cursor: last.next } },
          context(),
        ),
      );
    const listed = pages.flatMap(({ items }) => items);
    expect(pages.map(({ items }) => items.length)).toEqual([4, 4, 2]);
    expect(new Set(listed.map(({ id }) => id)).size).toBe(10);
    const keys = listed.map(({ createdAt, id }) => createdAt + id);
    expect(keys).toEqual([...keys].sort().reverse());
    expect(JSON.stringify(listed)).not.toContain('whsec_');
    const gone = { accountId: PARTNER, endpointId: first.id };
    expect(await bus.request(DeleteWebhookEndpoint, gone, context())).toEqual({ deleted: true });
    expect(await bus.request(DeleteWebhookEndpoint, gone, context())).toEqual({ deleted: false });
    expect(await bus.request(PingWebhookEndpoint, gone, context())).toBeNull();
    expect(
      await bus.request(DeleteWebhookEndpoint, { accountId: CHILD, endpointId: listed[0]?.id ?? '' }, context()),
    ).toEqual({ deleted: false });
  });
});
