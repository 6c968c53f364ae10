import type { Recorded } from '@ponte/event-sourcing';
import { NO_STREAM, PARKED_AFTER_GAP, PARKED_BEHIND, PARKED_NOT_IN_LOG } from '@ponte/event-sourcing';
import { eventsOf, freshId, MemoryParkedEvents } from '@ponte/testing';
import { store, useBusesForEachTest } from '../bus-under-test.testing';
import { EventHandler, Tries } from '../event-handler';
import { isByOutage } from '../outages';

useBusesForEachTest();

const DISCARD = { actor: 'ana', why: 'x', discardedAt: '2026-01-01T00:00:00.000Z' };
const tries = () => new Tries({ failed: [], unavailable: [] });

function setUp() {
  const parkedEvents = new MemoryParkedEvents();
  let handled = 0;
  const handler = new EventHandler(
    { parked: parkedEvents, logger: { warn: () => undefined, error: () => undefined }, systemNow: () => 0 },
    { group: 'g', service: 'ledger', consume: async () => void (handled += 1) },
    {},
  );
  return { parkedEvents, handler, handled: () => handled };
}

test('an event that another process discarded and that is delivered again is neither handled nor parked', async () => {
  const { parkedEvents, handler, handled } = setUp();
  await store.append('deposit-1', NO_STREAM, eventsOf(freshId(), {}, {}, {}));
  const [bad, next, last] = (await store.read('deposit-1')) as [Recorded, Recorded, Recorded];
  for (const event of [bad, next])
    await parkedEvents.add({ group: 'g', key: event.stream, event, reason: '', parkedAt: '' });
  await handler.loadParked();
  await parkedEvents.discard('g', bad.id, DISCARD);
  await handler.handle(bad, tries());
  expect((await parkedEvents.list('g')).map(({ event }) => event.id)).toEqual([next.id]);
  await parkedEvents.discard('g', next.id, DISCARD);
  for (const event of [bad, next, last, bad, next]) await handler.handle(event, tries());
  expect([handled(), await parkedEvents.list()]).toEqual([1, []]);
});

test('a discarded event stays discarded if another process releases the rest of its stream while it is delivered', async () => {
  const { parkedEvents, handler, handled } = setUp();
  await store.append('deposit-1', NO_STREAM, eventsOf(freshId(), {}, {}));
  const [bad, next] = (await store.read('deposit-1')) as [Recorded, Recorded];
  for (const event of [bad, next])
    await parkedEvents.add({ group: 'g', key: event.stream, event, reason: '', parkedAt: '' });
  await handler.loadParked();
  await parkedEvents.discard('g', bad.id, DISCARD);
  const add = parkedEvents.add.bind(parkedEvents);
  jest.spyOn(parkedEvents, 'add').mockImplementation(async (parked) => {
    await add(parked);
    await parkedEvents.remove('g', next.id);
  });
  await handler.handle(bad, tries());
  expect([handled(), (await parkedEvents.discarded()).map(({ event }) => event.id)]).toEqual([0, [bad.id]]);
});

test('of an event that is recorded again after a restore, the one that the log has is parked, wherever it is now', async () => {
  const { parkedEvents, handler } = setUp();
  await store.append('deposit-1', NO_STREAM, eventsOf(freshId(), {}, {}));
  const [first, second] = (await store.read('deposit-1')) as [Recorded, Recorded];
  const undone = { ...second, revision: 7 };
  for (const event of [first, undone]) await handler.handle(event, tries(), { refusal: PARKED_NOT_IN_LOG });
  const waiting = async () => (await parkedEvents.list('g')).map(({ event, reason }) => [event.revision, reason]);
  await handler.handle(second, tries());
  expect(await waiting()).toEqual([
    [0, PARKED_NOT_IN_LOG],
    [1, PARKED_BEHIND],
  ]);
  await handler.handle(undone, tries(), { refusal: PARKED_NOT_IN_LOG });
  expect((await waiting())[1]).toEqual([1, PARKED_BEHIND]);
});

test('a gap behind a parked event is kept as a reason, so the end of an outage does not release the stream', async () => {
  const { parkedEvents, handler } = setUp();
  await store.append('deposit-1', NO_STREAM, eventsOf(freshId(), {}, {}, {}, {}));
  const [failed, behind, , next] = (await store.read('deposit-1')) as [Recorded, Recorded, Recorded, Recorded];
  const reason = 'Unavailable: chain-unavailable: later';
  await parkedEvents.add({ group: 'g', key: failed.stream, event: failed, reason, parkedAt: '' });
  await handler.loadParked();
  await handler.handle(behind, tries());
  expect(await handler.outages(() => true)).toEqual(['deposit-1']);
  await handler.handle(next, tries(), { refusal: 'earlier events are missing' });
  expect((await parkedEvents.list('g')).map((one) => one.reason)).toEqual([
    reason,
    'waits behind an earlier event of its stream',
    'earlier events are missing',
  ]);
  expect(await handler.outages(() => true)).toEqual([]);
});

test.each([
  ['waits behind it', PARKED_BEHIND, true, 2],
  ['comes after a gap', PARKED_AFTER_GAP, false, 1],
])('a release after an outage, while which an event is parked that %s', async (_what, reason, isReleased, count) => {
  const { parkedEvents, handler, handled } = setUp();
  await store.append('deposit-1', NO_STREAM, eventsOf(freshId(), {}, {}, {}));
  const [failed, , next] = (await store.read('deposit-1')) as [Recorded, Recorded, Recorded];
  const parked = { group: 'g', key: failed.stream, parkedAt: '' };
  await parkedEvents.add({ ...parked, event: failed, reason: 'Unavailable: chain-unavailable: later' });
  await handler.loadParked();
  const remove = parkedEvents.remove.bind(parkedEvents);
  jest.spyOn(parkedEvents, 'remove').mockImplementationOnce(async (...event) => {
    await remove(...event);
    await parkedEvents.add({ ...parked, event: next, reason });
  });
  expect(await handler.replay('deposit-1', isByOutage)).toBe(isReleased);
  expect([handled(), (await parkedEvents.list('g')).length]).toEqual([count, 2 - count]);
});

