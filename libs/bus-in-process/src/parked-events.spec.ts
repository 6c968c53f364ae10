import { Unavailable } from '@ponte/kernel';
import { NO_STREAM } from '@ponte/event-sourcing';
import { anEvent, eventsOf, eventually, freshId, MemoryParkedEvents } from '@ponte/testing';
import { store, kept, logged, bus, publish, useBusesForEachTest } from './bus-under-test.testing';

useBusesForEachTest();

test('a failing event is parked after its attempts; during an outage an event is retried until it is handled', async () => {
  const tries = { failing: 0, unavailable: 0 };
  const one = bus();
  one.consume({
    group: 'g',
    service: 'ledger',
    consume: async ({ stream }) => {
      if (stream === 'deposit-failing') {
        tries.failing += 1;
        throw new Error('no');
      }
      tries.unavailable += 1;
      if (tries.unavailable < 50) throw new Unavailable('chain-unavailable');
    },
  });
  await one.start();
  await publish('deposit-failing', {});
  const { position } = await publish('deposit-unavailable', {});
  await eventually(() => expect(tries).toEqual({ failing: 3, unavailable: 50 }));
  expect(kept.parked.map(({ key }) => key)).toEqual(['deposit-failing']);
  await eventually(() => expect(kept.saved).toBe(position));
  // Not every attempt of a long outage is logged.
  expect(
    logged.filter(({ fields }) => (fields as { stream?: string }).stream === 'deposit-unavailable').length,
  ).toBeLessThan(15);
});

test('events parked because of an outage are handled again automatically, in order; other parked events wait for an operator', async () => {
  await store.append('deposit-old', NO_STREAM, eventsOf(freshId(), { n: 1 }, { n: 2 }));
  await publish('deposit-poison', {});
  const events = [...(await store.read('deposit-old')), ...(await store.read('deposit-poison'))];
  const reasons = [
    'Unavailable: chain-unavailable: later',
    'waits behind an earlier event of its stream',
    'TypeError: at somewhere',
  ];
  const parkedEvents = new MemoryParkedEvents();
  for (const [at, event] of events.entries())
    await parkedEvents.add({ group: 'g', key: event.stream, event, reason: reasons[at] ?? '', parkedAt: '' });
  kept.saved = await store.head();
  const handled: unknown[] = [];
  let away = true;
  const one = bus({ outageReleaseMs: 5, parkedEvents });
  one.consume({
    group: 'g',
    service: 'ledger',
    consume: async ({ data }) => {
      if (away) throw new Unavailable('chain-unavailable');
      handled.push(data);
    },
  });
  await one.start();
  await eventually(() => expect(logged.some(({ message }) => message.includes('still cannot be handled'))).toBe(true));
  expect([(await parkedEvents.list()).length, handled]).toEqual([3, []]);
  away = false;
  await eventually(() => expect(handled).toEqual([{ n: 1 }, { n: 2 }]));
  await eventually(async () => expect((await parkedEvents.list()).map(({ key }) => key)).toEqual(['deposit-poison']));
});

test('the reader passes a failing event only after it is durably parked; failed storage is retried', async () => {
  kept.parkingFails = 1;
  const one = bus();
  one.consume({
    group: 'g',
    service: 'ledger',
    consume: async () => {
      throw new Error('no');
    },
  });
  await one.start();
  await publish('deposit-1', {});
  await eventually(() =>
    expect(logged.some(({ message }) => message.includes('an event could not be parked'))).toBe(true),
  );
  expect(kept.saved).toBeUndefined();
  await eventually(() => expect(kept.saved).toBe('1'));
  expect(kept.parked).toHaveLength(1);
});

test('a discarded event is not handled again, however often it is delivered; the rest of its stream is', async () => {
  const parkedEvents = new MemoryParkedEvents();
  const handled: unknown[] = [];
  let isMended = false;
  const consuming = async () => {
    const one = bus({ parkedEvents });
    one.consume({
      group: 'g',
      service: 'ledger',
      consume: async ({ data }) => {
        if ('bad' in data && !isMended) throw new Error('no');
        handled.push(data);
      },
    });
    await one.start();
    return one;
  };
  const first = await consuming();
  const events = eventsOf(freshId(), { bad: 1 }, { n: 2 });
  await store.append('deposit-1', NO_STREAM, events);
  await eventually(async () => expect(await parkedEvents.list('g')).toHaveLength(2));
  const discard = { actor: 'ana', why: 'done by hand', discardedAt: '2026-01-01T00:00:00.000Z' };
  await parkedEvents.discard('g', String(events[0]?.id), discard);
  isMended = true;
  await first.release('g', 'deposit-1');
  await store.append('deposit-1', 1, anEvent({ n: 3 }));
  await eventually(() => expect(handled).toEqual([{ n: 2 }, { n: 3 }]));
  await first.stop();
  // The whole log is delivered again.
  kept.saved = undefined;
  const second = await consuming();
  await eventually(() => expect(handled).toEqual([{ n: 2 }, { n: 3 }, { n: 2 }, { n: 3 }]));
  expect(await parkedEvents.list()).toEqual([]);
  await second.stop();
});

test('a release ends before its next event when the bus stops, and the next process handles the rest', async () => {
  const parkedEvents = new MemoryParkedEvents();
  await publish('deposit-1', { n: 1 }, { n: 2 }, { n: 3 });
  for (const event of await store.read('deposit-1'))
    await parkedEvents.add({ group: 'g', key: event.stream, event, reason: 'TypeError', parkedAt: '' });
  kept.saved = await store.head();
  const handled: unknown[] = [];
  const consuming = async (consume: () => void) => {
    const one = bus({ parkedEvents });
    one.consume({
      group: 'g',
      service: 'ledger',
      consume: async ({ data }) => {
        handled.push(data);
        consume();
      },
    });
    await one.start();
    return one;
  };
  let stopping: Promise<void> | undefined;
  const first = await consuming(() => {
    stopping = first.stop();
  });
  await expect(first.release('g', 'deposit-1')).rejects.toThrow('the process is being stopped');
  await stopping;
  expect([handled, (await parkedEvents.list()).length]).toEqual([[{ n: 1 }], 2]);
  const second = await consuming(() => undefined);
  expect([await second.release('g', 'deposit-1'), handled]).toEqual([true, [{ n: 1 }, { n: 2 }, { n: 3 }]]);
});
