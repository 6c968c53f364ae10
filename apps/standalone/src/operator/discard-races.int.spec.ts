import type { ParkedEvent, Recorded } from '@ponte/event-sourcing';
import { PARKED_AFTER_GAP } from '@ponte/event-sourcing';
import type { OperatorTools } from '@ponte/operator';
import { operatorVerbs } from '@ponte/operator';
import { eventsOf, freshId, MemoryParkedEvents } from '@ponte/testing';

const GROUP = 'ledger';

function setUp() {
  const parked = new MemoryParkedEvents();
  const rows = eventsOf(freshId(), {}, {}).map((event, revision): ParkedEvent => {
    const recorded = { ...event, stream: 'order-1', revision: revision + 5, position: String(revision) } as Recorded;
    return { ...{ group: GROUP, key: 'order-1', event: recorded }, reason: 'TypeError', parkedAt: '' };
  }) as [ParkedEvent, ParkedEvent];
  const actions = { ask: async () => undefined, take: async () => true, end: async () => undefined };
  const tools = {
    ...{ parkedEvents: parked, operator: { actions }, rewindable: [], ids: { next: freshId } },
    systemClock: { now: () => 0 },
    readStream: async (_: string, revision: number) =>
      rows.filter(({ event }) => event.revision === revision).map(({ event }) => event),
    findEvent: async (_: string, { id }: Recorded) => rows.map(({ event }) => event).find((event) => event.id === id),
  };
  const discard = (id: string) =>
    operatorVerbs(
      async () => tools as unknown as OperatorTools,
      () => undefined,
    )
      .find((verb) => verb.name() === 'parked')
      ?.parseAsync(['discard', id, '--confirm', '--reason', 'x'], { from: 'user' });
  return { parked, rows, discard };
}

test('an event that another operator released meanwhile is not parked again to mark the gap', async () => {
  const { parked, rows, discard } = setUp();
  const [one, next] = rows;
  await parked.add({ ...one, reason: PARKED_AFTER_GAP });
  await parked.add(next);
  const list = parked.list.bind(parked);
  jest.spyOn(parked, 'list').mockImplementationOnce(async (...of) => {
    const found = await list(...of);
    for (const { event } of rows) await parked.remove(GROUP, event.id);
    return found;
  });
  await expect(discard(one.event.id)).rejects.toThrow('is not parked: it was released and handled, or never parked');
  expect([await parked.list(), await parked.discarded()]).toEqual([[], []]);
});

test('a gap that cannot be discarded now is not left to the next event', async () => {
  const { parked, rows, discard } = setUp();
  const [one, next] = rows;
  await parked.add({ ...one, reason: PARKED_AFTER_GAP });
  await parked.add(next);
  const earlier = { ...one, event: { ...one.event, id: 'earlier', revision: 4 } };
  const list = parked.list.bind(parked);
  jest.spyOn(parked, 'list').mockImplementationOnce(async (...of) => {
    const found = await list(...of);
    await parked.add(earlier);
    return found;
  });
  await expect(discard(one.event.id)).rejects.toThrow();
  expect(await parked.list()).toEqual([earlier, { ...one, reason: PARKED_AFTER_GAP }, next]);
});
