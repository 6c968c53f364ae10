import type {
  Backlog,
  Backlogs,
  ConsumerOptions,
  EventConsumer,
  EventStore,
  LogSubscription,
  MessageBus,
  Recorded,
} from '@ponte/event-sourcing';
import type { Job, Timers } from '@ponte/concurrency';
import { busMetrics } from './bus';
import { Delays, reportBacklog } from './delays';
import { Metrics } from './metrics';
import { storeMetrics } from './store';

const BUSINESS_NOW = Date.parse('2026-01-01T12:00:00.000Z');
const aged = (seconds: number): string => new Date(BUSINESS_NOW - seconds * 1_000).toISOString();

/** What a bus passes the events of `orders` for the group `ledger` to. */
function measuredConsumer(metrics: Metrics, delays: Delays, consume: EventConsumer): EventConsumer {
  const handlers: EventConsumer[] = [];
  const bus = { consume: (options: ConsumerOptions) => void handlers.push(options.consume) } as MessageBus;
  const parked = { counts: async () => [] };
  const measured = busMetrics(parked, metrics, () => BUSINESS_NOW, delays)(bus);
  measured?.consume?.({ group: 'ledger', service: 'orders', consume });
  return handlers[0] as EventConsumer;
}

describe('the delay of readers', () => {
  const delays = () => new Delays({ now: () => BUSINESS_NOW });

  test('is the smallest among the finished events, so that a single late event does not count', () => {
    const readers = delays();
    for (const seconds of [86_400, 30, 0.2]) readers.of('orders/ledger').finished(aged(seconds));
    for (const seconds of [30, 20, 25]) readers.of('outbox').finished(aged(seconds));
    expect(readers.close(0)).toEqual([
      { reader: 'orders/ledger', behindMs: 200 },
      { reader: 'outbox', behindMs: 20_000 },
    ]);
    readers.of('outbox').finished(aged(40));
    expect(readers.close(1_000)[1]).toEqual({ reader: 'outbox', behindMs: 40_000 });
  });

  test('is kept for five seconds in which nothing is finished, and is then zero', () => {
    const readers = delays();
    readers.of('outbox').finished(aged(20));
    expect([0, 4_999, 5_000].map((now) => readers.close(now)[0]?.behindMs)).toEqual([20_000, 20_000, 0]);
  });

  test('is never negative', () => {
    const readers = delays();
    readers.of('outbox').finished(aged(-3_600));
    expect(readers.close(0)).toEqual([{ reader: 'outbox', behindMs: 0 }]);
  });
});

describe('a consumer that reads the log itself, under its own name', () => {
  const event = (seconds: number): Recorded => ({ id: 'a', meta: { occurredAt: aged(seconds) } }) as Recorded;

  test.each([
    { is: 'late in handling', read: 0, handled: 30 },
    { is: 'late in reading', read: 30, handled: 0 },
  ])('is as late as the later of both: $is', async ({ read, handled }) => {
    const [delays, metrics] = [new Delays({ now: () => BUSINESS_NOW }), new Metrics()];
    const slices = async function* () {
      yield { events: [event(read)], position: '1', caughtUp: true };
    };
    const log = { subscribe: () => ({ [Symbol.asyncIterator]: slices }) } as unknown as EventStore;
    const watched = storeMetrics(metrics, () => BUSINESS_NOW, delays)(log);
    const subscription = watched?.subscribe?.({ reader: 'ledger/orders' });
    const handle = measuredConsumer(metrics, delays, async () => undefined);
    for await (const _ of subscription as LogSubscription) await handle(event(handled));
    expect(delays.close(0)).toEqual([{ reader: 'ledger/orders', behindMs: 30_000 }]);
  });
});

