import type { Recorded } from '@ponte/event-sourcing';
import { PARKED_AFTER_GAP, PARKED_BEHIND } from '@ponte/event-sourcing';
import { KeyedQueue } from '@ponte/concurrency';
import { MemoryParkedEvents } from '@ponte/testing';
import { Delivery } from '../consumers/delivery';
import { toEnvelope } from '../envelope';
import { received } from '../received-message.testing';
import { FanOut } from './fan-out';

const [GROUP, STREAM, SERVICE] = ['ledger', 'order-1', 'orders'];
const WANTED = 'OrderPlaced';

/** The type of each revision of the stream: the group wants `W`, not `u`. */
function setUp(types: string) {
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
  const fanOut = new FanOut({ serviceOf: () => SERVICE, deliveries: [delivery], queue, logger, deadLetter });
  fanOut.joined();
  let offset = -1;
  /** Receives events of the stream in the same partition, and waits until all are finished. */
  const receive = async (...revisions: number[]): Promise<void> => {
    await Promise.all(
      revisions.map(
        (revision) =>
          new Promise<void>((done) => {
            const event: Recorded = {
              ...{ id: `e${revision}`, stream: STREAM, revision, position: String(revision), version: 1, data: {} },
              type: types[revision] === 'W' ? WANTED : 'OrderNoted',
              meta: { commandId: 'c', index: 0, count: 1, occurredAt: '2026-01-01T00:00:00.000Z', correlationId: 'c' },
            };
            offset += 1;
            fanOut.take({
              topic: 'orders.events',
              partition: 0,
              message: { ...received({ key: STREAM, value: toEnvelope(SERVICE, event) }), offset: String(offset) },
              isOurs: () => true,
              before: async () => undefined,
              reach: () => undefined,
              done,
            });
          }),
      ),
    );
  };
  const waiting = async () => (await parked.list(GROUP)).map(({ event, reason }) => [event.revision, reason]);
  return { receive, handled, waiting };
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
