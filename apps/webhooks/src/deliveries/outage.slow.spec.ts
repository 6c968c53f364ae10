import 'reflect-metadata';
import { NO_STREAM } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import { CHILD, order } from '../testing/fixtures';
import { Receiver } from '../testing/receiver';
import { pause } from '@ponte/concurrency';
import { WebhooksUnderTest } from '../testing/webhooks-under-test';

const HOUR = 3_600_000;
const OUTAGE_HOURS = 72;
const ENDPOINTS = ['/e0', '/e1', '/e2', '/e3', '/e4'];
/** With three events each: 10,002 events. */
const ORDERS = 3_334;
const A_BATCH = 100;

jest.setTimeout(1_500_000);

describe('an outage of 72 hours', () => {
  const folder = temporaryFolder();
  let receiver: Receiver;
  let webhooks: WebhooksUnderTest;

  beforeAll(async () => {
    receiver = await Receiver.listen();
    webhooks = await WebhooksUnderTest.start(folder.path);
  });
  afterAll(async () => {
    await webhooks.stop();
    await receiver.close();
    folder.remove();
  });

  it('loses none of 10,000 events for 5 endpoints and keeps the order of each resource', async () => {
    for (const path of ENDPOINTS) {
      receiver.behaviours.set(path, { status: 503 });
      await webhooks.endpoint(receiver, path);
    }
    const ids = Array.from({ length: ORDERS }, (_, at) => derivedId('order', 'outage', String(at)));
    const perHour = Math.ceil(ORDERS / (OUTAGE_HOURS / 2));
    for (let hour = 0, at = 0; hour < OUTAGE_HOURS; hour += 1) {
      const placed = ids.slice(at, at + perHour);
      for (let from = 0; from < placed.length; from += A_BATCH) {
        await Promise.all(
          placed.slice(from, from + A_BATCH).map((id) => webhooks.append(`order-${id}`, NO_STREAM, ...order(id))),
        );
      }
      at += placed.length;
      await pause(200);
      WebhooksUnderTest.aheadMs += HOUR;
    }
    await eventually(async () => expect(await webhooks.outbox(CHILD)).toHaveLength(3 * ORDERS), 300_000);
    receiver.behaviours.clear();
    const emitted = new Set((await webhooks.outbox(CHILD)).map(({ envelope }) => envelope.eventId));
    const missing = () =>
      ENDPOINTS.map((path) => 3 * ORDERS - new Set(receiver.delivered(path).map(({ id }) => id)).size);
    for (let look = 0; look < 600 && Math.max(...missing()) > 0; look += 1) {
      const before = missing();
      await pause(1_000);
      // Business time moves only while nothing is due, so that no schedule runs out for lack of real time.
      if (String(missing()) === String(before)) WebhooksUnderTest.aheadMs += HOUR;
    }
    expect(missing()).toEqual(ENDPOINTS.map(() => 0));
    for (const path of ENDPOINTS) {
      const delivered = receiver.delivered(path);
      expect(new Set(delivered.map(({ id }) => id))).toEqual(emitted);
      const first = new Map<string, number[]>();
      const seen = new Set<string>();
      for (const { id, body } of delivered) {
        if (seen.has(id)) continue;
        seen.add(id);
        const resource = String(body['resource-id']);
        first.set(resource, [...(first.get(resource) ?? []), Number(body['sequence'])]);
      }
      expect([...first.values()].filter((sequences) => String(sequences) !== '1,2,3')).toEqual([]);
    }
    expect(receiver.faults).toEqual([]);
  });
});
