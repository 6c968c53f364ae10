import 'reflect-metadata';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { GetWebhookDelivery, PingWebhookEndpoint } from '@ponte/contracts';
import { NO_STREAM } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { pause } from '@ponte/concurrency';
import { eventually, temporaryFolder } from '@ponte/testing';
import { OUTBOX_READER } from '../outbox/reader-progress.service';
import { CHILD, order } from '../testing/fixtures';
import { Receiver } from '../testing/receiver';
import { context, WebhooksUnderTest } from '../testing/webhooks-under-test';
import type { WebhooksSchema } from '../testing/webhooks-schema';

const HOUR = 3_600_000;
const DAYS = 3;
const STEPS_PER_DAY = 4;
const ORDERS_PER_STEP = 10;
const EVENTS = 3 * DAYS * STEPS_PER_DAY * ORDERS_PER_STEP;
/** Events that do not depend on the outage: the creation of the endpoint. */
const CONSTANT = 1;
/** Days (UTC) that 72 hours can touch, including the day of the recovery. */
const DATES = DAYS + 1;

jest.setTimeout(900_000);

describe('endpoints that do not respond for three days', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let receiver: Receiver;
  let webhooks: WebhooksUnderTest;
  let placed = 0;

  const place = async (count: number): Promise<void> => {
    const ids = Array.from({ length: count }, () => derivedId('order', 'dead', String((placed += 1))));
    await Promise.all(ids.map((id) => webhooks.append(`order-${id}`, NO_STREAM, ...order(id))));
  };
  /** Events in the log that mention an endpoint. */
  const mentions = async (endpointId: string) => {
    const categories = ['delivery', 'webhookEndpoint'];
    const events = await webhooks.engines.store.newest({ categories, limit: 100_000 });
    return events.filter((event) => JSON.stringify(event.data).includes(endpointId));
  };
  const rowsOf = async (endpointId: string) =>
    (await webhooks.deliveries()).filter((row) => row.endpoint_id === endpointId);
  const tried = async (endpointIds: readonly string[], count: number): Promise<void> =>
    eventually(async () => {
      for (const endpointId of endpointIds) {
        const rows = await rowsOf(endpointId);
        expect(rows).toHaveLength(count);
      }
    }, 60_000);
  /** Waits until nothing is due: after an attempt fails, the contract allows the next event to go first. */
  const quiet = async (paths: readonly string[]): Promise<void> => {
    const count = () => paths.map((path) => receiver.at(path).length);
    for (let before = ''; before !== String(count()); await pause(3_000)) before = String(count());
  };
  const recovered = async (paths: readonly string[], count: number): Promise<void> => {
    const missing = () => paths.map((path) => count - new Set(receiver.delivered(path).map(({ id }) => id)).size);
    for (let look = 0; look < 240 && Math.max(...missing()) > 0; look += 1) {
      const before = missing();
      await pause(250);
      if (String(missing()) === String(before)) WebhooksUnderTest.aheadMs += HOUR;
    }
    expect(missing()).toEqual(paths.map(() => 0));
    for (const path of paths) {
      const sequences = new Map<string, number[]>();
      const seen = new Set<string>();
      for (const { id, body } of receiver.delivered(path)) {
        if (seen.has(id)) continue;
        seen.add(id);
        const resource = String(body['resource-id']);
        sequences.set(resource, [...(sequences.get(resource) ?? []), Number(body['sequence'])]);
      }
      expect([...sequences.values()].filter((one) => String(one) !== '1,2,3')).toEqual([]);
    }
  };

  beforeAll(async () => {
    receiver = await Receiver.listen();
  });
  beforeEach(async () => {
    folder = temporaryFolder();
    receiver.behaviours.clear();
    webhooks = await WebhooksUnderTest.start(folder.path);
  });
  afterEach(async () => {
    await webhooks.stop();
    folder.remove();
  });
  afterAll(() => receiver.close());

  it('add one event a day to the log, despite restarts and next to a healthy one, and later get every event in order', async () => {
    const dead = ['/dead-1', '/dead-2'];
    for (const path of dead) receiver.behaviours.set(path, { status: 503 });
    const deadIds = [await webhooks.endpoint(receiver, '/dead-1'), await webhooks.endpoint(receiver, '/dead-2')];
    const healthyId = await webhooks.endpoint(receiver, '/healthy');
    for (let step = 1; step <= DAYS * STEPS_PER_DAY; step += 1) {
      await place(ORDERS_PER_STEP);
      await tried(deadIds, 3 * ORDERS_PER_STEP * step);
      if (step === 6) {
        await webhooks.stop();
        webhooks = await WebhooksUnderTest.start(folder.path);
      }
      if (step === 9) {
        await webhooks.crash();
        webhooks = await WebhooksUnderTest.start(folder.path);
      }
      WebhooksUnderTest.aheadMs += (24 / STEPS_PER_DAY) * HOUR;
      await pause(300);
    }
    await eventually(() => expect(new Set(receiver.delivered('/healthy').map(({ id }) => id)).size).toBe(EVENTS));
    for (const endpointId of deadIds) {
      const events = await mentions(endpointId);
      expect(events.length).toBeLessThanOrEqual(CONSTANT + DATES);
      const summaries = events.filter(({ type }) => type === 'WebhookEndpointFailing');
      expect(summaries.length).toBeGreaterThanOrEqual(DAYS);
      const dates = summaries.map(({ data }) => (data as { date: string }).date);
      expect(new Set(dates).size).toBe(dates.length);
      expect(summaries[0]?.data).toMatchObject({ endpointId, lastStatus: 503, lastReason: 'http-status', failed: 0 });
      const rows = (await rowsOf(endpointId)).sort((one, other) => (one.created_at < other.created_at ? -1 : 1));
      expect(rows.every(({ state }) => state === 'pending' || state === 'delivering')).toBe(true);
      const payload = { accountId: CHILD, deliveryId: rows.find(({ attempts }) => attempts > 1)?.id ?? '' };
      const delivery = await webhooks.engines.bus.request(GetWebhookDelivery, payload, context());
      const response: unknown = expect.any(String);
      expect(delivery?.attempts[0]).toMatchObject({ attempt: 1, outcome: 'http-status', httpStatus: 503, response });
    }
    // The deliveries of the healthy endpoint are one event each, except those delayed by a restart or a full queue.
    const ofHealthy = (await mentions(healthyId)).filter(({ type }) => type === 'WebhookEndpointFailing');
    // On a busy machine an attempt may exceed its 5 s.
    expect(
      ofHealthy.map(({ data }) => (data as { lastReason: string }).lastReason).filter((one) => one !== 'timed-out'),
    ).toEqual([]);
    await quiet(dead);
    receiver.behaviours.clear();
    await recovered([...dead, '/healthy'], EVENTS);
    await eventually(async () => {
      for (const endpointId of deadIds) {
        expect((await rowsOf(endpointId)).filter(({ state }) => state !== 'succeeded')).toEqual([]);
      }
    }, 20_000);
  });

  it.each([
    [
      'the rows of the read model were lost',
      async (readModels: Kysely<WebhooksSchema>) => {
        await readModels.deleteFrom('webhook_deliveries').execute();
        await readModels.deleteFrom('webhook_queues').execute();
      },
      false,
    ],
    ['the whole read database was lost', async () => undefined, true],
  ])('get every event when they respond again, even if %s', async (_name, lose, removed) => {
    const path = `/lost-${String(removed)}`;
    receiver.behaviours.set(path, { status: 500 });
    const endpointId = await webhooks.endpoint(receiver, path);
    await place(2 * ORDERS_PER_STEP);
    await tried([endpointId], 6 * ORDERS_PER_STEP);
    await lose(webhooks.engines.readModels as Kysely<WebhooksSchema>);
    await webhooks.stop();
    for (const end of ['', '-wal', '-shm'])
      if (removed) rmSync(join(folder.path, `read-models.db${end}`), { force: true });
    webhooks = await WebhooksUnderTest.start(folder.path);
    await tried([endpointId], 6 * ORDERS_PER_STEP);
    await quiet([path]);
    receiver.behaviours.clear();
    await recovered([path], 6 * ORDERS_PER_STEP);
  });

  it('get their pending deliveries after the read database was lost, even if they never failed', async () => {
    receiver.behaviours.set('/slow', 'hang');
    const endpointId = await webhooks.endpoint(receiver, '/slow');
    await webhooks.engines.bus.request(
      PingWebhookEndpoint,
      { accountId: CHILD, endpointId, eventId: derivedId('ping', endpointId) },
      context(),
    );
    await eventually(async () => expect(await rowsOf(endpointId)).toHaveLength(1));
    await eventually(async () => {
      const { store, checkpoints } = webhooks.engines;
      const place = (await checkpoints.load(OUTBOX_READER)) ?? '0';
      expect(store.comparePositions(place, (await store.head()) ?? '')).toBeGreaterThanOrEqual(0);
    });
    const before = await mentions(endpointId);
    expect(before.map(({ type }) => type)).not.toContain('WebhookEndpointFailing');
    await webhooks.stop();
    for (const end of ['', '-wal', '-shm']) rmSync(join(folder.path, `read-models.db${end}`), { force: true });
    receiver.behaviours.clear();
    webhooks = await WebhooksUnderTest.start(folder.path);
    await eventually(() => expect(receiver.delivered('/slow')).toHaveLength(1), 20_000);
  });
});
