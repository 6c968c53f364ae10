import 'reflect-metadata';
import type { DeliveryEvent, OrderEvent } from '@ponte/contracts';
import {
  CreateWebhookEndpoint,
  DeleteWebhookEndpoint,
  DepositConfirmed,
  DepositCreated,
  DepositCredited,
  DepositVoided,
  ListWebhookEndpoints,
  PingWebhookEndpoint,
  WebhookEndpointCreated,
} from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { NO_STREAM } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import { undiciHttp } from './outgoing-http/adapters/undici';
import { deliveryIdOf } from './dispatch/deliveries';
import { MAX_IN_FLIGHT } from './dispatch/endpoint-concurrency-limiter';
import { targetRules } from './endpoints/target.domain';
import { OUTBOX_READER, OutboxProjector } from './outbox/outbox-projector';
import { AT, CHILD, order, PARTNER } from './testing/fixtures';
import { Receiver } from './testing/receiver';
import { context, WebhooksUnderTest } from './testing/webhooks-under-test';

const HOUR = 3_600_000;

const orderIds = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, at) => derivedId('order', prefix, String(at)));

describe('webhooks', () => {
  const folder = temporaryFolder();
  let receiver: Receiver;
  let webhooks: WebhooksUnderTest;
  const place = async (ids: readonly string[]) => {
    await Promise.all(ids.map((id) => webhooks.append(`order-${id}`, NO_STREAM, ...order(id))));
  };
  const sequences = (path: string, id: string) =>
    receiver
      .delivered(path)
      .filter(({ body }) => body['resource-id'] === id)
      .map(({ body }) => body['sequence']);

  /**
   * Resolves when the outboxes' reader is done with the log as it stands: they are written beside the deliveries, which
   * do not wait for them.
   */
  const published = async () => {
    const { store, checkpoints } = webhooks.engines;
    const head = (await store.head()) ?? '';
    await eventually(async () =>
      expect(store.comparePositions((await checkpoints.load(OUTBOX_READER)) ?? '0', head)).toBeGreaterThanOrEqual(0),
    );
  };

  beforeAll(async () => {
    receiver = await Receiver.listen();
    webhooks = await WebhooksUnderTest.start(folder.path);
  });
  /** Each test has its own endpoints. */
  afterEach(async () => {
    for (const accountId of [CHILD, PARTNER]) {
      const { items } = await webhooks.engines.bus.request(
        ListWebhookEndpoints,
        { accountId, page: { limit: 50, cursor: null, createdFrom: null, createdTo: null } },
        context(),
      );
      for (const { id } of items)
        await webhooks.engines.bus.request(DeleteWebhookEndpoint, { accountId, endpointId: id }, context());
    }
    receiver.behaviours.clear();
    receiver.heard.length = 0;
  });
  afterAll(async () => {
    expect(receiver.faults).toEqual([]);
    await webhooks.stop();
    await receiver.close();
    folder.remove();
  });

  it('tells the account and its parent of an order, signed, in order, each event once', async () => {
    await webhooks.endpoint(receiver, '/child');
    await webhooks.endpoint(receiver, '/partner', PARTNER);
    await webhooks.endpoint(receiver, '/completed', CHILD, ['order-completed']);
    const [id = ''] = orderIds('story', 1);
    await place([id]);
    await eventually(() => {
      for (const path of ['/child', '/partner']) expect(sequences(path, id)).toEqual([1, 2, 3]);
      expect(receiver.delivered('/completed').map(({ body }) => body['event-type'])).toEqual(['order-completed']);
    });
    expect(receiver.heard).toHaveLength(7);
    expect(receiver.heard.every(({ verified }) => verified)).toBe(true);
    const [first] = receiver.delivered('/child');
    expect(first?.body).toMatchObject({
      'event-id': first?.id,
      'event-type': 'order-created',
      'account-id': CHILD,
      'resource-type': 'order',
      'resource-id': id,
      'api-version': 'v1',
    });
    expect(first?.headers['content-type']).toBe('application/json');
    await published();
    expect((await webhooks.outbox(CHILD)).map(({ envelope }) => envelope.eventId)).toEqual(
      receiver.delivered('/child').map(({ id: eventId }) => eventId),
    );
  });

  it('opens personal members when it sends, and keeps them sealed in the outbox and the deliveries', async () => {
    await webhooks.endpoint(receiver, '/deposits');
    const seal = (text: string) => webhooks.engines.personalData.seal('payer-1', text);
    const depositId = derivedId('deposit', '1');
    const coordinates = {
      sourceTaxId: await seal('52998224725'),
      sourceTaxIdFingerprint: 'f',
      sourceLegalName: await seal('Canary Person'),
      sourceBankCode: '12345678',
      sourceType: 'checking',
      sourceAccountNumber: await seal('777-1'),
      sourceBranchCode: await seal('0001'),
      target: 'T',
    };
    const common = { depositId, type: 'pix', asset: 'fiat/brl', amount: '50.00', orderId: null, coordinates } as const;
    await webhooks.append(
      `deposit-${depositId}`,
      NO_STREAM,
      new DepositCreated({
        ...common,
        accountId: CHILD,
        parentId: PARTNER,
        endToEndId: 'E',
        settledAt: AT,
        createdAt: AT,
      }),
      new DepositConfirmed({ depositId, accountId: CHILD, confirmedAt: AT }),
      new DepositCredited({ ...common, accountId: CHILD, processedAt: AT }),
    );
    const heard = await eventually(
      () => receiver.delivered('/deposits')[0] ?? Promise.reject(new Error('nothing yet')),
    );
    expect(heard.verified).toBe(true);
    expect(heard.body.payload).toMatchObject({
      'source-tax-id': '52998224725',
      'source-legal-name': 'Canary Person',
      'source-account-number': '777-1',
      'source-branch-code': '0001',
      'source-bank-code': '12345678',
    });
    const refused = { ...common, depositId: derivedId('deposit', '2') };
    await webhooks.append(
      `deposit-${refused.depositId}`,
      NO_STREAM,
      new DepositCreated({
        ...refused,
        accountId: CHILD,
        parentId: PARTNER,
        endToEndId: 'E2',
        settledAt: AT,
        createdAt: AT,
        coordinates,
      }),
      new DepositVoided({ ...refused, accountId: CHILD, voidedAt: AT, reason: 'payer-tax-id-mismatch', returnId: 'r' }),
    );
    const voided = await eventually(
      () => receiver.delivered('/deposits')[1] ?? Promise.reject(new Error('nothing yet')),
    );
    expect(voided.body.payload).toMatchObject({
      'source-tax-id': '***.982.247-**',
      'source-legal-name': '***',
      'source-account-number': '***',
    });
    for await (const slice of webhooks.engines.store.subscribe()) {
      expect(JSON.stringify(slice.events)).not.toMatch(/52998224725|Canary|whsec_/);
      if (slice.caughtUp) break;
    }
  });

  it('delivered means exactly 200: everything else is tried again with the same id, by the schedule', async () => {
    const bad = new Map<string, { status: number; headers?: Record<string, string> } | 'hang' | 'drop'>([
      ['/201', { status: 201 }],
      ['/500', { status: 500 }],
      ['/redirect', { status: 302, headers: { location: receiver.url('/target') } }],
      ['/hang', 'hang'],
      ['/drop', 'drop'],
      ['/404', { status: 404 }],
    ]);
    for (const [path, behaviour] of bad) {
      receiver.behaviours.set(path, behaviour);
      await webhooks.endpoint(receiver, path, CHILD, ['order-created']);
    }
    const [id = ''] = orderIds('bad', 1);
    await place([id]);
    const waiting = await eventually(async () => {
      const rows = (await webhooks.deliveries()).filter(
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
    expect(receiver.at('/target')).toEqual([]);
    receiver.behaviours.clear();
    WebhooksUnderTest.aheadMs += 12_000;
    await eventually(() => {
      for (const path of bad.keys())
        expect(receiver.at(path).map((one) => one.id)).toEqual([receiver.at(path)[0]?.id, receiver.at(path)[0]?.id]);
    });
    expect(receiver.heard.every(({ verified }) => verified)).toBe(true);
  });

  it('200 with an endless body is delivered, and holds no one up', async () => {
    receiver.behaviours.set('/endless', { status: 200, endless: true });
    await webhooks.endpoint(receiver, '/endless');
    const ids = orderIds('endless', 20);
    await place(ids);
    await eventually(() => {
      for (const id of ids) expect(sequences('/endless', id)).toEqual([1, 2, 3]);
    });
    expect(receiver.heard).toHaveLength(60);
  });

  it('honours Retry-After', async () => {
    receiver.behaviours.set('/busy', { status: 429, headers: { 'retry-after': '45' } });
    const endpointId = await webhooks.endpoint(receiver, '/busy', CHILD, ['order-created']);
    await place(orderIds('busy', 1));
    await eventually(async () => {
      const row = (await webhooks.deliveries()).find(
        (one) => one.endpoint_id === endpointId && one.state === 'pending' && one.attempts === 1,
      );
      expect(Date.parse(row?.due_at ?? '') - Date.parse(row?.updated_at ?? '')).toBe(45_000);
    });
    receiver.behaviours.clear();
    WebhooksUnderTest.aheadMs += 46_000;
    await eventually(() => {
      expect(receiver.delivered('/busy')).toHaveLength(1);
    });
  });

  it('410 disables the endpoint: no further attempt, nothing more is scheduled, and a ping is refused', async () => {
    receiver.behaviours.set('/gone', { status: 410 });
    const endpointId = await webhooks.endpoint(receiver, '/gone', CHILD, ['order-created']);
    await place(orderIds('gone', 1));
    const page = { limit: 50, cursor: null, createdFrom: null, createdTo: null };
    await eventually(async () => {
      const { items } = await webhooks.engines.bus.request(ListWebhookEndpoints, { accountId: CHILD, page }, context());
      expect(items).toMatchObject([{ id: endpointId, status: 'disabled', disabledReason: 'gone' }]);
    });
    receiver.behaviours.clear();
    await place(orderIds('gone-more', 1));
    WebhooksUnderTest.aheadMs += 24 * HOUR;
    await expect(
      webhooks.engines.bus.request(PingWebhookEndpoint, { accountId: CHILD, endpointId }, context()),
    ).rejects.toMatchObject({ code: 'webhook-endpoint-disabled' });
    // What is scheduled later for another endpoint has arrived, and nothing came here before it.
    await webhooks.endpoint(receiver, '/other', CHILD, ['order-created']);
    await place(orderIds('gone-last', 1));
    await eventually(() => {
      expect(receiver.delivered('/other')).toHaveLength(1);
    });
    expect(receiver.at('/gone')).toHaveLength(1);
  });

  it('a ping is in no outbox, is retried, and the next one to the endpoint waits for it', async () => {
    receiver.behaviours.set('/pinged', { status: 500 });
    const endpointId = await webhooks.endpoint(receiver, '/pinged', CHILD, ['order-completed']);
    const ping = () => webhooks.engines.bus.request(PingWebhookEndpoint, { accountId: CHILD, endpointId }, context());
    const first = await ping();
    await eventually(async () => {
      expect((await webhooks.deliveries()).find(({ event_id }) => event_id === first?.eventId)).toMatchObject({
        state: 'pending',
        attempts: 1,
      });
    });
    receiver.behaviours.clear();
    const pings = [first, await ping(), await ping()].map((one) => one?.eventId);
    await eventually(async () => {
      const rows = (await webhooks.deliveries()).filter(({ event_id }) => pings.slice(1).includes(event_id));
      expect(rows.map(({ state, attempts }) => [state, attempts])).toEqual([
        ['pending', 0],
        ['pending', 0],
      ]);
    });
    expect(receiver.at('/pinged')).toHaveLength(1);
    WebhooksUnderTest.aheadMs += 20_000;
    await eventually(() => {
      expect(receiver.delivered('/pinged').map(({ id }) => id)).toEqual(pings);
    });
    expect(sequences('/pinged', endpointId)).toEqual([1, 2, 3]);
    expect((await webhooks.outbox(CHILD)).filter(({ envelope }) => pings.includes(envelope.eventId))).toEqual([]);
  });

  it('is disabled after 120 h without one success, which the other endpoints hear, and one success begins the count again', async () => {
    receiver.behaviours.set('/down', { status: 503 });
    await webhooks.endpoint(receiver, '/down-witness', CHILD, ['webhook-endpoint-disabled']);
    const endpointId = await webhooks.endpoint(receiver, '/down', CHILD, ['order-created']);
    /** Written down, so that the time may move on. */
    const failures = async (count: number) =>
      eventually(async () => {
        const rows = (await webhooks.deliveries()).filter((row) => row.endpoint_id === endpointId);
        expect(rows.filter(({ state }) => state === 'delivering')).toEqual([]);
        expect(rows.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(count);
      });
    const disabled = async () =>
      (await webhooks.engines.store.read(`webhookEndpoint-${CHILD}`)).filter(
        ({ type, data }) =>
          type === 'WebhookEndpointDisabled' && (data as { endpointId: string }).endpointId === endpointId,
      );
    await place(orderIds('down-1', 1));
    await failures(1);
    WebhooksUnderTest.aheadMs += 119 * HOUR;
    receiver.behaviours.clear();
    await failures(2);
    expect(receiver.delivered('/down')).toHaveLength(1);
    receiver.behaviours.set('/down', { status: 503 });
    await place(orderIds('down-2', 1));
    await failures(3);
    WebhooksUnderTest.aheadMs += 119 * HOUR;
    await failures(4);
    expect(await disabled()).toEqual([]);
    WebhooksUnderTest.aheadMs += 2 * HOUR;
    await eventually(async () => {
      expect((await disabled())[0]?.data).toMatchObject({ reason: 'no-success' });
      expect(receiver.delivered('/down-witness').map(({ body }) => body)).toMatchObject([
        {
          'event-type': 'webhook-endpoint-disabled',
          'resource-id': endpointId,
          payload: { 'webhook-endpoint-id': endpointId, 'account-id': CHILD, reason: 'no-success' },
        },
      ]);
    });
    const logged = await webhooks.outbox(CHILD);
    expect(logged.filter((one) => JSON.stringify(one).includes('webhook-endpoint-disabled'))).not.toEqual([]);
  });

  it('an outage of hours: delivered is what was emitted', async () => {
    receiver.behaviours.set('/outage', 'drop');
    // An event that the reader has not passed yet may also go to an endpoint that is made now.
    await published();
    await webhooks.endpoint(receiver, '/outage');
    await published();
    const before = (await webhooks.outbox(CHILD)).length;
    const ids = orderIds('outage', 40);
    await place(ids);
    await eventually(async () => {
      expect(await webhooks.outbox(CHILD)).toHaveLength(before + 120);
      expect(receiver.at('/outage').length).toBeGreaterThanOrEqual(40);
    });
    for (let hours = 0; hours < 3; hours += 1) WebhooksUnderTest.aheadMs += HOUR;
    receiver.behaviours.clear();
    for (let passed = 0; passed < 10 && receiver.delivered('/outage').length < 120; passed += 1) {
      const have = receiver.delivered('/outage').length;
      await eventually(() => {
        expect(receiver.delivered('/outage').length).toBeGreaterThan(have);
      }).catch(() => undefined);
      WebhooksUnderTest.aheadMs += HOUR;
    }
    await eventually(() => {
      expect(new Set(receiver.delivered('/outage').map(({ id }) => id)).size).toBe(120);
    });
    const emitted = (await webhooks.outbox(CHILD)).slice(before).map(({ envelope }) => envelope.eventId);
    expect(new Set(receiver.delivered('/outage').map(({ id }) => id))).toEqual(new Set(emitted));
  });

  it('a receiver that hangs holds few connections and slows no one else', async () => {
    receiver.behaviours.set('/tar-pit', 'hang');
    await webhooks.endpoint(receiver, '/tar-pit');
    await webhooks.endpoint(receiver, '/quick');
    const ids = orderIds('tar', 100);
    await place(ids);
    await eventually(() => {
      // Where an answer takes longer than 5 s, because this machine is busy, the webhook is sent again under its id.
      for (const id of ids) expect([...new Set(sequences('/quick', id))]).toEqual([1, 2, 3]);
    }, 25_000);
    expect(new Set(receiver.delivered('/quick').map(({ id }) => id)).size).toBe(300);
    expect(receiver.open.get('/tar-pit')?.most).toBeLessThanOrEqual(MAX_IN_FLIGHT);
  });

  it('the next event about a resource waits for the one before it, up to 60 s', async () => {
    receiver.behaviours.set('/order', { status: 500 });
    const endpointId = await webhooks.endpoint(receiver, '/order');
    const [id = ''] = orderIds('waits', 1);
    await place([id]);
    await eventually(async () => {
      const rows = (await webhooks.deliveries()).filter(
        (row) => row.state === 'pending' && row.endpoint_id === endpointId,
      );
      expect(rows.map(({ attempts }) => attempts).sort()).toEqual([0, 0, 1]);
    });
    expect(receiver.at('/order')).toHaveLength(1);
    WebhooksUnderTest.aheadMs += 61_000;
    await eventually(() => {
      expect(new Set(receiver.at('/order').map(({ body }) => body['sequence']))).toEqual(new Set([1, 2, 3]));
    });
  });

  it('goes on after a crash: what was under way is sent again with the same id, nothing is lost, nothing published twice', async () => {
    receiver.behaviours.set('/crash', 'hang');
    await webhooks.endpoint(receiver, '/crash');
    const ids = orderIds('crash', 5);
    await published();
    const before = (await webhooks.outbox(CHILD)).length;
    await place(ids);
    await eventually(() => {
      expect(receiver.at('/crash').length).toBeGreaterThanOrEqual(5);
    });
    await webhooks.crash();
    const cut = receiver.at('/crash').map(({ id }) => id);
    receiver.behaviours.clear();
    webhooks = await WebhooksUnderTest.start(folder.path);
    await eventually(() => {
      for (const id of ids) expect(new Set(sequences('/crash', id))).toEqual(new Set([1, 2, 3]));
    });
    expect(receiver.delivered('/crash').map(({ id }) => id)).toEqual(expect.arrayContaining(cut));
    await published();
    const outbox = await webhooks.outbox(CHILD);
    expect(outbox).toHaveLength(before + 15);
    expect(new Set(outbox.map(({ envelope }) => envelope.eventId)).size).toBe(outbox.length);
  });

  it('a slice of the log that comes again changes nothing', async () => {
    const endpointId = await webhooks.endpoint(receiver, '/again');
    const [id = '', later = ''] = orderIds('again', 2);
    await place([id]);
    await eventually(() => {
      expect(sequences('/again', id)).toEqual([1, 2, 3]);
    });
    const entries = async () =>
      (await webhooks.outbox(CHILD))
        .map(({ envelope }) => envelope.resourceId)
        .filter((one) => one === id || one === later);
    const events = (await webhooks.engines.store.read(`order-${id}`)) as Recorded<OrderEvent>[];
    for (const seen of [events, events.slice(1)])
      await webhooks.service.get(OutboxProjector).apply({ events: seen, position: events.at(-1)?.position ?? '' });
    // The outboxes are written in order: once this one is written, a repetition would be written too.
    await place([later]);
    await eventually(async () => {
      expect(await entries()).toEqual([id, id, id, later, later, later]);
    });
    expect(sequences('/again', id)).toEqual([1, 2, 3]);
    const facts = (await webhooks.engines.store.read(
      `delivery-${deliveryIdOf(receiver.at('/again')[0]?.id ?? '', endpointId)}`,
    )) as Recorded<DeliveryEvent>[];
    expect(facts.map(({ type, meta }) => [type, meta.correlationId])).toEqual([['DeliveredAtOnce', 'request-1']]);
  });

  it('a delivery that our own side cannot make is recorded and tried again later, and holds up neither the log nor others', async () => {
    await webhooks.endpoint(receiver, '/sound', CHILD, ['order-created']);
    const endpointId = derivedId('endpoint', 'unsound');
    const stream = `webhookEndpoint-${CHILD}`;
    const unsound = {
      endpointId,
      accountId: CHILD,
      url: receiver.url('/unsound'),
      eventTypes: ['order-created'] as const,
      secret: 'sealed:v1:unknown:AAAA' as const,
      createdAt: AT,
    };
    await webhooks.append(
      stream,
      (await webhooks.engines.store.read(stream)).length - 1,
      new WebhookEndpointCreated(unsound),
    );
    await webhooks.stop();
    webhooks = await WebhooksUnderTest.start(folder.path);
    await place(orderIds('unsound', 1));
    await eventually(async () => {
      expect((await webhooks.deliveries()).filter((row) => row.endpoint_id === endpointId)).toMatchObject([
        { attempts: 1, state: 'delivering' },
      ]);
      expect(receiver.delivered('/sound')).toHaveLength(1);
    });
    expect(receiver.at('/unsound')).toEqual([]);
  });

  it('outside the sandbox nothing is sent without TLS, and a time-out is distinguished from a refused connection', async () => {
    const request = { url: receiver.url('/plain'), headers: {}, body: '{"payload":{}}' };
    const [production, sandbox] = [
      undiciHttp({ rules: targetRules('production') }),
      undiciHttp({ rules: targetRules('sandbox'), totalMs: 100 }),
    ];
    expect(await production.post(request)).toEqual({ kind: 'failed', reason: 'target-refused' });
    expect(receiver.at('/plain')).toEqual([]);
    receiver.behaviours.set('/plain', 'hang');
    expect(await sandbox.post(request)).toEqual({ kind: 'failed', reason: 'timed-out' });
    receiver.behaviours.set('/plain', 'drop');
    expect(await sandbox.post(request)).toEqual({ kind: 'failed', reason: 'connection-failed' });
    expect(await sandbox.post({ ...request, url: 'http://127.0.0.1:1/' })).toEqual({
      kind: 'failed',
      reason: 'connection-failed',
    });
    await Promise.all([production.close(), sandbox.close()]);
  });

  it('what waits for a deleted endpoint ends as failed, and nothing is sent', async () => {
    receiver.behaviours.set('/deleted', { status: 500 });
    const endpointId = await webhooks.endpoint(receiver, '/deleted', CHILD, ['order-created']);
    await place(orderIds('deleted', 1));
    const mine = async () => (await webhooks.deliveries()).filter((row) => row.endpoint_id === endpointId);
    await eventually(async () => {
      expect(await mine()).toMatchObject([{ state: 'pending', attempts: 1 }]);
    });
    expect(
      await webhooks.engines.bus.request(DeleteWebhookEndpoint, { accountId: CHILD, endpointId }, context()),
    ).toEqual({ deleted: true });
    WebhooksUnderTest.aheadMs += HOUR;
    await eventually(async () => {
      expect(await mine()).toMatchObject([{ state: 'failed', attempts: 2, due_at: null }]);
    });
    expect(receiver.at('/deleted')).toHaveLength(1);
  });

  it('answers for endpoints: created once per command, listed newest first in pages, at most ten, deleted once', async () => {
    const { bus } = webhooks.engines;
    const url = receiver.url('/crud');
    const same = context();
    const first = await bus.request(
      CreateWebhookEndpoint,
      { accountId: PARTNER, endpointId: derivedId('crud', '0'), url, eventTypes: null },
      same,
    );
    expect(first.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
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
