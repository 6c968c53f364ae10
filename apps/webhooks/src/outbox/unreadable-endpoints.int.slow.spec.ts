import 'reflect-metadata';
import type { EventStore } from '@ponte/event-sourcing';
import { NO_STREAM } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import { CHILD, order, PARTNER } from '../testing/fixtures';
import { OUTBOX_READER } from './reader-progress.service';
import { Receiver } from '../testing/receiver';
import { otherwise } from '../testing/shared-engines';
import { WebhooksUnderTest } from '../testing/webhooks-under-test';

/** More events than the publications that the service keeps in memory. */
const ORDERS = 750;
const EVENTS = 3 * ORDERS;
const PATIENCE_MS = 60_000;
jest.setTimeout(300_000);

describe('an account whose endpoints cannot be read', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let receiver: Receiver;
  let webhooks: WebhooksUnderTest;
  let isUnreadable = false;

  const refusing = (store: EventStore): EventStore =>
    otherwise(store, {
      read: async (stream, ...rest) => {
        if (isUnreadable && stream === `webhookEndpoint-${CHILD}`) throw new Error('this stream is corrupt');
        return store.read(stream, ...rest);
      },
    });
  const place = async (from: number, to: number): Promise<void> => {
    for (let at = from; at < to; at += 50) {
      const ids = Array.from({ length: 50 }, (_, one) => derivedId('order', 'unreadable', String(at + one)));
      await Promise.all(ids.map((id) => webhooks.append(`order-${id}`, NO_STREAM, ...order(id))));
    }
  };
  const received = (path: string) => new Set(receiver.delivered(path).map(({ id }) => id)).size;
  const all = (path: string, count: number): Promise<void> =>
    eventually(() => {
      expect(received(path)).toBe(count);
    }, PATIENCE_MS);
  /** The highest sequence of each resource that was delivered in order, without one that was overtaken. */
  const expectInOrder = (path: string): void => {
    const last = new Map<string, number>();
    for (const { body } of receiver.delivered(path)) {
      const { 'resource-id': id, sequence } = body as unknown as { 'resource-id': string; sequence: number };
      expect(sequence).toBeLessThanOrEqual((last.get(id) ?? 0) + 1);
      last.set(id, Math.max(sequence, last.get(id) ?? 0));
    }
  };
  const restart = async (): Promise<void> => {
    await webhooks.crash();
    webhooks = await WebhooksUnderTest.start(folder.path, refusing);
  };

  beforeEach(async () => {
    receiver = await Receiver.listen();
    folder = temporaryFolder();
    isUnreadable = false;
    webhooks = await WebhooksUnderTest.start(folder.path, refusing);
    await webhooks.endpoint(receiver, '/parent', PARTNER);
    await webhooks.endpoint(receiver, '/child', CHILD);
    isUnreadable = true;
    await restart();
  });
  afterEach(async () => {
    await webhooks.stop();
    await receiver.close();
    folder.remove();
  });

  it('delays no other account, and gets all of its webhooks in order when they can be read again', async () => {
    await place(0, ORDERS);
    await all('/parent', EVENTS);
    expect(received('/child')).toBe(0);
    await eventually(async () =>
      expect((await webhooks.engines.operator.troubles())[0]).toMatchObject({
        reader: OUTBOX_READER,
        trouble: expect.stringContaining(CHILD),
      }),
    );
    isUnreadable = false;
    await all('/child', EVENTS);
    await place(ORDERS, ORDERS + 50);
    await all('/child', EVENTS + 150);
    await all('/parent', EVENTS + 150);
    expectInOrder('/child');
    await eventually(async () => {
      expect(await webhooks.engines.operator.troubles()).toEqual([]);
    });
  });

  it('gets all of its webhooks when the process dies meanwhile', async () => {
    await place(0, 100);
    await all('/parent', 300);
    isUnreadable = false;
    await restart();
    await all('/child', 300);
    expectInOrder('/child');
  });
});
