import 'reflect-metadata';
import type { DeliveryEvent, OrderEvent } from '@ponte/contracts';
import { WebhookEndpointCreated } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { deliveryIdOf } from './deliveries.service';
import { OutboxProjector } from '../outbox/outbox-projector';
import { AT, CHILD } from '../testing/fixtures';
import { orderIds, SendingUnderTest } from '../testing/sending-under-test';

describe('webhooks, when something fails on our side', () => {
  const sending = new SendingUnderTest();

  it('are sent again with the same id after a crash, without losing an event or publishing one twice', async () => {
    sending.receiver.behaviours.set('/crash', 'hang');
    await sending.webhooks.endpoint(sending.receiver, '/crash');
    const ids = orderIds('crash', 5);
    await sending.published();
    const before = (await sending.webhooks.outbox(CHILD)).length;
    await sending.place(ids);
    await eventually(() => {
      expect(sending.receiver.at('/crash').length).toBeGreaterThanOrEqual(5);
    });
    await sending.webhooks.crash();
    const cut = sending.receiver.at('/crash').map(({ id }) => id);
    sending.receiver.behaviours.clear();
    await sending.restart();
    await eventually(() => {
      for (const id of ids) expect(new Set(sending.sequences('/crash', id))).toEqual(new Set([1, 2, 3]));
    });
    expect(sending.receiver.delivered('/crash').map(({ id }) => id)).toEqual(expect.arrayContaining(cut));
    await sending.published();
    const outbox = await sending.webhooks.outbox(CHILD);
    expect(outbox).toHaveLength(before + 15);
    expect(new Set(outbox.map(({ envelope }) => envelope.eventId)).size).toBe(outbox.length);
  });

  it('do not change when a slice of the log is processed again', async () => {
    const endpointId = await sending.webhooks.endpoint(sending.receiver, '/again');
    const [id = '', later = ''] = orderIds('again', 2);
    await sending.place([id]);
    await eventually(() => {
      expect(sending.sequences('/again', id)).toEqual([1, 2, 3]);
    });
    const entries = async () =>
      (await sending.webhooks.outbox(CHILD))
        .map(({ envelope }) => envelope.resourceId)
        .filter((one) => one === id || one === later);
    const events = (await sending.webhooks.engines.store.read(`order-${id}`)) as Recorded<OrderEvent>[];
    for (const seen of [events, events.slice(1)])
      await sending.webhooks.service
        .get(OutboxProjector)
        .apply({ events: seen, position: events.at(-1)?.position ?? '' });
    // The outboxes are written in order: once this one is written, a duplicate would be written too.
    await sending.place([later]);
    await eventually(async () => {
      expect(await entries()).toEqual([id, id, id, later, later, later]);
    });
    expect(sending.sequences('/again', id)).toEqual([1, 2, 3]);
    const facts = (await sending.webhooks.engines.store.read(
      `delivery-${deliveryIdOf(sending.receiver.at('/again')[0]?.id ?? '', endpointId)}`,
    )) as Recorded<DeliveryEvent>[];
    expect(facts.map(({ type, meta }) => [type, meta.correlationId])).toEqual([['DeliveredAtOnce', 'request-1']]);
  });

  it('record and retry a delivery that cannot be sent, which delays neither the log nor other deliveries', async () => {
    await sending.webhooks.endpoint(sending.receiver, '/sound', CHILD, ['order-created']);
    const endpointId = derivedId('endpoint', 'unsound');
    const stream = `webhookEndpoint-${CHILD}`;
    const unsound = {
      endpointId,
      accountId: CHILD,
      url: sending.receiver.url('/unsound'),
      eventTypes: ['order-created'] as const,
      secret: 'sealed:v1:unknown:AAAA' as const,
      createdAt: AT,
    };
    await sending.webhooks.append(
      stream,
      (await sending.webhooks.engines.store.read(stream)).length - 1,
      new WebhookEndpointCreated(unsound),
    );
    await sending.webhooks.stop();
    await sending.restart();
    await sending.place(orderIds('unsound', 1));
    await eventually(async () => {
      expect((await sending.webhooks.deliveries()).filter((row) => row.endpoint_id === endpointId)).toMatchObject([
        { attempts: 1, state: 'delivering' },
      ]);
      expect(sending.receiver.delivered('/sound')).toHaveLength(1);
    });
    expect(sending.receiver.at('/unsound')).toEqual([]);
  });
});
