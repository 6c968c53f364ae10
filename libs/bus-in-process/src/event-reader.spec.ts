import type { Recorded } from '@ponte/event-sourcing';
import { anEvent, eventually } from '@ponte/testing';
import { store, kept, logged, bus, publish, useBusesForEachTest } from './bus-under-test.testing';

useBusesForEachTest();
afterEach(() => {
  jest.useRealTimers();
});

test('only the events of the service are delivered, but the checkpoint also advances past the others', async () => {
  const seen: Recorded[] = [];
  const one = bus();
  one.consume({ group: 'g', service: 'ledger', consume: async (event) => void seen.push(event) });
  await one.start();
  await publish('deposit-1', {});
  await publish('order-1', {});
  const { position } = await publish('account-1', {});
  await eventually(() => expect(kept.saved).toBe(position));
  expect(seen.map((event) => event.stream)).toEqual(['deposit-1']);
});

test('the checkpoint is the lowest unfinished position, however many later events are finished', async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const handled: string[] = [];
  const one = bus();
  one.consume({
    group: 'g',
    service: 'ledger',
    consume: async ({ stream }) => {
      if (stream === 'deposit-3') await released;
      handled.push(stream);
    },
  });
  await one.start();
  for (let at = 1; at <= 300; at += 1) await publish(`deposit-${at}`, {});
  await eventually(() => expect(handled).toHaveLength(299));
  await eventually(() => expect(kept.saved).toBe('2'));
  release();
  await one.stop();
  expect(kept.saved).toBe('300');
});

test('an event that is being retried does not block thousands of others', async () => {
  let failing = true;
  const handled = new Set<string>();
  const one = bus({ retries: { failed: Array<number>(5_000).fill(1), unavailable: [] } });
  one.consume({
    group: 'g',
    service: 'ledger',
    consume: async ({ stream }) => {
      if (stream === 'deposit-0' && failing) throw new Error('not yet');
      handled.add(stream);
    },
  });
  await one.start();
  await Promise.all(Array.from({ length: 4_000 }, (_, at) => publish(`deposit-${at}`, {})));
  await eventually(() => expect(handled.size).toBe(3_999));
  expect(kept.saved ?? '0').toBe('0');
  failing = false;
  await eventually(() => expect(kept.saved).toBe('4000'));
  expect(kept.parked).toEqual([]);
});

test('back-pressure: only a limited number of events is read while consumers are stuck', async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let delivered = 0;
  const slices = jest.spyOn(store.log, 'slice');
  const one = bus();
  one.consume({
    group: 'g',
    service: 'ledger',
    consume: async () => {
      delivered += 1;
      await released;
    },
  });
  await Promise.all(Array.from({ length: 5_000 }, (_, at) => publish(`deposit-${at}`, {})));
  await one.start();
  await eventually(() => expect(delivered).toBe(64));
  expect(slices.mock.results.reduce((sum, { value }) => sum + (value as Recorded[]).length, 0)).toBeLessThanOrEqual(
    1_024 + 2 * 256,
  );
  release();
  await eventually(() => expect(delivered).toBe(5_000));
});

test('a consumer whose position is beyond the end of the log stops with an error, and stays stopped when the log grows past it', async () => {
  await publish('deposit-1', {});
  kept.saved = '3';
  const seen: Recorded[] = [];
  const one = bus();
  one.consume({ group: 'g', service: 'ledger', consume: async (event) => void seen.push(event) });
  await one.start();
  await eventually(() =>
    expect(logged.map(({ message }) => message)).toContain(
      'the position of a reader is beyond the end of the log; the reader has stopped',
    ),
  );
  expect(JSON.stringify(logged)).toContain('the position 3 is beyond the end of the log (1)');
  for (const id of ['2', '3', '4', '5']) await publish(`deposit-${id}`, {});
  await new Promise((resolve) => {
    setTimeout(resolve, 20);
  });
  // Otherwise the second and third event would have been skipped.
  expect([seen, kept.saved]).toEqual([[], '3']);
});

test('reading the log is resumed at the last position after a failure', async () => {
  const seen: unknown[] = [];
  const subscribe = store.subscribe.bind(store);
  const broken = jest.spyOn(store, 'subscribe').mockImplementationOnce((filter) => {
    const [good] = [subscribe(filter)];
    return {
      close: () => good.close(),
      async *[Symbol.asyncIterator]() {
        for await (const slice of good) {
          yield slice;
          throw new Error('connection lost');
        }
      },
    };
  });
  const one = bus();
  one.consume({ group: 'g', service: 'ledger', consume: async ({ data }) => void seen.push(data) });
  await publish('deposit-1', { at: 1 });
  await one.start();
  await eventually(() => expect(seen).toHaveLength(1));
  await store.append('deposit-1', 0, anEvent({ at: 2 }));
  await eventually(() => expect(seen).toEqual([{ at: 1 }, { at: 2 }]));
  expect(broken).toHaveBeenCalledTimes(2);
});

test('a stop does not wait for the next attempt to read a log that cannot be read', async () => {
  // The delay before the next attempt never ends.
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  const one = bus();
  one.consume({ group: 'g', service: 'ledger', consume: async () => undefined });
  jest.spyOn(store, 'subscribe').mockImplementation(() => {
    throw new Error('connection lost');
  });
  await one.start();
  await eventually(() => expect(logged).toHaveLength(1));
  await one.stop();
});
