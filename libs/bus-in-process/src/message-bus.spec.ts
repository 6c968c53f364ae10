import { Refusal, refusal, Unavailable } from '@ponte/kernel';
import type { ParkedEvent, Position, Recorded, RequestContext } from '@ponte/event-sourcing';
import {
  AppendOutcomeUnknown,
  command,
  EventStoreUnavailable,
  NO_STREAM,
  failureText,
  safeError,
} from '@ponte/event-sourcing';
import { anEvent, eventsOf, eventually, freshId, MemoryEventStore } from '@ponte/testing';
import type { InProcessBus, InProcessBusOptions } from './message-bus';
import { createInProcessBus } from './message-bus';
import { isOutageReason } from './outages';
import { LowWatermark } from './low-watermark';
import { Tries } from './retries';

const Ask = command<object, unknown>('ledger', 'ask', () => undefined);
const context: RequestContext = { commandId: 'c', correlationId: 'c' };

let store: MemoryEventStore;
let saved: Position | undefined;
let parked: ParkedEvent[];
let parkingFails: number;
let logged: { readonly fields: object; readonly message: string }[];
let buses: InProcessBus[];

const bus = (options: Partial<InProcessBusOptions> = {}): InProcessBus => {
  const log = (fields: object, message: string): void => void logged.push({ fields, message });
  const made = createInProcessBus({
    store,
    systemNow: () => 0,
    logger: { warn: log, error: log },
    serviceCategories: { ledger: ['deposit'], orders: ['order'] },
    checkpoints: {
      load: async () => saved,
      save: async (_, position) => {
        saved = position;
        return true;
      },
    },
    parkedEvents: {
      add: async (one) => {
        if ((parkingFails -= 1) >= 0) throw new Error('disk full');
        parked.push(one);
      },
      list: async () => parked,
      remove: async (_, id) => {
        parked = parked.filter((one) => one.event.id !== id);
      },
      keys: async () => new Set(),
    },
    retries: { failed: [1, 1], unavailable: [1, 1, 1, 1, 1, 1] },
    ...options,
  });
  buses.push(made);
  return made;
};
const publish = (stream: string, ...data: object[]) => store.append(stream, NO_STREAM, eventsOf(freshId(), ...data));

beforeEach(() => {
  store = new MemoryEventStore();
  [saved, parked, parkingFails, logged, buses] = [undefined, [], 0, [], []];
});
afterEach(async () => {
  await Promise.all(buses.map((one) => one.stop()));
  await store.close();
});

test('only the events of the service are delivered, and the checkpoint passes the others too', async () => {
  const seen: Recorded[] = [];
  const one = bus();
  one.consume({ group: 'g', service: 'ledger', consume: async (event) => void seen.push(event) });
  await one.start();
  await publish('deposit-1', {});
  await publish('order-1', {});
  const { position } = await publish('account-1', {});
  await eventually(() => expect(saved).toBe(position));
  expect(seen.map((event) => event.stream)).toEqual(['deposit-1']);
});

test('the checkpoint is the lowest unfinished position, however much behind it is done', async () => {
  let let_go = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    let_go = resolve;
  });
  const done: string[] = [];
  const one = bus();
  one.consume({
    group: 'g',
    service: 'ledger',
    consume: async ({ stream }) => {
      if (stream === 'deposit-3') await held;
      done.push(stream);
    },
  });
  await one.start();
  for (let at = 1; at <= 300; at += 1) await publish(`deposit-${at}`, {});
  await eventually(() => expect(done).toHaveLength(299));
  await eventually(() => expect(saved).toBe('2'));
  let_go();
  await one.stop();
  expect(saved).toBe('300');
});

test('an event that is tried again does not hold up thousands of others', async () => {
  let failing = true;
  const done = new Set<string>();
  const one = bus({ retries: { failed: Array<number>(5_000).fill(1), unavailable: [] } });
  one.consume({
    group: 'g',
    service: 'ledger',
    consume: async ({ stream }) => {
      if (stream === 'deposit-0' && failing) throw new Error('not yet');
      done.add(stream);
    },
  });
  await one.start();
  await Promise.all(Array.from({ length: 4_000 }, (_, at) => publish(`deposit-${at}`, {})));
  await eventually(() => expect(done.size).toBe(3_999));
  expect(saved ?? '0').toBe('0');
  failing = false;
  await eventually(() => expect(saved).toBe('4000'));
  expect(parked).toEqual([]);
});

