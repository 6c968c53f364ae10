import 'reflect-metadata';
import {
  ChangeWebhookEndpoint,
  GetWebhookDelivery,
  GetWebhookEndpoint,
  ListAccountEvents,
  ListWebhookDeliveries,
  PingWebhookEndpoint,
  ReplayWebhookDelivery,
  ReplayWebhookEvents,
  RotateWebhookSecret,
} from '@ponte/contracts';
import type { AccountEventsPage, DeliveryFilters, LoggedEvent, WebhookDeliveryRecord } from '@ponte/contracts';
import { NO_STREAM } from '@ponte/event-sourcing';
import { addSeconds, derivedId, isoTime } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import { Webhook } from 'standardwebhooks';
import { DeleteOldDeliveries } from './delete-old-deliveries.job';
import { CHILD, order, PARTNER } from '../testing/fixtures';
import { Receiver } from '../testing/receiver';
import { context, WebhooksUnderTest } from '../testing/webhooks-under-test';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ANY: DeliveryFilters = { state: null, eventType: null, resourceType: null, resourceId: null };
const PAGE = { limit: 50, cursor: null, createdFrom: null, createdTo: null };

const orderIds = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, at) => derivedId('order', prefix, String(at)));

describe('deliveries, replays and the event log', () => {
  const folder = temporaryFolder();
  let receiver: Receiver;
  let webhooks: WebhooksUnderTest;
  const now = () => isoTime(webhooks.engines.clock.now());
  const place = async (ids: readonly string[]) => {
    await Promise.all(ids.map((id) => webhooks.append(`order-${id}`, NO_STREAM, ...order(id))));
  };
  const list = async (endpointId: string, filters: Partial<DeliveryFilters> = {}, page: Partial<typeof PAGE> = {}) => {
    const payload = { accountId: CHILD, endpointId, filters: { ...ANY, ...filters }, page: { ...PAGE, ...page } };
    return webhooks.engines.bus.request(ListWebhookDeliveries, payload, context());
  };
  const listed = async (endpointId: string, filters: Partial<DeliveryFilters> = {}) =>
    (await list(endpointId, filters))?.items ?? [];
  const change = (endpointId: string, changes: object) =>
    webhooks.engines.bus.request(
      ChangeWebhookEndpoint,
      {
        ...{ accountId: CHILD, endpointId, url: null, eventTypes: null, description: null },
        ...{ enabled: null, replayMissed: false, ...changes },
      },
      context(),
    );
  const events = async (accountId: string, after: number | 'end' | null, limit = 50): Promise<AccountEventsPage> =>
    webhooks.engines.bus.request(ListAccountEvents, { accountId, after, limit }, context());
  const allEvents = async (accountId: string): Promise<LoggedEvent[]> => {
    const all: LoggedEvent[] = [];
    for (let after: number | null = null; ;) {
      const page = await events(accountId, after, 7);
      if (page.expired) throw new Error('expired');
      all.push(...page.events);
      after = page.next;
      if (!page.more) return all;
    }
  };

  beforeAll(async () => {
    receiver = await Receiver.listen();
    webhooks = await WebhooksUnderTest.start(folder.path);
  });
  afterEach(() => {
    receiver.behaviours.clear();
  });
  afterAll(async () => {
    expect(receiver.faults).toEqual([]);
    await webhooks.stop();
    await receiver.close();
    folder.remove();
  });

  it('lists deliveries by state, kind, resource and time, a page at a time, with what was responded to each attempt', async () => {
    receiver.behaviours.set('/listed', { status: 500 });
    const endpointId = await webhooks.endpoint(receiver, '/listed', CHILD, ['order-created', 'order-completed']);
    const [one = '', two = ''] = orderIds('listed', 2);
    await place([one, two]);
    await eventually(async () => expect(await listed(endpointId)).toHaveLength(4));
    await eventually(async () => {
      const [first] = await listed(endpointId, { resourceId: one, eventType: 'order-created' });
      expect(first).toMatchObject({ state: 'pending', resourceType: 'order', replayOf: null });
      expect(first?.attempts).toMatchObject([{ attempt: 1, outcome: 'http-status', httpStatus: 500 }]);
      expect(first?.attempts[0]?.latencyMs).toEqual(expect.any(Number));
      expect(await webhooks.engines.personalData.open(first?.attempts[0]?.response ?? 'sealed:v1:')).toBe('thank you');
    });
    expect(await listed(endpointId, { resourceId: two })).toHaveLength(2);
    expect(await listed(endpointId, { eventType: 'order-completed' })).toHaveLength(2);
    expect(await listed(endpointId, { resourceType: 'deposit' })).toEqual([]);
    expect(await listed(endpointId, { state: 'succeeded' })).toEqual([]);
    expect(
      (await list(endpointId, {}, { createdTo: null, createdFrom: addSeconds(now(), 60) as never }))?.items,
    ).toEqual([]);
    const pages: WebhookDeliveryRecord[] = [];
    let cursor = null;
    for (let count = 0; count < 4; count += 1) {
      const page = await list(endpointId, {}, { limit: 1, cursor });
      pages.push(...(page?.items ?? []));
      cursor = (page?.next ?? null) as null;
    }
    expect(cursor).toBeNull();
    expect(new Set(pages.map(({ id }) => id)).size).toBe(4);
    receiver.behaviours.clear();
    WebhooksUnderTest.aheadMs += 70_000;
    await eventually(async () => expect(await listed(endpointId, { state: 'succeeded' })).toHaveLength(4), 20_000);
  });

  it('shows an endpoint, its deliveries and its operations to no other account', async () => {
    const endpointId = await webhooks.endpoint(receiver, '/private', CHILD, ['order-created']);
    const [id = ''] = orderIds('private', 1);
    await place([id]);
    const delivery = await eventually(async () => {
      const [found] = await listed(endpointId);
      return found ?? Promise.reject(new Error('not yet'));
    });
    const { bus } = webhooks.engines;
    const foreign = { accountId: PARTNER, endpointId };
    const other = { accountId: PARTNER, deliveryId: delivery.id };
    const changes = { url: null, eventTypes: null, description: 'mine', enabled: false, replayMissed: false };
    expect([
      await bus.request(GetWebhookEndpoint, foreign, context()),
      await bus.request(ChangeWebhookEndpoint, { ...foreign, ...changes }, context()),
      await bus.request(RotateWebhookSecret, foreign, context()),
      await bus.request(PingWebhookEndpoint, foreign, context()),
      await bus.request(ListWebhookDeliveries, { ...foreign, filters: ANY, page: PAGE }, context()),
      await bus.request(ReplayWebhookEvents, { ...foreign, from: now(), to: now(), eventTypes: null }, context()),
      await bus.request(GetWebhookDelivery, other, context()),
      await bus.request(ReplayWebhookDelivery, other, context()),
    ]).toEqual(Array.from({ length: 8 }, () => null));
    expect(await bus.request(GetWebhookEndpoint, { accountId: CHILD, endpointId }, context())).toMatchObject({
      status: 'enabled',
      description: null,
    });
  });

  it('replays one delivery: of one that succeeded a new one with the same webhook-id, once per command', async () => {
    const endpointId = await webhooks.endpoint(receiver, '/again', CHILD, ['order-created']);
    const [id = ''] = orderIds('again', 1);
    await place([id]);
    const first = await eventually(async () => (await listed(endpointId))[0] ?? Promise.reject(new Error('not yet')));
    const wanted = context();
    const replay = () =>
      webhooks.engines.bus.request(ReplayWebhookDelivery, { accountId: CHILD, deliveryId: first.id }, wanted);
    const again = await replay();
    expect(await replay()).toMatchObject({ id: again?.id });
    expect(again).toMatchObject({ replayOf: first.id, eventId: first.eventId });
    await eventually(() =>
      expect(receiver.delivered('/again').map((one) => one.id)).toEqual([first.eventId, first.eventId]),
    );
    expect(receiver.delivered('/again').every(({ verified }) => verified)).toBe(true);
  });

  it('a rotation signs with both secrets for 24 hours, and then with the new one alone', async () => {
    const endpointId = await webhooks.endpoint(receiver, '/rotated', CHILD, ['order-created']);
    const before = receiver.secrets.get('/rotated') ?? '';
    const rotated = await webhooks.engines.bus.request(
      RotateWebhookSecret,
      { accountId: CHILD, endpointId },
      context(),
    );
    const after = rotated?.secret ?? '';
    expect(after).toMatch(/^whsec_/);
    expect(after).not.toBe(before);
    expect(rotated?.previousSecretUntil).toBe(
      addSeconds(now(), 24 * 3_600).slice(0, 10) + rotated?.previousSecretUntil?.slice(10),
    );
    const verifiedBy = async (name: string): Promise<[boolean, boolean]> => {
      await place(orderIds(name, 1));
      const count = receiver.at('/rotated').length;
      const heard = await eventually(
        () => receiver.at('/rotated')[count] ?? Promise.reject(new Error('not yet')),
      ).catch(() => receiver.at('/rotated').at(-1));
      const text = JSON.stringify(heard?.body);
      const verifies = (secret: string) => {
        try {
          new Webhook(secret).verify(text, heard?.headers as Record<string, string>);
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
    const endpoint = await webhooks.engines.bus.request(
      GetWebhookEndpoint,
      { accountId: CHILD, endpointId },
      context(),
    );
    expect(endpoint?.previousSecretUntil).toBeNull();
  });

  it('an endpoint that was disabled and enabled again gets what it missed, in the order of each resource, and nothing twice', async () => {
    const endpointId = await webhooks.endpoint(receiver, '/missed');
    const [before = '', during = '', later = ''] = orderIds('missed', 3);
    await place([before]);
    await eventually(() => expect(receiver.delivered('/missed')).toHaveLength(3));
    expect(await change(endpointId, { enabled: false })).toMatchObject({
      status: 'disabled',
      disabledReason: 'requested',
    });
    await place([during, later]);
    await eventually(async () => {
      const logged = await allEvents(CHILD);
      expect(logged.filter(({ envelope }) => [during, later].includes(envelope.resourceId))).toHaveLength(6);
    });
    expect(receiver.at('/missed')).toHaveLength(3);
    expect(await change(endpointId, { enabled: true, replayMissed: true })).toMatchObject({ status: 'enabled' });
    await eventually(() => expect(receiver.delivered('/missed')).toHaveLength(9), 20_000);
    for (const id of [during, later]) {
      const sequences = receiver.delivered('/missed').filter(({ body }) => body['resource-id'] === id);
      expect(sequences.map(({ body }) => body['sequence'])).toEqual([1, 2, 3]);
    }
  });

  it('replays a range of time, for the kinds that are named', async () => {
    const endpointId = await webhooks.endpoint(receiver, '/range');
    const ids = orderIds('range', 5);
    const from = now();
    await place(ids);
    await eventually(() => expect(receiver.delivered('/range')).toHaveLength(15));
    const to = now();
    const payload = { accountId: CHILD, endpointId, from, to, eventTypes: ['order-completed' as const] };
    const replay = await webhooks.engines.bus.request(ReplayWebhookEvents, payload, context());
    expect(replay).toMatchObject({ from, to, missedOnly: false });
    await eventually(() => expect(receiver.delivered('/range')).toHaveLength(20), 20_000);
    const again = receiver.delivered('/range').slice(15);
    expect(again.every(({ body }) => body['event-type'] === 'order-completed')).toBe(true);
    const whole = { ...payload, eventTypes: null };
    await webhooks.engines.bus.request(ReplayWebhookEvents, whole, context());
    await eventually(() => expect(receiver.delivered('/range')).toHaveLength(35), 20_000);
    for (const id of ids) {
      const third = receiver
        .delivered('/range')
        .slice(20)
        .filter(({ body }) => body['resource-id'] === id);
      expect(third.map(({ body }) => body['sequence'])).toEqual([1, 2, 3]);
    }
    const tooEarly = { ...payload, from: addSeconds(now(), -91 * 86_400) };
    await expect(webhooks.engines.bus.request(ReplayWebhookEvents, tooEarly, context())).rejects.toMatchObject({
      code: 'invalid-format',
    });
  });

  it('an endpoint that responds 410 is disabled, and the log and the other endpoints are notified, those of the parent too', async () => {
    receiver.behaviours.set('/gone', { status: 410 });
    const gone = await webhooks.endpoint(receiver, '/gone', CHILD, ['order-created']);
    await webhooks.endpoint(receiver, '/witness', CHILD, ['webhook-endpoint-disabled']);
    await webhooks.endpoint(receiver, '/parent', PARTNER, ['webhook-endpoint-disabled']);
    await place(orderIds('gone', 1));
    const heard = await eventually(() => receiver.delivered('/witness')[0] ?? Promise.reject(new Error('not yet')));
    expect(heard.body).toMatchObject({
      'event-type': 'webhook-endpoint-disabled',
      'resource-type': 'webhook-endpoint',
      'resource-id': gone,
      'previous-state': 'enabled',
      payload: { 'webhook-endpoint-id': gone, 'account-id': CHILD, reason: 'gone' },
    });
    const told = await eventually(() => receiver.delivered('/parent')[0] ?? Promise.reject(new Error('not yet')));
    expect(told.id).not.toBe(heard.id);
    expect({ ...told.body, 'event-id': heard.id }).toEqual(heard.body);
    await eventually(async () => {
      for (const [account, { id }] of [
        [CHILD, heard],
        [PARTNER, told],
      ] as const) {
        const logged = await allEvents(account);
        expect(logged.filter(({ envelope }) => envelope.eventId === id)).toHaveLength(1);
      }
    });
    const payload = { accountId: CHILD, endpointId: gone };
    await expect(webhooks.engines.bus.request(PingWebhookEndpoint, payload, context())).rejects.toMatchObject({
      code: 'webhook-endpoint-disabled',
    });
  });

  it('the log is numbered from 1 without gaps, is the same in pages of any size, and ends where it ends', async () => {
    await place(orderIds('log', 20));
    await eventually(async () => {
      const logged = await allEvents(PARTNER);
      expect(logged.filter(({ envelope }) => orderIds('log', 20).includes(envelope.resourceId))).toHaveLength(60);
    });
    const logged = await allEvents(CHILD);
    expect(logged.map(({ number }) => number)).toEqual(logged.map((_, at) => at + 1));
    const end = await events(CHILD, 'end');
    expect(end).toEqual({ expired: false, events: [], next: logged.length, more: false });
    expect(await events(CHILD, logged.length)).toEqual(end);
    for (const after of [0, 1, 17, logged.length - 1]) {
      const page = await events(CHILD, after, 200);
      expect(page.expired === false && page.events).toEqual(logged.slice(after));
    }
    expect(await events(derivedId('account', 'nothing'), null)).toEqual({
      expired: false,
      events: [],
      next: 0,
      more: false,
    });
  });

  it('what is older than 90 days is expired in the log, and its deliveries are deleted', async () => {
    const endpointId = await webhooks.endpoint(receiver, '/old', CHILD, ['order-created']);
    await place(orderIds('old', 1));
    await eventually(async () => {
      expect(await listed(endpointId, { state: 'succeeded' })).toHaveLength(1);
      // All three events of the order are in the log, so that none is numbered after the count below.
      const logged = (await allEvents(CHILD)).map(({ envelope }) => envelope.resourceId);
      expect(logged.filter((id) => orderIds('old', 1).includes(id))).toHaveLength(3);
    });
    const before = (await allEvents(CHILD)).length;
    WebhooksUnderTest.aheadMs += 91 * DAY;
    expect(await events(CHILD, 0)).toEqual({ expired: true, firstKept: before + 1 });
    expect(await events(CHILD, before)).toMatchObject({ expired: false, events: [] });
    await place(orderIds('new', 1));
    await eventually(async () =>
      expect((await allEvents(CHILD)).map(({ number }) => number)).toEqual([before + 1, before + 2, before + 3]),
    );
    expect(await events(CHILD, before - 1)).toEqual({ expired: true, firstKept: before + 1 });
    await webhooks.service.get(DeleteOldDeliveries).run();
    await eventually(async () => {
      expect((await listed(endpointId)).map(({ resourceId }) => resourceId)).toEqual(orderIds('new', 1));
    });
  });
});
