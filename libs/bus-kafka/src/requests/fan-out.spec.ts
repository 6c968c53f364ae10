import type { Recorded } from '@ponte/event-sourcing';
import { PARKED_AFTER_GAP, PARKED_BEHIND } from '@ponte/event-sourcing';
import { KeyedQueue } from '@ponte/concurrency';
import { MemoryParkedEvents } from '@ponte/testing';
import { Delivery } from '../consumers/delivery';
import { toEnvelope } from '../envelope';
import type { PublishedLog } from '../partitions/published-log';
import { received } from '../received-message.testing';
import { FanOut } from './fan-out';

const [GROUP, STREAM, SERVICE] = ['ledger', 'order-1', 'orders'];
const WANTED = 'OrderPlaced';

/**
 * The type of each revision of the stream: the group wants `W`, not `u`. `reached` is the greatest position that was
 * received before; with it, the consumer can ask the log.
 */
function setUp(types: string, reached?: number) {
  const parked = new MemoryParkedEvents();
  const handled: number[] = [];
  const queue = new KeyedQueue(1);
  const logger = { error: () => undefined, warn: () => undefined, info: () => undefined } as never;
  const deadLetter = async (): Promise<void> => undefined;
  const delivery = new Delivery(
    {
      parked,
      queue,
      logger,
      systemNow: Date.now,
      retries: { failed: [], unavailable: [] },
      isOurs: () => true,
      deadLetter,
    },
    { group: GROUP, service: SERVICE, types: [WANTED], consume: async ({ revision }) => void handled.push(revision) },
  );
  const eventAt = (revision: number): Recorded => ({
    ...{ id: `e${revision}`, stream: STREAM, revision, position: String(revision), version: 1, data: {} },
    type: types[revision] === 'W' ? WANTED : 'OrderNoted',
    meta: { commandId: 'c', index: 0, count: 1, occurredAt: '2026-01-01T00:00:00.000Z', correlationId: 'c' },
  });
  const log: PublishedLog = {
    read: async (_stream, { from = 0, limit = Infinity } = {}) =>
      [...types].map((_, at) => eventAt(at)).slice(from, from + limit),
    comparePositions: (a, b) => Number(a) - Number(b),
  };
  const fanOut = new FanOut({
    ...{ serviceOf: () => SERVICE, deliveries: [delivery], queue, logger, deadLetter },
    log: reached === undefined ? undefined : log,
  });
  const place = reached === undefined ? undefined : { offset: 0n, position: String(reached) };
  fanOut.joined();
  let offset = -1;
  /** Receives events of the stream in the same partition, and waits until all are finished. */
  const receive = async (...revisions: number[]): Promise<void> => {
    await Promise.all(
      revisions.map(
        (revision) =>
          new Promise<void>((done) => {
            offset += 1;
            fanOut.take({
              topic: 'orders.events',
              partition: 0,
              message: {
                ...received({ key: STREAM, value: toEnvelope(SERVICE, eventAt(revision)) }),
                offset: String(offset),
              },
              isOurs: () => true,
              isBacklog: false,
              before: async () => place,
              reach: () => undefined,
              done,
            });
          }),
      ),
    );
  };
  const waiting = async () => (await parked.list(GROUP)).map(({ event, reason }) => [event.revision, reason]);
  return { receive, handled, waiting, parked, eventAt, delivery };
}

describe('a gap that is shown by an event that the group does not want', () => {
  it('parks the next event that the group wants', async () => {
    const { receive, handled, waiting } = setUp('WWuuW');
    await receive(0, 3, 4);
    expect([handled, await waiting()]).toEqual([[0], [[4, PARKED_AFTER_GAP]]]);
  });

  it('parks nothing once all missing events were published again', async () => {
    const { receive, handled, waiting } = setUp('WWuuWW');
    await receive(0, 3);
    await receive(0, 1, 2, 3, 4, 5);
    expect([handled, await waiting()]).toEqual([[0, 1, 4, 5], []]);
  });

  it('stays if only some of the missing events were published again', async () => {
    const { receive, handled, waiting } = setUp('WWuuW');
    await receive(0, 3);
    await receive(2, 3, 4);
    expect([handled, await waiting()]).toEqual([[0], [[4, PARKED_AFTER_GAP]]]);
  });

  it('parks a missing event that comes without the one before it, so that neither is lost', async () => {
    const { receive, handled, waiting } = setUp('WWWuW');
    await receive(0, 3);
    await receive(2);
    expect([handled, await waiting()]).toEqual([[0], [[2, PARKED_AFTER_GAP]]]);
    await receive(0, 1, 2, 3, 4);
    expect([handled, await waiting()]).toEqual([
      [0],
      [
        [1, PARKED_BEHIND],
        [2, PARKED_AFTER_GAP],
        [4, PARKED_BEHIND],
      ],
    ]);
  });

  it('stays while another gap is filled', async () => {
    const { receive, handled, waiting } = setUp('WWuWuW');
    await receive(0, 2, 4);
    await receive(1, 2, 5);
    expect([handled, await waiting()]).toEqual([[0, 1], [[5, PARKED_AFTER_GAP]]]);
  });
});

it('each of two gaps is marked, so that a discard of the first mark does not hide the second', async () => {
  const { receive, handled, waiting } = setUp('WWWWWW');
  await receive(0, 2, 4, 5);
  expect([handled, await waiting()]).toEqual([
    [0],
    [
      [2, PARKED_AFTER_GAP],
      [4, PARKED_AFTER_GAP],
      [5, PARKED_BEHIND],
    ],
  ]);
});

it('of a gap that only the log shows, no missing event is handled without the one before it', async () => {
  const { receive, handled, waiting } = setUp('WWWWuW', 0);
  // The log has four events that the consumer did not get, and the relay was rewound too little.
  await receive(4);
  await receive(3);
  expect([handled, await waiting()]).toEqual([[], [[3, PARKED_AFTER_GAP]]]);
  await receive(1, 2, 3);
  expect([handled, (await waiting()).map(([revision]) => revision)]).toEqual([[], [1, 2, 3]]);
});

it('of a gap that only the log shows, nothing is parked once all missing events were published again', async () => {
  const { receive, handled, waiting } = setUp('WWWuW', 0);
  await receive(3);
  await receive(1, 2, 3, 4);
  expect([handled, await waiting()]).toEqual([[1, 2, 4], []]);
});

describe('a gap before an event that was', () => {
  it('discarded before parks the next event, which marks it', async () => {
    const { receive, handled, waiting, parked, eventAt, delivery } = setUp('WuuWW');
    await receive(0);
    await parked.add({ group: GROUP, key: STREAM, event: eventAt(3), reason: 'TypeError', parkedAt: '' });
    await parked.discard(GROUP, 'e3', { actor: 'ana', why: 'x', discardedAt: '' });
    delivery.refresh();
    await receive(2, 3, 4);
    expect([handled, await waiting()]).toEqual([[0], [[4, PARKED_AFTER_GAP]]]);
  });

  it('parked for another reason before is marked by that event', async () => {
    const { receive, parked, eventAt, delivery } = setUp('WWuWW');
    await receive(0);
    await parked.add({ group: GROUP, key: STREAM, event: eventAt(3), reason: 'TypeError', parkedAt: '' });
    delivery.refresh();
    await receive(2, 3, 4);
    expect(await parked.list(GROUP)).toMatchObject([
      { event: { revision: 3 }, reason: 'TypeError', missingFrom: 1 },
      { event: { revision: 4 }, reason: PARKED_BEHIND },
    ]);
  });
});
