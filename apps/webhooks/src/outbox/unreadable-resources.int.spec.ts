import 'reflect-metadata';
import type { EventStore, Recorded } from '@ponte/event-sourcing';
import { NO_STREAM } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import { CHILD, order, PARTNER } from '../testing/fixtures';
import { Receiver } from '../testing/receiver';
import { otherwise } from '../testing/shared-engines';
import { WebhooksUnderTest } from '../testing/webhooks-under-test';
import { OUTBOX_READER } from './reader-progress.service';

const PATIENCE_MS = 20_000;

const BAD = derivedId('order', 'unreadable');
const BAD_STREAM = `order-${BAD}`;
const GOOD = ['first', 'second', 'third'].map((name) => derivedId('order', name));

describe('a resource whose stream cannot be read', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let receiver: Receiver;
  let webhooks: WebhooksUnderTest;
  let isUnreadable: boolean;
  let isUnusable: boolean;

  const refusing = (store: EventStore): EventStore =>
    otherwise(store, {
      read: async (stream, ...rest) => {
        if (isUnreadable && stream === BAD_STREAM) throw new Error('this stream is corrupt');
        return store.read(stream, ...rest);
      },
      append: async (stream, ...rest) => {
        if (isUnusable && stream === `outbox-${CHILD}`) throw new Error('this stream cannot be written');
        return store.append(stream, ...rest);
      },
    });
  const restart = async (): Promise<void> => {
    await webhooks.crash();
    webhooks = await WebhooksUnderTest.start(folder.path, refusing);
  };
  const place = (at: number): Promise<void> =>
    webhooks.append(`order-${GOOD[at]}`, NO_STREAM, ...order(String(GOOD[at])));
  /** Without repeated deliveries, which a slow machine may cause. */
  const sequences = (path: string, id: string): unknown[] => {
    const delivered = receiver.delivered(path).filter(({ body }) => body['resource-id'] === id);
    return [...new Map(delivered.map((one) => [one.id, one.body['sequence']])).values()];
  };
  const delivered = (id: string, expected: readonly number[]): Promise<void> =>
    eventually(() => {
      for (const path of ['/parent', '/child']) expect([path, sequences(path, id)]).toEqual([path, expected]);
    }, PATIENCE_MS);
  /** The checkpoint is at or after the last event of a stream, so the reader starts after it. */
  const passed = (stream: string): Promise<void> =>
    eventually(async () => {
      const { checkpoints, store } = webhooks.engines;
      const [place, last] = [await checkpoints.load(OUTBOX_READER), (await store.read(stream)).at(-1)];
      expect(place !== undefined && last && store.comparePositions(place, last.position) >= 0).toBe(true);
    }, PATIENCE_MS);
  const parked = async (): Promise<number[]> =>
    (await webhooks.engines.parkedEvents.list(OUTBOX_READER, BAD_STREAM)).map(({ event }) => event.revision);
  const release = async (signal = new AbortController().signal): Promise<string | undefined> =>
    webhooks.engines.duties.get('parked release')?.carryOut({ group: OUTBOX_READER, key: BAD_STREAM }, signal);
  const expectOneOutboxEntryEach = async (): Promise<void> => {
    for (const accountId of [CHILD, PARTNER]) {
      const entries = (await webhooks.outbox(accountId)).map(({ envelope }) => envelope);
      expect(new Set(entries.map(({ eventId }) => eventId)).size).toBe(entries.length);
      expect(entries.filter(({ resourceId }) => resourceId === BAD).map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    }
  };

  beforeEach(async () => {
    receiver = await Receiver.listen();
    folder = temporaryFolder();
    isUnreadable = isUnusable = false;
    webhooks = await WebhooksUnderTest.start(folder.path, refusing);
    await webhooks.endpoint(receiver, '/parent', PARTNER);
    await webhooks.endpoint(receiver, '/child', CHILD);
    await webhooks.append(BAD_STREAM, NO_STREAM, order(BAD)[0]);
    await delivered(BAD, [1]);
    await passed(BAD_STREAM);
    isUnreadable = true;
    await restart();
    await webhooks.append(BAD_STREAM, 0, order(BAD)[1]);
    await place(0);
    await webhooks.append(BAD_STREAM, 1, order(BAD)[2]);
  });
  afterEach(async () => {
    await webhooks.stop();
    await receiver.close();
    folder.remove();
  });

  it('is parked with its later events, while all others are delivered, until it is released', async () => {
    await delivered(String(GOOD[0]), [1, 2, 3]);
    await eventually(async () => expect(await parked()).toEqual([1, 2]), PATIENCE_MS);
    expect(await webhooks.engines.metrics.registry.metrics()).toContain(
      `ponte_parked_streams{group="${OUTBOX_READER}"} 1`,
    );
    await expect(release()).rejects.toThrow('stay parked');
    isUnreadable = false;
    expect(await release()).toContain('2 published');
    await delivered(BAD, [1, 2, 3]);
    expect(await parked()).toEqual([]);
    await place(1);
    await delivered(String(GOOD[1]), [1, 2, 3]);
    await expectOneOutboxEntryEach();
    expect(await release()).toContain('released before');
  });

  it('gets its events once when the reader starts again, before and after they were released', async () => {
    await eventually(async () => expect(await parked()).toEqual([1, 2]), PATIENCE_MS);
    isUnreadable = false;
    await restart();
    await place(1);
    await delivered(String(GOOD[1]), [1, 2, 3]);
    expect(sequences('/child', BAD)).toEqual([1]);
    await release();
    await delivered(BAD, [1, 2, 3]);
    await passed(`order-${GOOD[1]}`);
    await webhooks.engines.rewindable
      .get(OUTBOX_READER)
      ?.rewind((fence) => webhooks.engines.operator.place(OUTBOX_READER, undefined, fence));
    await place(2);
    await delivered(String(GOOD[2]), [1, 2, 3]);
    await delivered(BAD, [1, 2, 3]);
    await expectOneOutboxEntryEach();
  });

  it('gets its events once when the process dies after they were released, before they are all published', async () => {
    await eventually(async () => expect(await parked()).toEqual([1, 2]), PATIENCE_MS);
    isUnreadable = false;
    isUnusable = true;
    const stopped = new AbortController();
    const ended = release(stopped.signal).catch(() => undefined);
    await delivered(BAD, [1, 2, 3]);
    expect(await parked()).toEqual([1, 2]);
    stopped.abort();
    await ended;
    isUnusable = false;
    await restart();
    await eventually(async () => expect(await parked()).toEqual([]), PATIENCE_MS);
    await expectOneOutboxEntryEach();
    expect(new Set(receiver.delivered('/child').map(({ id }) => id)).size).toBe(6);
  });

  it('is parked when an event cannot be decoded', async () => {
    const bad = derivedId('order', 'undecodable');
    await webhooks.append(`order-${bad}`, NO_STREAM, order(bad)[0]);
    const [recorded] = await webhooks.engines.store.read(`order-${bad}`);
    const { type, data, meta } = recorded as Recorded;
    const later = { id: derivedId('event', 'later'), type, data, meta, version: 99 };
    await webhooks.engines.store.append(`order-${bad}`, 0, [later]);
    await place(1);
    await delivered(String(GOOD[1]), [1, 2, 3]);
    await eventually(async () => {
      const [row, ...others] = await webhooks.engines.parkedEvents.list(OUTBOX_READER, `order-${bad}`);
      expect([row?.event.id, row?.reason, others]).toEqual([later.id, expect.stringContaining('UnknownEvent'), []]);
    }, PATIENCE_MS);
  });
});