test('back-pressure: no more than a bounded number is taken while consumers are stuck', async () => {
  let let_go = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    let_go = resolve;
  });
  let delivered = 0;
  const slices = jest.spyOn(store.log, 'slice');
  const one = bus();
  one.consume({
    group: 'g',
    service: 'ledger',
    consume: async () => {
      delivered += 1;
      await held;
    },
  });
  await Promise.all(Array.from({ length: 5_000 }, (_, at) => publish(`deposit-${at}`, {})));
  await one.start();
  await eventually(() => expect(delivered).toBe(64));
  expect(slices.mock.results.reduce((sum, { value }) => sum + (value as Recorded[]).length, 0)).toBeLessThanOrEqual(
    1_024 + 2 * 256,
  );
  let_go();
  await eventually(() => expect(delivered).toBe(5_000));
});

test('what fails is parked after its tries; what is unavailable is tried for as long as that lasts, and then handled', async () => {
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
  expect(parked.map(({ key }) => key)).toEqual(['deposit-failing']);
  await eventually(() => expect(saved).toBe(position));
  // An outage that lasts is not logged try by try.
  expect(
    logged.filter(({ fields }) => (fields as { stream?: string }).stream === 'deposit-unavailable').length,
  ).toBeLessThan(15);
});

test.each([
  ['a store that is away', () => new EventStoreUnavailable()],
  ['an append of unknown outcome', () => new AppendOutcomeUnknown('order-1')],
  [
    'a socket, wrapped',
    () => new Error('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) }),
  ],
  ['a full disk', () => Object.assign(new Error('full'), { code: 'SQLITE_FULL' })],
  [
    'brokers without a leader',
    () => Object.assign(new Error('no leader'), { name: 'KafkaJSProtocolError', retriable: true }),
  ],
])('%s is an outage, whatever throws it', (_, made) => {
  const tries = new Tries({ failed: [], unavailable: [7] });
  for (let count = 0; count < 100; count += 1) expect(tries.after(made())).toBe(7);
});

test('an outage uses up no tries of an event that fails, and a fault of another service has an end', () => {
  const tries = new Tries({ failed: [1], unexpected: [2], unavailable: [3] });
  for (let count = 0; count < 10; count += 1) expect(tries.after(new Unavailable('rail-unavailable'))).toBe(3);
  expect([
    tries.after(new Error('no')),
    tries.after(Unavailable.unexpected()),
    tries.after(new Unavailable('rail-unavailable')),
  ]).toEqual([1, 2, 3]);
  expect([tries.after(Unavailable.unexpected()), tries.after(new Error('no'))]).toEqual([undefined, undefined]);
  expect(isOutageReason(failureText(new Unavailable('chain-unavailable')))).toBe(true);
  expect([failureText(Unavailable.unexpected()), failureText(new TypeError('no'))].map(isOutageReason)).toEqual([
    false,
    false,
  ]);
});

test('what an outage has parked is handed over again by itself, in order; poison waits for an operator', async () => {
  await store.append('deposit-old', NO_STREAM, eventsOf(freshId(), { n: 1 }, { n: 2 }));
  await publish('deposit-poison', {});
  const events = [...(await store.read('deposit-old')), ...(await store.read('deposit-poison'))];
  const reasons = [
    'Unavailable: chain-unavailable: later',
    'waits behind an earlier event of its stream',
    'TypeError: at somewhere',
  ];
  parked = events.map((event, at) => ({
    group: 'g',
    key: event.stream,
    event,
    reason: reasons[at] ?? '',
    parkedAt: '',
  }));
  saved = await store.head();
  const done: unknown[] = [];
  let away = true;
  const one = bus({
    outageReleaseMs: 5,
    parkedEvents: {
      add: async (more) => void parked.push(more),
      list: async (_, key) => parked.filter((each) => key === undefined || each.key === key),
      remove: async (_, id) => {
        parked = parked.filter(({ event }) => event.id !== id);
      },
      keys: async () => new Set(parked.map(({ key }) => key)),
    },
  });
  one.consume({
    group: 'g',
    service: 'ledger',
    consume: async ({ data }) => {
      if (away) throw new Unavailable('chain-unavailable');
      done.push(data);
    },
  });
  await one.start();
  await eventually(() => expect(logged.some(({ message }) => message.includes('could not be handled yet'))).toBe(true));
  expect([parked.length, done]).toEqual([3, []]);
  away = false;
  await eventually(() => expect(done).toEqual([{ n: 1 }, { n: 2 }]));
  await eventually(() => expect(parked.map(({ key }) => key)).toEqual(['deposit-poison']));
});

test('a consumer whose place lies beyond the end of the log stops with an error, and stays stopped when the log grows past it', async () => {
  await publish('deposit-1', {});
  saved = '3';
  const seen: Recorded[] = [];
  const one = bus();
  one.consume({ group: 'g', service: 'ledger', consume: async (event) => void seen.push(event) });
  await one.start();
  await eventually(() =>
    expect(logged.map(({ message }) => message)).toContain('a reader stands beyond the end of the log and has stopped'),
  );
  expect(JSON.stringify(logged)).toContain('the position 3 lies beyond the end of the log, 1');
  for (const id of ['2', '3', '4', '5']) await publish(`deposit-${id}`, {});
  await new Promise((resolve) => {
    setTimeout(resolve, 20);
  });
  // The second and third would have been skipped.
  expect([seen, saved]).toEqual([[], '3']);
});

test('an event is passed only when it is parked durably: failing storage is tried again', async () => {
  parkingFails = 1;
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
  await eventually(() => expect(logged.some(({ message }) => message.includes('parking failed'))).toBe(true));
  expect(saved).toBeUndefined();
  await eventually(() => expect(saved).toBe('1'));
  expect(parked).toHaveLength(1);
});

test('a log that cannot be read is read again, from where it was', async () => {
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

test('mistakes of composition are reported at once', async () => {
  const one = bus();
  one.handle('p', async () => undefined);
  expect(() => one.handle('p', async () => undefined)).toThrow('answered twice');
  expect(() => one.consume({ group: 'g', service: 'unknown', consume: async () => undefined })).toThrow('no service');
  one.consume({ group: 'g', service: 'ledger', consume: async () => undefined });
  expect(() => one.consume({ group: 'g', service: 'ledger', consume: async () => undefined })).toThrow('twice');
  await expect(one.release('g', 'deposit-1')).rejects.toThrow('no consumer');
});

test('services may register and start one after the other; stop ends all of them, once', async () => {
  const seen: string[] = [];
  const one = bus();
  one.consume({ group: 'a', service: 'ledger', consume: async () => void seen.push('a') });
  await one.start();
  one.consume({ group: 'b', service: 'ledger', consume: async () => void seen.push('b') });
  await one.start();
  await publish('deposit-1', {});
  await eventually(() => expect([...seen].sort()).toEqual(['a', 'b']));
  await Promise.all([one.stop(), one.stop()]);
  one.handle(Ask.pattern, async () => 1);
  await expect(one.request(Ask, {}, context)).rejects.toThrow(Unavailable);
});

test('a request returns what its handler returns, and fails as its handler fails', async () => {
  const one = bus();
  const handlers: (() => Promise<unknown>)[] = [
    async () => 'an answer',
    async () => {
      throw refusal('quote-expired', 'expired');
    },
    () => {
      throw new TypeError('a bug');
    },
  ];
  one.handle(Ask.pattern, async () => handlers.shift()?.());
  const limited = { ...context, deadline: 1 };
  await expect(one.request(Ask, {}, limited)).resolves.toBe('an answer');
  await expect(one.request(Ask, {}, limited)).rejects.toThrow(Refusal);
  await expect(one.request(Ask, {}, limited)).rejects.toThrow(Unavailable);
  expect(logged.map(({ message }) => message)).toEqual(['a request failed unexpectedly']);
});

test.each([
  ['a Date', { when: new Date(0) }],
  ['a bigint', { amount: 1n }],
  ['a Map', { map: new Map() }],
  ['NaN', { n: Number.NaN }],
  [
    'an instance',
    {
      list: [
        new (class Money {
          amount = '1';
        })(),
      ],
    },
  ],
])('checked payloads: %s would not survive a real bus', async (_, payload) => {
  const one = bus({ checkPayloads: true });
  one.handle(Ask.pattern, async () => ({ fine: undefined }));
  await expect(one.request(Ask, payload, context)).rejects.toThrow(Unavailable);
  await expect(one.request(Ask, { plain: [null, 1, 'x', { y: undefined }] }, context)).resolves.toEqual({});
});

test('logs and parked reasons keep what our errors say, and of others only where they arose', () => {
  const choked = (() => {
    try {
      return JSON.parse('João da Silva');
    } catch (error) {
      return error;
    }
  })() as Error;
  expect(choked.message).toContain('João');
  expect(JSON.stringify(safeError(choked)) + failureText(choked)).not.toContain('João');
  expect(failureText(choked)).toMatch(/^SyntaxError: at /);
  expect(failureText(refusal('insufficient-balance', 'too little'))).toBe('Refusal: insufficient-balance: too little');
  expect(failureText('João')).toBe('string');
});

test('a progress mark moves over whatever is finished, in any order', () => {
  const mark = new LowWatermark('0');
  const ends = Array.from({ length: 5_000 }, (_, at) => mark.begin(String(at + 1)));
  for (let at = ends.length - 1; at > 0; at -= 1) ends[at]?.();
  expect([mark.finished, mark.unfinished, mark.behind]).toEqual(['0', 1, 5_000]);
  ends[0]?.();
  expect([mark.finished, mark.unfinished, mark.behind]).toEqual(['5000', 0, 0]);
});
