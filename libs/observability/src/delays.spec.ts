import type { Backlog, Backlogs } from '@ponte/event-sourcing';
import type { Job, Timers } from '@ponte/concurrency';
import { Delays, reportBacklog } from './delays';
import { Metrics } from './metrics';

const BUSINESS_NOW = Date.parse('2026-01-01T12:00:00.000Z');
const aged = (seconds: number): string => new Date(BUSINESS_NOW - seconds * 1_000).toISOString();

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

describe('the backlog report of a process', () => {
  let job: Job;
  let reported: (Backlog | null)[];
  let heard: boolean;
  const readers = new Delays({ now: () => BUSINESS_NOW });
  const metrics = new Metrics();
  const timers: Timers = {
    every: (_, __, one) => {
      job = one;
    },
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
});