describe('a consumer that finishes nothing', () => {
  let readers: Delays;
  const stuck = (now: number) => readers.stuck(now).map(({ reader, behindMs }) => [reader, behindMs]);
  beforeEach(() => {
    readers = new Delays({ now: () => BUSINESS_NOW });
  });

  test('is stuck since its first event began, even if it has never finished one', () => {
    const waiting = readers.waitingFor('ledger/orders');
    expect(stuck(0)).toEqual([['ledger/orders', 0]]);
    waiting.begin('a', 1_000);
    waiting.begin('b', 60_000);
    expect([stuck(1_000), stuck(61_000)]).toEqual([[['ledger/orders', 0]], [['ledger/orders', 60_000]]]);
  });

  test('is not stuck while it finishes others, and is again when it stops', () => {
    const waiting = readers.waitingFor('ledger/orders');
    for (const id of ['a', 'b']) waiting.begin(id, 0);
    waiting.done('b', 60_000);
    expect([stuck(60_001), stuck(70_000)]).toEqual([[['ledger/orders', 0]], [['ledger/orders', 10_000]]]);
    waiting.done('a', 71_000);
    expect(stuck(90_000)).toEqual([['ledger/orders', 0]]);
  });

  test('is stuck while its events fail and are tried again, until they are parked', () => {
    const waiting = readers.waitingFor('ledger/orders');
    for (let now = 0; now <= 60_000; now += 5_000) {
      waiting.begin('a', now);
      waiting.failed('a', now);
    }
    expect([stuck(60_000), stuck(80_000)]).toEqual([[['ledger/orders', 60_000]], [['ledger/orders', 0]]]);
  });
});

describe('the backlog report of a process', () => {
  let job: Job;
  let reported: (Backlog | null)[];
  let heard: boolean;
  const readers = new Delays({ now: () => BUSINESS_NOW });
  const metrics = new Metrics();
  const timers: Timers = {
    stopping: new AbortController().signal,
    every: (_, __, one) => {
      job = one;
    },
    onStop: () => undefined,
    start: () => undefined,
    stop: async () => undefined,
  };
  const backlogs: Backlogs = {
    report: async (worst) => {
      if (!heard) throw new Error('the database is away');
      reported.push(worst);
    },
    worst: async () => null,
  };
  const second = async (...seconds: number[]): Promise<void> => {
    for (const one of seconds) readers.of(`reader-${one}`).finished(aged(one));
    await job(new AbortController().signal);
    for (const one of seconds) readers.of(`reader-${one}`).finished(aged(0));
  };

  test('names the worst reader each second while that is five seconds behind, then clears it once, and is not sent otherwise', async () => {
    [reported, heard] = [[], true];
    reportBacklog({ delays: readers, backlogs, metrics, timers });
    await second(0, 4);
    expect(reported).toEqual([]);
    await second(6, 12, 4);
    expect(await metrics.registry.metrics()).toContain('ponte_backlog_seconds{reader="reader-12"} 12');
    heard = false;
    await second();
    heard = true;
    await second();
    await second();
    expect(reported).toEqual([{ reader: 'reader-12', behindMs: 12_000 }, null]);
  });

  test('shows a consumer that has never finished an event as a metric, but does not make the gateway shed work', async () => {
    [reported, heard] = [[], true];
    const [measured, delays] = [new Metrics(), new Delays({ now: () => BUSINESS_NOW })];
    reportBacklog({ delays, backlogs, metrics: measured, timers });
    const handle = measuredConsumer(measured, delays, () => new Promise(() => undefined));
    void handle({ id: 'a', meta: { occurredAt: aged(0) } } as Recorded);
    const later = performance.now() + 60_000;
    jest.spyOn(performance, 'now').mockReturnValue(later);
    await job(new AbortController().signal);
    const seconds = /ponte_backlog_seconds\{reader="ledger\/orders"\} ([\d.]+)/.exec(await measured.registry.metrics());
    jest.restoreAllMocks();
    expect(Number(seconds?.[1])).toBeGreaterThan(59);
    expect(reported).toEqual([]);
  });
});
