import type { Recorded } from '@ponte/event-sourcing';
import { NO_STREAM, PARKED_NOT_IN_LOG } from '@ponte/event-sourcing';
import { eventsOf, freshId, MemoryParkedEvents } from '@ponte/testing';
import { store, useBusesForEachTest } from '../bus-under-test.testing';
import { EventHandler, Tries } from '../event-handler';
import { isByOutage } from '../outages';
import { setUp as setUpMembers } from './release-under-test.testing';

useBusesForEachTest();

const tries = () => new Tries({ failed: [], unavailable: [] });

/** The only event of a stream, parked as one that the log does not have. */
async function setUp() {
  const parkedEvents = new MemoryParkedEvents();
  const handled: string[] = [];
  const handler = new EventHandler(
    { parked: parkedEvents, logger: { warn: () => undefined, error: () => undefined }, systemNow: () => 0 },
    { group: 'g', service: 'ledger', consume: async ({ id }) => void handled.push(id) },
    {},
  );
  await store.append('deposit-1', NO_STREAM, eventsOf(freshId(), {}));
  const [event] = (await store.read('deposit-1')) as [Recorded];
  await parkedEvents.add({ group: 'g', key: event.stream, event, reason: PARKED_NOT_IN_LOG, parkedAt: '' });
  await handler.loadParked();
  const waiting = async () => (await parkedEvents.list('g')).map(({ event: { id }, reason }) => [id, reason]);
  return { parkedEvents, handler, event, handled, waiting };
}

describe('an event that an operator removes because the log does not have it, and that is recorded again', () => {
  test('stays parked if it is delivered before it is removed', async () => {
    const { parkedEvents, handler, event, handled, waiting } = await setUp();
    await parkedEvents.removeUndone('g', event.id, event.revision, async () => {
      await handler.handle(event, tries());
      return false;
    });
    expect([await waiting(), handled]).toEqual([[[event.id, PARKED_NOT_IN_LOG]], []]);
  });

  test('is handled if it is removed while it is delivered', async () => {
    const { parkedEvents, handler, event, handled, waiting } = await setUp();
    const place = parkedEvents.place.bind(parkedEvents);
    jest.spyOn(parkedEvents, 'place').mockImplementationOnce(async (...of) => {
      const found = await place(...of);
      await parkedEvents.removeUndone('g', event.id, event.revision, async () => false);
      return found;
    });
    await handler.handle(event, tries());
    expect([await waiting(), handled]).toEqual([[], [event.id]]);
  });

  test('is removed anyway if a broker only delivers what the log does not have', async () => {
    const { parkedEvents, handler, event, handled, waiting } = await setUp();
    await parkedEvents.removeUndone('g', event.id, event.revision, async () => {
      await handler.handle(event, tries(), { refusal: PARKED_NOT_IN_LOG });
      return false;
    });
    expect([await waiting(), handled]).toEqual([[], []]);
  });
});

test('an event that is delivered again while another member releases it does not stay parked', async () => {
  const { parked, handler, member, events, handled, park, waiting } = await setUpMembers('WW');
  const other = member();
  await park(0, { reason: 'Unavailable: chain-unavailable: later' });
  for (const one of [handler, other]) await one.loadParked();
  const place = parked.place.bind(parked);
  jest.spyOn(parked, 'place').mockImplementationOnce(async (...of) => {
    const found = await place(...of);
    await other.replay('order-1', isByOutage);
    return found;
  });
  for (const event of events) await handler.handle(event, tries());
  expect(await waiting()).toEqual([]);
  expect([...new Set(handled)]).toEqual([0, 1]);
});
