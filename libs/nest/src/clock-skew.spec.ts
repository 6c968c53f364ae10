import { createTimers } from '@ponte/concurrency';
import { EventStoreUnavailable, NO_STREAM } from '@ponte/event-sourcing';
import { anEvent, MemoryEventStore } from '@ponte/testing';
import type { EventStore } from '@ponte/event-sourcing';
import { instrument } from '@ponte/kernel';
import { ClockSkew, refusingWrites, watchClock } from './clocks';
import { observability } from '@ponte/observability';
import pino from 'pino';

const START = 1_790_000_000_000;
/** A steady clock that does not advance. */
const standing = () => 0;

describe('the clock of a process', () => {
  it('is compared before the first run of any job, so that none deletes anything by a wrong clock', async () => {
    const { metrics } = observability();
    const skew = new ClockSkew(() => START + 86_400_000, metrics, standing);
    const timers = createTimers(pino({ enabled: false }));
    const isSane = new Promise<boolean>((resolve) => timers.every('deletes', 1_000, async () => resolve(skew.isSane)));
    await watchClock(skew, async () => START, timers);
    timers.start();
    expect(await isSane).toBe(false);
    await timers.stop();
  });

  it.each([
    [0, 0],
    [499, 0.499],
    [-10_000, 10],
    [600_000, 600],
  ])('with an offset of %i ms from the reference is reported as %d s off', async (ahead, seconds) => {
    const { metrics } = observability();
    const skew = new ClockSkew(() => START + ahead, metrics, standing);
    await skew.measure(async () => START);
    const shown = await metrics.registry.getSingleMetric('ponte_clock_skew_seconds')?.get();
    expect(shown?.values[0]?.value).toBe(seconds);
  });

  it.each([
    ['on both ways', 10_000, 10_000],
    ['on the way there', 20_000, 0],
    ['on the way back', 0, 20_000],
  ])('is not reported as wrong by the time that the answer took %s', async (_way, before, after) => {
    const { metrics } = observability();
    let now = START;
    const skew = new ClockSkew(
      () => now,
      metrics,
      () => now - START,
    );
    await skew.measure(async () => {
      now += before;
      const there = now;
      now += after;
      return there;
    });
    expect(skew.isSane).toBe(true);
    const shown = await metrics.registry.getSingleMetric('ponte_clock_skew_seconds')?.get();
    expect(shown?.values[0]?.value).toBe(0);
  });

  it.each([3_600_000, -3_600_000])(
    'is reported as wrong if it is set by %i ms while the reference is read, until it is correct again',
    async (jump) => {
      const { metrics } = observability();
      let [ahead, elapsed] = [0, 0];
      const skew = new ClockSkew(
        () => START + elapsed + ahead,
        metrics,
        () => elapsed,
      );
      const reference = (set: number) => async () => {
        elapsed += 20;
        ahead = set;
        const there = START + elapsed;
        elapsed += 20;
        return there;
      };
      await skew.measure(reference(jump));
      expect(skew.isSane).toBe(false);
      const shown = await metrics.registry.getSingleMetric('ponte_clock_skew_seconds')?.get();
      expect(shown?.values[0]?.value).toBeCloseTo(3_600, 0);
      await skew.measure(reference(0));
      expect(skew.isSane).toBe(true);
    },
  );

  it('makes the process refuse writes, but not reads, while it is off by more than 5 s', async () => {
    const { metrics } = observability();
    const memory = new MemoryEventStore();
    let ahead = 5_000;
    const skew = new ClockSkew(() => START + ahead, metrics, standing);
    const store = instrument<EventStore>(memory, [refusingWrites(skew)]);
    await skew.measure(async () => START);
    await store.append('order-1', NO_STREAM, anEvent());
    ahead = -5_001;
    await skew.measure(async () => START);
    await expect(store.append('order-2', NO_STREAM, anEvent())).rejects.toThrow(EventStoreUnavailable);
    expect([(await store.read('order-1')).length, (await store.read('order-2')).length]).toEqual([1, 0]);
    ahead = 0;
    await skew.measure(async () => START);
    await store.append('order-2', NO_STREAM, anEvent());
    expect(await store.read('order-2')).toHaveLength(1);
  });

  it.each([3_600_000, -3_600_000])(
    'makes the process refuse writes as soon as its clock jumps by %i ms, until the clock is correct again',
    async (jump) => {
      const { metrics } = observability();
      let [ahead, elapsed] = [0, 0];
      const skew = new ClockSkew(
        () => START + elapsed + ahead,
        metrics,
        () => elapsed,
      );
      const reference = async () => START + elapsed;
      await skew.measure(reference);
      elapsed += 9_000;
      expect(skew.isSane).toBe(true);
      ahead = jump;
      expect(skew.isSane).toBe(false);
      const shown = await metrics.registry.getSingleMetric('ponte_clock_skew_seconds')?.get();
      expect(shown?.values[0]?.value).toBe(3_600);
      await skew.measure(reference);
      expect(skew.isSane).toBe(false);
      ahead = 0;
      await skew.measure(reference);
      expect(skew.isSane).toBe(true);
    },
  );

  it('does not take a correction of a wrong clock for a wrong clock, once the reference has been read', async () => {
    const { metrics } = observability();
    let ahead = 3_600_000;
    const skew = new ClockSkew(
      () => START + ahead,
      metrics,
      () => 0,
    );
    await skew.measure(async () => START);
    ahead = 0;
    expect(skew.isSane).toBe(false);
    await skew.measure(async () => START);
    expect(skew.isSane).toBe(true);
  });
});