test('a release after an outage does not begin if the stream has since been parked for another reason', async () => {
  const { parkedEvents, handler, handled } = setUp();
  await store.append('deposit-1', NO_STREAM, eventsOf(freshId(), {}));
  const [event] = (await store.read('deposit-1')) as [Recorded];
  await parkedEvents.add({ group: 'g', key: event.stream, event, reason: PARKED_AFTER_GAP, parkedAt: '' });
  await handler.loadParked();
  expect([await handler.replay('deposit-1', isByOutage), handled()]).toEqual([false, 0]);
  expect([await handler.replay('deposit-1'), handled()]).toEqual([true, 1]);
});

test('a stream that is parked while the parked streams are read stays parked', async () => {
  const { parkedEvents, handler, handled } = setUp();
  await store.append('deposit-1', NO_STREAM, eventsOf(freshId(), {}, {}));
  const [failed, next] = (await store.read('deposit-1')) as [Recorded, Recorded];
  const keys = parkedEvents.keys.bind(parkedEvents);
  jest.spyOn(parkedEvents, 'keys').mockImplementationOnce(async (group) => {
    const read = await keys(group);
    await handler.handle(failed, tries(), { refusal: 'TypeError' });
    return read;
  });
  await handler.loadParked();
  await handler.handle(next, tries());
  expect(handled()).toBe(0);
  expect((await parkedEvents.list('g')).map(({ reason }) => reason)).toEqual(['TypeError', PARKED_BEHIND]);
});

test('parking many events behind one reads only a few of them each time', async () => {
  const { parkedEvents, handler } = setUp();
  const count = 200;
  await store.append('deposit-1', NO_STREAM, eventsOf(freshId(), ...Array.from({ length: count }, () => ({}))));
  const list = parkedEvents.list.bind(parkedEvents);
  let read = 0;
  jest.spyOn(parkedEvents, 'list').mockImplementation(async (...of) => {
    const parked = await list(...of);
    read += parked.length;
    return parked;
  });
  const [first, ...others] = await store.read('deposit-1', { limit: count });
  await handler.handle(first as Recorded, tries(), { refusal: 'TypeError' });
  for (const event of others) await handler.handle(event, tries());
  expect([(await list('g')).length, read]).toEqual([count, expect.any(Number)]);
  expect(read).toBeLessThan(3 * count);
});

test('the search for streams that an outage parked is one query, and none while nothing is parked', async () => {
  const { parkedEvents, handler } = setUp();
  const [list, reasons] = [jest.spyOn(parkedEvents, 'list'), jest.spyOn(parkedEvents, 'reasons')];
  expect([await handler.outages(() => true), reasons.mock.calls.length]).toEqual([[], 0]);
  const streams = Array.from({ length: 30 }, (_, at) => `deposit-${at}`);
  for (const one of streams) {
    await store.append(one, NO_STREAM, eventsOf(freshId(), {}));
    const [event] = (await store.read(one)) as [Recorded];
    const reason = one.endsWith('1') ? 'TypeError' : 'Unavailable: chain-unavailable: later';
    await handler.handle(event, tries(), { refusal: reason });
  }
  list.mockClear();
  const outageKeys = await handler.outages((key) => key !== 'deposit-5');
  expect([...outageKeys].sort()).toEqual(streams.filter((one) => !one.endsWith('1') && one !== 'deposit-5').sort());
  expect([list.mock.calls.length, reasons.mock.calls.length]).toEqual([0, 1]);
});

test('the search reads many parked events in pages, and lets other work run in between', async () => {
  const { parkedEvents, handler } = setUp();
  const [group, parkedAt] = ['g', ''];
  const [event] = eventsOf(freshId(), {}) as [Recorded];
  // A page begins within deposit-2. Of deposit-3, only the last event, on another page, was not parked by an outage.
  const length = { 'deposit-1': 999, 'deposit-2': 2, 'deposit-3': 1_000, 'deposit-4': 1 };
  for (const [key, events] of Object.entries(length))
    for (let revision = 0; revision < events; revision += 1) {
      const isLast = key === 'deposit-3' && revision === events - 1;
      const reason = isLast ? 'TypeError' : revision === 0 ? 'Unavailable: chain-unavailable: later' : PARKED_BEHIND;
      const recorded = { ...event, id: `${key}-${revision}`, stream: key, revision };
      await parkedEvents.add({ group, key, event: recorded, reason, parkedAt });
    }
  await handler.loadParked();
  const list = jest.spyOn(parkedEvents, 'list');
  const read = parkedEvents.reasons.bind(parkedEvents);
  const steps: string[] = [];
  jest.spyOn(parkedEvents, 'reasons').mockImplementation(async (...of) => {
    const page = await read(...of);
    steps.push(`page of ${page.length}`);
    setImmediate(() => steps.push('other work'));
    return page;
  });
  expect(await handler.outages(() => true)).toEqual(['deposit-1', 'deposit-2', 'deposit-4']);
  expect(steps).toEqual([...Array(2).fill(['page of 1000', 'other work']).flat(), 'page of 2']);
  expect(list).not.toHaveBeenCalled();
});
