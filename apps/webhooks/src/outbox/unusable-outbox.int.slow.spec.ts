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

describe('an account whose outbox cannot be written', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let receiver: Receiver;
  let webhooks: WebhooksUnderTest;
  let isUnusable = true;

  const refusing = (store: EventStore): EventStore =>
    otherwise(store, {
      append: async (stream, ...rest) => {
        if (isUnusable && stream === `outbox-${CHILD}`) throw new Error('this stream was deleted');
        return store.append(stream, ...rest);
      },
    });
  const place = async (from: number, to: number): Promise<void> => {
    for (let at = from; at < to; at += 50) {
      const ids = Array.from({ length: 50 }, (_, one) => derivedId('order', 'unusable', String(at + one)));
      await Promise.all(ids.map((id) => webhooks.append(`order-${id}`, NO_STREAM, ...order(id))));
    }
  };
  const occurrences = async (accountId: string) =>
    (await webhooks.outbox(accountId)).map(({ envelope }) => `${envelope.resourceId}/${envelope.sequence}`);
  const complete = (accountId: string, count: number): Promise<void> =>
    eventually(async () => {
      expect(await occurrences(accountId)).toHaveLength(count);
    }, PATIENCE_MS);

  beforeAll(async () => {
    receiver = await Receiver.listen();
  });
  beforeEach(async () => {
    folder = temporaryFolder();
    isUnusable = true;
    webhooks = await WebhooksUnderTest.start(folder.path, refusing);
  });
  afterEach(async () => {
    await webhooks.stop();
    folder.remove();
  });
  afterAll(() => receiver.close());

  it('delays no other account, and gets all of its events in order when it can be written again', async () => {
    await webhooks.endpoint(receiver, '/parent', PARTNER);
    await webhooks.endpoint(receiver, '/child', CHILD);
    await place(0, ORDERS);
    await complete(PARTNER, EVENTS);
    await eventually(() => {
      for (const path of ['/parent', '/child'])
        expect(new Set(receiver.delivered(path).map(({ id }) => id)).size).toBe(EVENTS);
    }, PATIENCE_MS);
    expect(await occurrences(CHILD)).toEqual([]);
    await eventually(async () =>
      expect((await webhooks.engines.operator.troubles())[0]).toMatchObject({
        reader: OUTBOX_READER,
        trouble: expect.stringContaining(CHILD),
      }),
    );
    isUnusable = false;
    await complete(CHILD, EVENTS);
    await place(ORDERS, ORDERS + 50);
    await complete(CHILD, EVENTS + 150);
    await complete(PARTNER, EVENTS + 150);
    expect(await occurrences(CHILD)).toEqual(await occurrences(PARTNER));
    await eventually(async () => expect(await webhooks.engines.operator.troubles()).toEqual([]));
  });

  it('gets all of its events when the process dies meanwhile', async () => {
    await place(0, ORDERS);
    await complete(PARTNER, EVENTS);
    await webhooks.crash();
    isUnusable = false;
    webhooks = await WebhooksUnderTest.start(folder.path, refusing);
    await complete(CHILD, EVENTS);
    expect(await occurrences(CHILD)).toEqual(await occurrences(PARTNER));
  });
});
