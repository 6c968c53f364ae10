import 'reflect-metadata';
import type { DeliveryEvent } from '@ponte/contracts';
import { NO_STREAM } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import { deliveryIdOf } from './dispatch/deliveries.service';
import { CHILD, order } from './testing/fixtures';
import { Receiver } from './testing/receiver';
import { WebhooksUnderTest } from './testing/webhooks-under-test';
import { otherwise, withoutAnswerFor } from './testing/shared-engines';

const ORDERS = 40;
const MANY = 120;
const TOLD = ['DeliveredAtOnce', 'DeliverySucceeded'];

describe('webhooks that were delivered but not recorded', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let receiver: Receiver;
  let webhooks: WebhooksUnderTest;

  const place = async (name: string, count: number): Promise<string[]> => {
    const ids = Array.from({ length: count }, (_, at) => derivedId('order', name, String(at)));
    await Promise.all(ids.map((id) => webhooks.append(`order-${id}`, NO_STREAM, ...order(id))));
    return ids;
  };
  /** Repeats the check until it succeeds. If attempts failed, lets time pass, so that they are repeated soon. */
  const afterRepetitions = (check: () => Promise<void>): Promise<void> =>
    eventually(() =>
      check().catch(async (error: unknown) => {
        if ((await failedAttempts()) > 0) WebhooksUnderTest.aheadMs += 1_000;
        throw error;
      }),
    );
  /** Each entry of the outbox has one delivery, which succeeded exactly once. */
  const allRecordedOnce = (endpointId: string, count: number): Promise<void> =>
    afterRepetitions(async () => {
      const entries = await webhooks.outbox(CHILD);
      expect(entries).toHaveLength(count);
      expect(new Set(entries.map(({ envelope }) => envelope.eventId)).size).toBe(count);
      for (const { envelope } of entries) {
        const facts = (await webhooks.engines.store.read(
          `delivery-${deliveryIdOf(envelope.eventId, endpointId)}`,
        )) as unknown as DeliveryEvent[];
        expect([envelope.eventType, facts.filter(({ type }) => TOLD.includes(type)).length]).toEqual([
          envelope.eventType,
          1,
        ]);
      }
    });
  /** How often each event was received, by its id. */
  const sendings = (path: string): ReadonlyMap<string, number> => {
    const times = new Map<string, number>();
    for (const { id } of receiver.delivered(path)) times.set(id, (times.get(id) ?? 0) + 1);
    return times;
  };
  /** The attempts of the running process that did not end with a response of 200. */
  const failedAttempts = async (): Promise<number> => {
    const text = await webhooks.engines.metrics.registry.metrics();
    const counts = text.matchAll(/^ponte_webhook_attempts_total\{outcome="(?!delivered)[a-z-]+"\} (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  /**
   * All requests are signed and repetitions are identical. If no attempt failed, the first ones are in the order of the
   * resource. Otherwise the contract allows the next event to go first.
   */
  const expectOneForm = (path: string, ids: readonly string[], failed: number): void => {
    const heard = receiver.delivered(path);
    expect(heard.every(({ verified, id, body }) => verified && body['event-id'] === id)).toBe(true);
    expect(new Set(heard.map(({ id }) => id)).size).toBe(3 * ids.length);
    expect(new Set(heard.map(({ body }) => JSON.stringify(body))).size).toBe(3 * ids.length);
    for (const order of ids) {
      const sequences = new Set(
        heard.filter(({ body }) => body['resource-id'] === order).map(({ body }) => Number(body['sequence'])),
      );
      expect(failed > 0 ? [...sequences].sort((a, b) => a - b) : [...sequences]).toEqual([1, 2, 3]);
    }
  };

  beforeAll(async () => {
    receiver = await Receiver.listen();
  });
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(async () => {
    await webhooks.stop();
    folder.remove();
  });
  afterAll(() => receiver.close());

  it('end once, and repeat the same id, when two processes hold the leases because one was thought dead', async () => {
    webhooks = await WebhooksUnderTest.start(folder.path);
    const endpointId = await webhooks.endpoint(receiver, '/both');
    const other = await webhooks.otherHolder();
    const ids = await place('both', ORDERS);
    await allRecordedOnce(endpointId, 3 * ORDERS);
    await other.stop();
    expectOneForm('/both', ids, await failedAttempts());
    // Both processes sent requests; otherwise the test would prove nothing.
    expect(receiver.delivered('/both').length).toBeGreaterThan(3 * ORDERS);
  });

  it('are sent again with the same ids after a crash, by the hundred, and are then recorded once', async () => {
    webhooks = await WebhooksUnderTest.start(folder.path, withoutAnswerFor(...TOLD));
    const endpointId = await webhooks.endpoint(receiver, '/died');
    const ids = await place('died', MANY);
    // On a slow machine an attempt may time out. The attempts without an outcome then keep others from being sent.
    await eventually(async () =>
      expect(sendings('/died').size === 3 * MANY || (await failedAttempts()) > 0).toBe(true),
    );
    const failedBefore = await failedAttempts();
    const before = [...sendings('/died').keys()];
    await webhooks.crash();
    webhooks = await WebhooksUnderTest.start(folder.path);
    await allRecordedOnce(endpointId, 3 * MANY);
    const failed = failedBefore + (await failedAttempts());
    expectOneForm('/died', ids, failed);
    const after = sendings('/died');
    expect(before.filter((id) => (after.get(id) ?? 0) < 2)).toEqual([]);
    // Each process sends an event once, and again after each failed attempt.
    const repeated = [...after.values()].reduce((sum, times) => sum + Math.max(0, times - 2), 0);
    expect(repeated).toBeLessThanOrEqual(failed);
  });

  it('are reported to operators until they are recorded', async () => {
    let isRefusing = true;
    webhooks = await WebhooksUnderTest.start(folder.path, (store) =>
      otherwise(store, {
        append: async (stream, ...rest) => {
          if (isRefusing && stream.startsWith('delivery-')) throw new Error('this append is refused');
          return store.append(stream, ...rest);
        },
      }),
    );
    const { operator, metrics } = webhooks.engines;
    const endpointId = await webhooks.endpoint(receiver, '/refused');
    await place('refused', 1);
    await eventually(async () => {
      expect(await metrics.registry.metrics()).toMatch(/^ponte_webhook_schedules_failing 1$/m);
      expect(await operator.troubles()).toMatchObject([{ trouble: expect.stringContaining(CHILD) }]);
    });
    isRefusing = false;
    await allRecordedOnce(endpointId, 3);
    await eventually(async () => {
      expect(await metrics.registry.metrics()).toMatch(/^ponte_webhook_schedules_failing 0$/m);
      expect(await operator.troubles()).toEqual([]);
    });
  });
});
